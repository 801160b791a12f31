"""What a shortcut is, and which APIs have one in which versions."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from struct import Struct as Packer
from typing import Final, Protocol, cast

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Answer, Call
from moldau.broker.server.request_metrics import RequestMetrics
from moldau.network.connection import Connection
from moldau.platform.ports.clock import Clock
from moldau.protocol.messages.api_key import ApiKey

__all__ = [
    "SHORT_BYTES_MAX",
    "SHORT_HEAD",
    "SHORT_HEAD_BYTES",
    "Later",
    "Postponed",
    "Reader",
    "Shortcut",
    "shortcut_of",
]

SHORT_HEAD: Final = Packer(">iiB")
"""Size, correlation id and no tags: all that have a shortcut are flexible."""
SHORT_HEAD_BYTES: Final = 5
"""Of them, as the size counts."""

SHORT_BYTES_MAX: Final = 16 * 1024
"""Longer requests may take long to read: their way is that of `server.long_requests`."""

Reader = Callable[[Connection, memoryview], Call]
"""Makes a call of a frame, as for a handler."""


class Later:
    """Where a request is answered that has to wait; once, and counted then."""

    __slots__ = (
        "_clock", "_connection", "_correlation_id", "_finish", "_metrics", "_received_ns", "_size",
    )  # fmt: skip

    def __init__(
        self,
        connection: Connection,
        correlation_id: int,
        size: int,
        metrics: RequestMetrics,
        clock: Clock,
        finish: Callable[[Call, Answer], None],
    ) -> None:
        self._connection = connection
        self._correlation_id = correlation_id
        self._size = size
        self._metrics = metrics
        self._clock = clock
        self._finish = finish
        self._received_ns = connection.active_ns

    def reply(self, body: bytes) -> None:
        """Send this answer's body."""
        head = SHORT_HEAD.pack(len(body) + SHORT_HEAD_BYTES, self._correlation_id, 0)
        self._connection.reply(head + body)
        self._metrics.shortened(self._size, self._clock.monotonic_ns() - self._received_ns)

    def hand_over(self, call: Call) -> None:
        """The request has been read after all: its answer goes to `call.answer`."""
        self._metrics.sizes.record(self._size)
        call.received_ns = self._received_ns
        call.answer = lambda answer: self._finish(call, answer)


class Postponed:
    """A request that has to wait; the caller of `find` sets where to answer."""

    __slots__ = ("later",)

    later: Later


class Shortcut(Protocol):
    """For one API and version."""

    def find(
        self, connection: Connection, frame: memoryview, position: int
    ) -> bytes | Postponed | None:
        """The answer's body to a request whose body begins at `position`, or its promise.

        None where the handler has to be asked, as where a quota is set; nothing has changed then
        that the handler would not do again.
        """
        ...


MakeShortcut = Callable[[Broker, int, Reader], Shortcut]

MODULES: Final[dict[int, tuple[str, range]]] = {
    ApiKey.FETCH: ("fetch.shortcut", range(13, 19)),
    ApiKey.METADATA: ("topic.metadata_shortcut", range(9, 14)),
}
"""By API key: modules with a `make`, and their versions. Below, where topics have
no ids in a fetch and nothing is compact in the others, clients are old and few."""


def shortcut_of(api_key: int, version: int, broker: Broker, read: Reader) -> Shortcut | None:
    """Where requests of this API and version may be answered without a call."""
    name, versions = MODULES.get(api_key, ("", range(0)))
    if version not in versions:
        return None
    make = cast(MakeShortcut, import_module(f"moldau.broker.server.{name}").make)
    return make(broker, version, read)
