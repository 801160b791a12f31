"""Handshakes that came to nothing: in the log with who, where and why, and not a thousand times.

A client with a wrong certificate tries again for hours. So each host is named once in a while for
each listener and reason, with the count of those in between.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from moldau.network.named_hosts import NamedHosts
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, TakeOver
from moldau.platform.ports.tls import Tls

__all__ = ["HandshakeFailures"]

log = logging.getLogger(__name__)

AGAIN_NS = 60 * 1_000_000_000
"""When the same host is named again for the same reason."""


class HandshakeFailures:
    """The failed handshakes of one listener, logged at a bounded rate."""

    def __init__(
        self, listener: str, clock: Clock, note: Callable[[Address, str], None] | None = None
    ) -> None:
        """`note` is called for each, also where it is not logged."""
        self.count = 0
        self._listener = listener
        self._note = note
        self._named = NamedHosts(clock, AGAIN_NS)

    def __repr__(self) -> str:
        return f"HandshakeFailures({self._listener}: {self.count})"

    def protect(self, tls: Tls, take_over: TakeOver) -> TakeOver:
        """Links are protected, and failures logged."""
        return tls.serve(take_over, self.failed)

    def failed(self, peer: Address, reason: str) -> None:
        self.count += 1
        if self._note is not None:
            self._note(peer, reason)
        since = self._named.count_since(peer.host, reason)
        if since is None:
            return
        log.warning(
            "Failed authentication with %s on %s (SSL handshake failed): %s%s",
            peer, self._listener, reason, f" ({since} more from there before)" if since else "",
        )  # fmt: skip
