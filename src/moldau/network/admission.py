"""Who is let in: limits on connections in all, on a listener, and from one address.

Kafka's rules. Beyond `max.connections.per.ip` (or the override for that address) a connection is
closed at once. Beyond `max.connections`, of the node or of the listener, it has to wait until
another has gone; the inter-broker listener is never kept waiting, so that a cluster can go on
whatever its clients do. Where that, or a limit that is lowered, makes too many in all, the others
that were silent for longest are closed. What waits is bounded too: beyond that a connection is
closed at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from moldau.platform.quick_dataclass import dataclass

__all__ = ["UNLIMITED", "Admission", "Limits", "Verdict"]

UNLIMITED = 2**31 - 1
WAITING_MAX = 50
"""As many as a listener's backlog holds."""


class Verdict(Enum):
    """What happens to a connection that has just come."""

    WELCOME = "let in"
    WAIT = "nothing is read until another connection has gone"
    REFUSED = "closed at once"


@dataclass(frozen=True, slots=True)
class Limits:
    """As set by `max.connections`, `max.connections.per.ip` and their overrides."""

    connections_max: int = UNLIMITED
    per_address_max: int = UNLIMITED
    per_address_overrides: Mapping[str, int] = field(default_factory=dict)
    per_listener_max: Mapping[str, int] = field(default_factory=dict)
    """By listener; one that is missing has the node's limit alone."""
    protected_listener: str | None = None
    """Of the brokers among themselves."""


class Admission:
    """Counts the open connections, and accepts or refuses each one that is opened."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.waiting = 0
        self._by_address: Counter[str] = Counter()
        self._by_listener: Counter[str] = Counter()

    @property
    def count(self) -> int:
        return self._by_listener.total()

    @property
    def by_listener(self) -> Mapping[str, int]:
        """How many each listener has let in."""
        return self._by_listener

    def enter(self, address: str, listener: str) -> Verdict:
        """Judge and count; a refused one is not counted, a waiting one is counted apart."""
        limits = self.limits
        allowed = limits.per_address_overrides.get(address, limits.per_address_max)
        if self._by_address[address] >= allowed:
            return Verdict.REFUSED
        if self.has_room(listener):
            self._count(address, listener)
            return Verdict.WELCOME
        if self.waiting >= WAITING_MAX:
            return Verdict.REFUSED
        self.waiting += 1
        return Verdict.WAIT

    def has_room(self, listener: str) -> bool:
        limits = self.limits
        if self._by_listener[listener] >= limits.per_listener_max.get(listener, UNLIMITED):
            return False
        return listener == limits.protected_listener or self.count < limits.connections_max

    def is_too_many(self, listener: str) -> bool:
        """Whether one of this listener has to go, since there are more than allowed in all."""
        limits = self.limits
        return listener != limits.protected_listener and self.count > limits.connections_max

    def let_in(self, address: str, listener: str) -> None:
        """One that waited has its turn."""
        self.waiting -= 1
        self._count(address, listener)

    def give_up(self) -> None:
        """One that waited has gone."""
        self.waiting -= 1

    def leave(self, address: str, listener: str) -> None:
        self._by_listener[listener] -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def _count(self, address: str, listener: str) -> None:
        self._by_address[address] += 1
        self._by_listener[listener] += 1
