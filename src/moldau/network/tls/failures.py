"""Handshakes that came to nothing: in the log with who, where and why, and not a thousand times.

A client with a wrong certificate tries again for hours. So each host is named once in a while for
each listener and reason, with the count of those in between.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import field

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, TakeOver
from moldau.platform.ports.tls import Tls
from moldau.platform.quick_dataclass import dataclass

__all__ = ["HandshakeFailures"]

log = logging.getLogger(__name__)

AGAIN_NS = 60 * 1_000_000_000
"""When the same host is named again for the same reason."""
HOSTS_MAX = 1_000
"""Hosts that are remembered; then the one that was named first is forgotten."""


@dataclass(slots=True)
class _Named:
    at_ns: int
    since: int = 0
    """Failures that were not logged."""


@dataclass(slots=True)
class HandshakeFailures:
    """Of one listener."""

    listener: str
    clock: Clock
    note: Callable[[Address, str], None] | None = None
    """Called for each, also where it is not logged."""
    count: int = 0
    named: dict[tuple[str, str], _Named] = field(default_factory=dict)
    """By host and reason."""

    def protect(self, tls: Tls, take_over: TakeOver) -> TakeOver:
        """Links are protected, and failures logged."""
        return tls.serve(take_over, self.failed)

    def failed(self, peer: Address, reason: str) -> None:
        self.count += 1
        if self.note is not None:
            self.note(peer, reason)
        key, now_ns = (peer.host, reason), self.clock.monotonic_ns()
        before = self.named.get(key)
        if before is not None and now_ns - before.at_ns < AGAIN_NS:
            before.since += 1
            return
        self.named.pop(key, None)
        if len(self.named) >= HOSTS_MAX:
            del self.named[next(iter(self.named))]
        self.named[key] = _Named(now_ns)
        log.warning(
            "Failed authentication with %s on %s (SSL handshake failed): %s%s",
            peer, self.listener, reason,
            f" ({before.since} more from there before)" if before and before.since else "",
        )  # fmt: skip
