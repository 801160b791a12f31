"""Hosts that the log has named: each once in a while for the same reason, with those in between.

Clients that cannot connect try again for hours; a line for each attempt would be all of the log.
"""

from __future__ import annotations

from moldau.platform.ports.clock import Clock

__all__ = ["HOSTS_MAX", "NamedHosts"]

HOSTS_MAX = 1_000
"""Hosts that are kept; then the one that was named first is dropped."""


class _Named:
    """When a host was named, and how many attempts there were since then."""

    def __init__(self, at_ns: int) -> None:
        self.at_ns = at_ns
        self.since = 0


class NamedHosts:
    """Decides for one listener or kind of failure whether an attempt is logged."""

    def __init__(self, clock: Clock, again_ns: int) -> None:
        """The same host is named again for the same reason after `again_ns`."""
        self._clock = clock
        self._again_ns = again_ns
        self._named: dict[tuple[str, str], _Named] = {}

    def __repr__(self) -> str:
        return f"NamedHosts({len(self._named)})"

    def __len__(self) -> int:
        return len(self._named)

    def count_since(self, host: str, reason: str) -> int | None:
        """How many were not logged since the last time; None where this one is not logged."""
        key, now_ns = (host, reason), self._clock.monotonic_ns()
        before = self._named.get(key)
        if before is not None and now_ns - before.at_ns < self._again_ns:
            before.since += 1
            return None
        self._named.pop(key, None)
        if len(self._named) >= HOSTS_MAX:
            del self._named[next(iter(self._named))]
        self._named[key] = _Named(now_ns)
        return 0 if before is None else before.since
