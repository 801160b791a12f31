"""Where reads start and end, asked of the cluster, and the error when records are gone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from moldau.client import TopicPartition
from moldau.spark.errors import DataLossError, OptionError
from moldau.spark.options import EARLIEST, LATEST, Bound, SourceOptions, Subscription

Offsets = dict[TopicPartition, int]


class Cluster(Protocol):
    """What is asked of a connection."""

    def topics(self, pattern: re.Pattern[str] | None = None) -> dict[str, list[int]]: ...
    def partitions(self, topics: Iterable[str]) -> dict[str, list[int]]: ...
    def earliest(self, parts: Iterable[TopicPartition]) -> Offsets: ...
    def latest(
        self, parts: Iterable[TopicPartition], *, isolation: str | None = None
    ) -> Offsets: ...
    def at_time(
        self, parts_to_ms: Mapping[TopicPartition, int]
    ) -> dict[TopicPartition, int | None]: ...


Connect = Callable[[Mapping[str, str]], Cluster]
"""From settings to the cluster."""


class Positions:
    """Looks up offsets for one query."""

    def __init__(self, cluster: Cluster, options: SourceOptions) -> None:
        self._cluster = cluster
        self._options = options

    def partitions(self) -> list[TopicPartition]:
        """What the query reads, as the cluster is now."""
        wanted: Subscription = self._options.subscription
        if wanted.parts:
            return self._assigned(wanted.parts)
        if wanted.pattern:
            found = self._cluster.topics(re.compile(wanted.pattern))
        else:
            found = self._cluster.partitions(wanted.topics)
        return sorted(TopicPartition(topic, at) for topic, all_ in found.items() for at in all_)

    def _assigned(self, parts: tuple[TopicPartition, ...]) -> list[TopicPartition]:
        there = self._cluster.partitions(sorted({part.topic for part in parts}))
        for part in parts:
            if part.partition not in there[part.topic]:
                raise OptionError(
                    f"assign names partition {part.partition} of {part.topic}, which has"
                    f" {len(there[part.topic])}: partitions are counted from 0"
                )
        return list(parts)

    def earliest(self, parts: Iterable[TopicPartition]) -> Offsets:
        """The first offset that is left of each."""
        return self._cluster.earliest(parts)

    def latest(self, parts: Iterable[TopicPartition]) -> Offsets:
        """The offset after the last of each that this query may see."""
        return self._cluster.latest(parts, isolation=self._options.isolation)

    def starting(self, parts: list[TopicPartition]) -> Offsets:
        """Where a new query begins."""
        otherwise = self._start_of_late if self._options.or_latest else self._refuse_late
        return self._offsets(parts, self._options.starting, "startingOffsets", otherwise)

    def ending(self, parts: list[TopicPartition]) -> Offsets:
        """Where a batch read ends."""
        return self._offsets(parts, self._options.ending, "endingOffsets", self._start_of_late)

    def _offsets(
        self, parts: list[TopicPartition], bound: Bound, name: str, late: Callable[[Offsets], None]
    ) -> Offsets:
        if bound.time_ms is not None:
            return self._at_times(dict.fromkeys(parts, bound.time_ms), late)
        if bound.times_ms is not None:
            return self._at_times(_of_each(parts, bound.times_ms, name), late)
        if bound.offsets is not None:
            return self._resolved(_of_each(parts, bound.offsets, name))
        return self._resolved(dict.fromkeys(parts, LATEST if bound.word is None else bound.word))

    def _resolved(self, offsets: Offsets) -> Offsets:
        """With words in place of offsets looked up."""
        firsts = [part for part, at in offsets.items() if at == EARLIEST]
        lasts = [part for part, at in offsets.items() if at == LATEST]
        found = dict(offsets)
        if firsts:
            found |= self.earliest(firsts)
        if lasts:
            found |= self.latest(lasts)
        return found

    def _at_times(self, times: Offsets, late: Callable[[Offsets], None]) -> Offsets:
        found = self._cluster.at_time(times)
        beyond = {part: times[part] for part, offset in found.items() if offset is None}
        if beyond:
            late(beyond)
        ends = self.latest(beyond) if beyond else {}
        return {part: ends[part] if at is None else at for part, at in found.items()}

    def _start_of_late(self, times: Offsets) -> None:
        """A time after the last record is the end of the partition."""

    def _refuse_late(self, times: Offsets) -> None:
        part, time_ms = next(iter(times.items()))
        raise OptionError(
            f"{part.topic}-{part.partition} has no record at or after {time_ms}: start earlier, or"
            " set startingOffsetsByTimestampStrategy to latest"
        )


def _of_each(
    parts: list[TopicPartition], given: Mapping[TopicPartition, int], name: str
) -> Offsets:
    """What is given for each of the partitions, which has to be all of them and no other."""
    if set(given) != set(parts):
        missing = sorted(set(parts) - set(given))
        beyond = sorted(set(given) - set(parts))
        wrong = f"leaves out {_listed(missing)}" if missing else f"names {_listed(beyond)}"
        raise OptionError(f"{name} {wrong}: name every partition that is read, and no other")
    return {part: given[part] for part in parts}


def _listed(parts: list[TopicPartition]) -> str:
    return ", ".join(f"{part.topic}-{part.partition}" for part in parts)


def ensure_nothing_lost(start: Offsets, earliest: Offsets) -> None:
    """Refuse to go on where the cluster has deleted what comes next."""
    for part, offset in start.items():
        first = earliest.get(part)
        if first is None:
            raise DataLossError(
                f"{part.topic}-{part.partition} is gone, and the query was at offset {offset} of"
                f" it: {REMEDY}"
            )
        if first > offset:
            raise DataLossError(
                f"{part.topic}-{part.partition} begins at offset {first} and the query was at"
                f" {offset}: {first - offset} offsets were deleted before they were read;"
                f" {REMEDY}"
            )


def ensure_all_there(end: Offsets, latest: Offsets) -> None:
    """Refuse to read up to an offset that the cluster does not have."""
    for part, offset in end.items():
        if offset > latest[part]:
            raise DataLossError(
                f"{part.topic}-{part.partition} ends at offset {latest[part]} and endingOffsets"
                f" names {offset}: name one that is there, or {REMEDY}"
            )


REMEDY = "set failOnDataLoss to false to go on without these records"
