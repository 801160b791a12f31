"""How far partitions go that groups of this broker read and only other brokers have.

Their leaders are asked before the page is made: making it waits for nothing. A leader that does not
answer soon leaves what it answered for the page before, and the lags of these partitions grow old
instead of vanishing.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from importlib import import_module
from itertools import islice
from typing import Final

from moldau.broker.server.broker import Broker
from moldau.broker.server.share.ends import Name, ends_at_once
from moldau.broker.server.slices import in_slices

__all__ = ["EndsElsewhere"]

GROUPS: Final = "moldau.broker.server.monitoring.figures.groups"
"""Imported when metrics are first read, as all tables are."""
Offsets = Iterator[list[tuple[str, Name, int]]]
ANSWER_MS: Final = 500
"""A page must not wait for each leader as long as a request may take."""


class EndsElsewhere:
    """Of one node."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    def __repr__(self) -> str:
        return f"EndsElsewhere({self._broker.ends_elsewhere})"

    async def look(self) -> None:
        wanted = await self._wanted()
        answers = await ends_at_once(self._broker, wanted, ANSWER_MS)
        found = {name: end for name, end in answers.items() if isinstance(end, int)}
        known = self._broker.ends_elsewhere | found
        self._broker.ends_elsewhere = {name: known[name] for name in wanted if name in known}

    async def _wanted(self) -> list[Name]:
        """Where groups have committed offsets of partitions that exist, and not here."""
        groups = import_module(GROUPS)
        places = await in_slices(self._broker, self._places(groups.offsets_at(self._broker)))
        return list(islice(places, groups.OFFSETS_SHOWN_MAX))

    def _places(self, offsets: Offsets) -> Generator[None, None, dict[Name, None]]:
        topics, replicas = self._broker.metadata.image.topics, self._broker.replicas
        found: dict[Name, None] = {}
        for some in offsets:
            for _, place, _ in some:
                if (
                    place not in found
                    and replicas.find(*place) is None
                    and topics.partition(*place) is not None
                ):
                    found[place] = None
            yield
        return found
