"""The formats of a console, as its pages use them: what there is, and what they make of records."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from moldau.client import ConsumerRecord
from moldau.errors import MoldauError
from moldau.platform.ports.tasks import Tasks
from moldau.programs.console.formats.called import FormatError
from moldau.programs.console.formats.declared import (
    AS_IT_IS,
    PARTS,
    Declared,
    Offer,
    ensure_name,
    format_for,
)
from moldau.programs.console.formats.plain import PLAIN
from moldau.programs.console.formats.process import FormatProcesses, Outcome

__all__ = ["Chosen", "Formats", "Made"]

log = logging.getLogger(__name__)


class Chosen(NamedTuple):
    """Names of formats for keys and for values; None is what is usual for the topic."""

    key: str | None = None
    value: str | None = None

    def of(self, part: str) -> str | None:
        return self.key if part == "key" else self.value


class Made(NamedTuple):
    """What formats made of the keys and values of some records, by part and place."""

    names: Mapping[str, str]
    """The format of each part that has one."""
    outcomes: Mapping[tuple[str, int, int], Outcome]
    """By part, partition and offset."""

    def of(self, record: ConsumerRecord, part: str) -> tuple[str, Outcome] | None:
        found = self.outcomes.get((part, record.partition, record.offset))
        return None if found is None else (self.names[part], found)


NOTHING: Final = Made({}, {})


class Formats:
    """All of one console, whatever its clusters and users."""

    def __init__(self, declared: Iterable[Declared] = (), *, must_load: bool = True) -> None:
        """Where they need not load, what cannot be is left out, with a line in the log."""
        self.offers: Sequence[Offer] = ()
        self._declared = tuple(declared)
        self._must_load = must_load
        self._processes: dict[str, FormatProcesses] = {}

    async def start(self, tasks: Tasks) -> None:
        """Load them, each in a process of its own; `SettingError` where one cannot be."""
        found: list[Offer] = []
        for one in self._declared:
            processes = FormatProcesses(one, tasks)
            self._processes[one.name] = processes
            try:
                ensure_name(one)
                found.append(await processes.load())
            except MoldauError as error:
                if self._must_load:
                    raise
                log.warning("The console is without a format: %s", error)
        self.offers = found

    async def close(self) -> None:
        for processes in self._processes.values():
            await processes.close()

    def ensure_known(self, part: str, name: str | None) -> None:
        """`FormatError` for a name that is not there for this part."""
        known = [*AS_IT_IS, *PLAIN, *(one.name for one in self.offers if part in one.parts)]
        if name is not None and name not in known:
            raise FormatError(f"{part}_format is one of {', '.join(known)}, and not {name}")

    async def made(self, topic: str, records: Sequence[ConsumerRecord], chosen: Chosen) -> Made:
        """Of the records of one topic."""
        if not self.offers or not records:
            return NOTHING
        names: dict[str, str] = {}
        outcomes: dict[tuple[str, int, int], Outcome] = {}
        for part in PARTS:
            offer = format_for(self.offers, topic, part, chosen.of(part))
            if offer is not None:
                names[part] = offer.name
                outcomes |= await self._made_of(offer, topic, records, part)
        return Made(names, outcomes)

    async def _made_of(
        self, offer: Offer, topic: str, records: Sequence[ConsumerRecord], part: str
    ) -> dict[tuple[str, int, int], Outcome]:
        given = {(part, one.partition, one.offset): getattr(one, part) for one in records}
        given = {place: bytes(data) for place, data in given.items() if data is not None}
        found = await self._processes[offer.name].decoded(topic, list(given.values()))
        return dict(zip(given, found, strict=True))

    def encodes(self, name: str, part: str) -> bool:
        """Whether there is such a format of users, whose records can be sent."""
        return any(one.name == name and one.encodes and part in one.parts for one in self.offers)

    async def encoded(self, name: str, topic: str, text: str) -> bytes:
        """`FormatError` where it fails."""
        found = await self._processes[name].encoded(topic, text)
        if found.data is None:
            raise FormatError(found.reason or "")
        return found.data

    def listed(self) -> list[dict[str, Any]]:
        """As the API has them."""
        return [
            {
                "name": one.name,
                "topics": one.topics,
                "parts": list(one.parts),
                "encodes": one.encodes,
            }
            for one in self.offers
        ]
