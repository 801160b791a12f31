"""Where a consumer is in each of its partitions.

position   the next record that is returned
consumed   the next one after those that the user is done with: what was returned is done with
           when more is asked for

Beside both stands the leader epoch of the record before them, as it was read: it is committed with
the offset, and goes with the next fetch, so that a leader who lost what was read shows it
(KIP-320).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.client.core.committed_offset import CommittedOffset, epoch_or_none
from moldau.client.core.fetching.reading import ENDLESS, Reading
from moldau.client.errors import InvalidArgumentError
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.records.batch import NO_LEADER_EPOCH

__all__ = ["Place", "Places"]


class Place:
    """A consumer's position in one partition."""

    __slots__ = (
        "consumed", "consumed_epoch", "epoch", "is_paused", "part", "position", "reading",
        "seek_time", "topic_id",
    )  # fmt: skip

    def __init__(self, part: TopicPartition) -> None:
        self.part = part
        self.position: int | None = None
        """None until it is known where to begin."""
        self.epoch = NO_LEADER_EPOCH
        """Of the record before the position, where that was read."""
        self.consumed: int | None = None
        self.consumed_epoch = NO_LEADER_EPOCH
        self.is_paused = False
        self.seek_time: int | None = None
        """A time or a place of the log to begin at, instead of what was committed."""
        self.reading: Reading | None = None
        self.topic_id: bytes | None = None
        """Of the topic in which the position is, once it was read there."""

    def __repr__(self) -> str:
        return f"<Place {self.part} at {self.position}>"

    def move(self, position: int, epoch: int = NO_LEADER_EPOCH) -> None:
        """Go on from here, by the user's `seek` or where the group was."""
        self.position = self.consumed = position
        self.epoch = self.consumed_epoch = epoch
        self.seek_time = self.topic_id = None

    def seek(self, time: int) -> None:
        """Go on at a time or a place of the log, once it has been looked up."""
        self.position = self.consumed = None
        self.seek_time = time

    @property
    def read_in(self) -> bytes | None:
        """The id of the topic in which the position is, where that is known."""
        return self.topic_id if self.reading is None else self.reading.topic_id

    def begin_reading(self, max_bytes: int) -> Reading:
        """From the position on, for ever."""
        assert self.position is not None, "it has to be known where to begin"
        self.reading = Reading(self.part, self.position, ENDLESS, max_bytes)
        self.reading.last_epoch, self.reading.topic_id = self.epoch, self.topic_id
        return self.reading

    def end_reading(self) -> None:
        """The position stays one in the topic that was read."""
        self.topic_id, self.reading = self.read_in, None

    def advance(self, position: int, epoch: int) -> None:
        """What is before the position was returned, or has been put back."""
        self.position, self.epoch = position, epoch


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

    def wanted(self) -> dict[TopicPartition, int | None]:
        """The times or places to begin at where that is not known; None: where the group was."""
        return {place.part: place.seek_time for place in self.unknown()}

    def begin_at(
        self,
        wanted: Mapping[TopicPartition, int | None],
        found: Mapping[TopicPartition, CommittedOffset],
    ) -> None:
        """What was wanted has been found; where the user has sought meanwhile it has no say."""
        for place in self.unknown():
            if place.part in wanted and place.seek_time == wanted[place.part]:
                place.move(found[place.part].offset, found[place.part].wire_epoch)

    def at(self, part: TopicPartition) -> Place:
        """Of a partition that is read here."""
        place = self.places.get(part)
        if place is None:
            raise InvalidArgumentError(f"{part} is not assigned to this consumer")
        return place

    def readable(self) -> list[Place]:
        """Those that may be read, and are not."""
        return [one for one in self.places.values() if one.reading is None and not one.is_paused]

    def consume(self) -> None:
        """The user is done with everything that was returned."""
        for place in self.places.values():
            place.consumed, place.consumed_epoch = place.position, place.epoch

    def uncommitted(
        self, parts: Iterable[TopicPartition] | None = None
    ) -> dict[TopicPartition, CommittedOffset]:
        """What may be committed, and is not yet."""
        wanted = self.places if parts is None else parts
        found = (self.places[part] for part in wanted if part in self.places)
        return {
            place.part: CommittedOffset(place.consumed, epoch_or_none(place.consumed_epoch))
            for place in found
            if place.consumed is not None and self.committed.get(place.part) != place.consumed
        }

    def read_in(self, parts: Iterable[TopicPartition]) -> dict[TopicPartition, bytes]:
        """The ids of the topics in which these were read, where they are known."""
        places = (self.places[part] for part in parts if part in self.places)
        return {place.part: place.read_in for place in places if place.read_in is not None}
