"""A login that ends: after `connections.max.reauth.ms`, or when its token does (KIP-368).

The client knows when, and logs in anew on the open connection before that: by the same mechanism,
as the same principal, and not twice in a second. One that does not is closed with its next request.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from moldau.network.connection import Connection, FrameHandler
from moldau.platform.ports.clock import Clock
from moldau.protocol.messages.api_key import ApiKey

__all__ = ["Session"]

log = logging.getLogger(__name__)

NS_PER_MS = 1_000_000
AGAIN_NS = 1_000_000_000
"""Sooner after the last login none begins: its handshake is refused like any unasked one."""
KEY_BYTES = 2


class Session:
    """Stands between a connection and its dispatcher, with a look at the clock for each frame."""

    __slots__ = ("_begin_login", "_begun_ns", "_clock", "_ends_ns", "_handle", "mechanism", "name")

    def __init__(
        self,
        mechanism: str,
        name: str,
        lifetime_ms: int,
        clock: Clock,
        handle: FrameHandler,
        begin_login: Callable[[Connection, Session], FrameHandler],
    ) -> None:
        self.mechanism = mechanism
        self.name = name
        """What was proved, of which a principal may have been made."""
        self._clock = clock
        self._ends_ns = clock.monotonic_ns() + lifetime_ms * NS_PER_MS
        self._begun_ns: int | None = None
        self._handle = handle
        self._begin_login = begin_login

    def extend(self, lifetime_ms: int) -> None:
        """The client has logged in again."""
        self._ends_ns = self._clock.monotonic_ns() + lifetime_ms * NS_PER_MS

    def handle(self, connection: Connection, frame: memoryview) -> None:
        """One request of a client that has logged in."""
        now_ns = self._clock.monotonic_ns()
        key = int.from_bytes(frame[:KEY_BYTES], "big")
        if key == ApiKey.SASL_HANDSHAKE and self._may_begin(now_ns):
            self._begun_ns = now_ns
            login = self._begin_login(connection, self)
            connection.hand_over(login)
            login(connection, frame)
        elif now_ns > self._ends_ns:
            log.info("Closing %s: its session has ended, and it has not logged in anew", connection)
            connection.end_in_turn()
        else:
            self._handle(connection, frame)

    def _may_begin(self, now_ns: int) -> bool:
        return self._begun_ns is None or now_ns - self._begun_ns >= AGAIN_NS
