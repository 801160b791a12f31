"""How far partitions go that groups of this broker read and only other brokers have.

Their leaders are asked before the page is made: making it waits for nothing. A leader that does not
answer soon leaves what it answered for the page before, and the lags of these partitions grow old
instead of vanishing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from moldau.broker.server.broker import Broker
from moldau.broker.server.share.ends import Name, ends_at_once

__all__ = ["EndsElsewhere"]

COORDINATORS: Final = "moldau.broker.server.monitoring.figures.coordinators"
"""Imported by the first who reads metrics, as all tables are."""
ANSWER_MS: Final = 500
"""A page must not wait for each leader as long as a request may take."""


class EndsElsewhere:
    """Of one node."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    def __repr__(self) -> str:
        return f"EndsElsewhere({self._broker.ends_elsewhere})"

    async def look(self) -> None:
        wanted = self._wanted()
        answers = await ends_at_once(self._broker, wanted, ANSWER_MS)
        found = {name: end for name, end in answers.items() if isinstance(end, int)}
        known = self._broker.ends_elsewhere | found
        self._broker.ends_elsewhere = {name: known[name] for name in wanted if name in known}

    def _wanted(self) -> list[Name]:
        names: list[Name] = import_module(COORDINATORS).places_elsewhere(self._broker)
        return names
