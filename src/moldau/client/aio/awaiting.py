"""What waits for records: for the pending that decides their fate, wherever that moves.

A batch that was too large as a whole goes on as two halves, each with a fate of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from moldau.client.core.failure import Logged, ensure_done
from moldau.client.core.producing.batch import Delivery, Pending

__all__ = ["Watcher", "call_back", "pending_of"]


class Watcher:
    """Waits for a delivery among the waiters of what decides its fate, wherever that moves."""

    __slots__ = ("_action", "_delivery")

    def __init__(self, delivery: Delivery, action: Callable[[], None]) -> None:
        self._delivery = delivery
        self._action = action

    def keep(self, _value: None) -> None:
        if self._delivery.is_done:
            self._action()
        else:
            pending_of(self._delivery).waiters.append(self)


def pending_of(one: Pending | Delivery) -> Pending:
    """What has to be settled before this is; of a batch that was split, a half that is not yet."""
    pending = one.pending if isinstance(one, Delivery) else one
    assert pending is not None, "it was never handed over"
    while pending.parts is not None:
        first, second = pending.parts
        pending = second if first.is_settled else first
    return pending


def call_back(deliveries: Iterable[Delivery]) -> None:
    """One that fails is a mistake of the program, and no harm to the others."""
    left = iter(deliveries)
    while True:
        with Logged("on_delivery of a record") as failure:  # one for many: it costs each nothing
            for delivery in left:
                if delivery.on_delivery is not None:
                    error = delivery.error()
                    call: Callable[..., object] = delivery.on_delivery
                    answer = call(None if error is not None else delivery.metadata(), error)
                    if answer is not None:
                        ensure_done(answer, "on_delivery")
        if failure.error is None:
            return
