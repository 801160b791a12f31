"""Who listens to changes of an assignment, and when its methods are called.

As with Java's consumers `on_revoked` is called once for what goes, whatever it raises: the other
members wait for these partitions. What goes with the membership, when the consumer unsubscribes or
is closed, is revoked too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from moldau.client.core.consuming.group_state import Change
from moldau.client.errors import ConcurrentUseError, InvalidArgumentError
from moldau.client.topic_partition import TopicPartition

__all__ = ["Listening", "RebalanceListener", "listener_of"]

CALLS = ("on_assigned", "on_revoked", "on_lost")

Call = Callable[[Collection[TopicPartition]], object]


class RebalanceListener:
    """Called when partitions come and go; methods of an asynchronous consumer's may be `async`."""

    def on_assigned(self, parts: Collection[TopicPartition]) -> object:
        """They are read from now on."""

    def on_revoked(self, parts: Collection[TopicPartition]) -> object:
        """They go to another member after this: the last moment to commit for them."""

    def on_lost(self, parts: Collection[TopicPartition]) -> object:
        """They have gone to others already."""


class Listening:
    """The listener of one consumer, if it has one."""

    def __init__(self) -> None:
        self.listener: RebalanceListener | None = None
        self._is_calling = False

    def __repr__(self) -> str:
        return f"<Listening: {self.listener!r}>"

    def ensure_idle(self) -> None:
        """Records are not asked for while a listener decides about their partitions."""
        if self._is_calling:
            raise ConcurrentUseError("the consumer")

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Around its calls."""
        self._is_calling = True
        try:
            yield
        finally:
            self._is_calling = False

    def before(self, change: Change) -> Iterator[tuple[Call, Collection[TopicPartition]]]:
        """What it is called with before partitions go."""
        if self.listener is not None and change.revoked:
            call = self.listener.on_lost if change.is_loss else self.listener.on_revoked
            yield call, sorted(change.revoked)

    def last(self, change: Change) -> list[tuple[Call, Collection[TopicPartition]]]:
        """What it is called with at the end of the membership: it may close its consumer."""
        calls = list(self.before(change))
        self.listener = None
        return calls

    def after(self, change: Change) -> Iterator[tuple[Call, Collection[TopicPartition]]]:
        """What it is called with when partitions have come."""
        if self.listener is not None and not change.revoked:
            yield self.listener.on_assigned, sorted(change.assigned)


def listener_of(listener: RebalanceListener | None) -> RebalanceListener | None:
    """Any object with its three methods will do."""
    lacking = [name for name in CALLS if not callable(getattr(listener, name, None))]
    if isinstance(listener, type):
        raise InvalidArgumentError(
            f"a listener is an object, and not a class: give {listener.__name__}()"
        )
    if listener is not None and lacking:
        raise InvalidArgumentError(
            f"a listener is a RebalanceListener, and not {listener!r}, which has no "
            f"{' and no '.join(lacking)}"
        )
    return listener
