"""Where a consumer is in each of its partitions.

position   the next record that is returned
consumed   the next one after those that the user is done with: what was returned is done with
           when more is asked for
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.client.core.fetching.reading import Reading
from moldau.client.topic_partition import TopicPartition

__all__ = ["Place", "Places"]


class Place:
    """A consumer's position in one partition."""

    __slots__ = ("consumed", "is_paused", "part", "position", "reading", "seek_time")

    def __init__(self, part: TopicPartition) -> None:
        self.part = part
        self.position: int | None = None
        """None until it is known where to begin."""
        self.consumed: int | None = None
        self.is_paused = False
        self.seek_time: int | None = None
        """A time or a place of the log to begin at, instead of what was committed."""
        self.reading: Reading | None = None

    def __repr__(self) -> str:
        return f"<Place {self.part} at {self.position}>"

    def move(self, position: int) -> None:
        """Go on from here, by the user's `seek`."""
        self.position = self.consumed = position
        self.seek_time = None


class Places:
    """A consumer's positions in all its partitions."""

    def __init__(self) -> None:
        self.places: dict[TopicPartition, Place] = {}
        self.committed: dict[TopicPartition, int] = {}
        """What is known to be kept for the group."""

    def __repr__(self) -> str:
        return f"<Places in {len(self.places)} partitions>"

    def add(self, parts: Iterable[TopicPartition]) -> None:
        for part in sorted(parts):
            self.places.setdefault(part, Place(part))

    def remove(self, parts: Iterable[TopicPartition]) -> list[Place]:
        """Remove these; returns those that were there."""
        found = [self.places.pop(part) for part in parts if part in self.places]
        for place in found:
            self.committed.pop(place.part, None)
        return found

    def unknown(self) -> list[Place]:
        """Those of which it is not known where to begin."""
        return [place for place in self.places.values() if place.position is None]

    def consume(self) -> None:
        """The user is done with everything that was returned."""
        for place in self.places.values():
            place.consumed = place.position

    def uncommitted(
        self, parts: Iterable[TopicPartition] | None = None
    ) -> dict[TopicPartition, int]:
        """What may be committed, and is not yet."""
        wanted = self.places if parts is None else parts
        found = ((part, self.places[part].consumed) for part in wanted if part in self.places)
        return {
            part: consumed
            for part, consumed in found
            if consumed is not None and self.committed.get(part) != consumed
        }
