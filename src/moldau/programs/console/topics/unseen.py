"""Which records consumers with `read_committed` do not see: the aborted ones, and those that wait.

Below the last stable offset of a partition each transaction has ended. A fetch of committed records
brings the batches of aborted transactions along, and names them. From that offset on everything
waits for the transaction that is open there, whatever wrote it.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import Final, NamedTuple

from moldau.client import ConsumerRecord, TopicPartition
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.core.fetching.reading import ENDLESS
from moldau.programs.console.topics.places import Offsets
from moldau.protocol.records.batch import iterate_batches, read_header

__all__ = ["ABORTED", "COMMITTED", "WAITING", "Range", "Unseen"]

COMMITTED: Final = "read_committed"
UNCOMMITTED: Final = "read_uncommitted"
ABORTED: Final = "aborted"
WAITING: Final = "waiting"


class Range(NamedTuple):
    """Offsets that are read in one way."""

    start: int
    end: int
    isolation: str


class Unseen:
    """What was found out while a page was read."""

    def __init__(self, stable: Offsets) -> None:
        self._stable = stable
        """Last stable offsets."""
        self._aborted: dict[int, list[tuple[int, int]]] = {}
        """By partition: first offsets of batches, and the offsets after their last ones, sorted."""

    def ranges(self, part: TopicPartition, start: int, end: int) -> list[Range]:
        """What is decided, and what waits."""
        border = min(max(self._stable[part], start), end)
        found = (Range(start, border, COMMITTED), Range(border, end, UNCOMMITTED))
        return [one for one in found if one.start < one.end]

    def whole(self, chunk: Chunk) -> Chunk:
        """The same with the records of aborted transactions, whose batches are noted."""
        if not chunk.void:
            return chunk
        noted = self._aborted.setdefault(chunk.part.partition, [])
        for batch in iterate_batches(chunk.records):
            header = read_header(batch)
            if header.base_offset in chunk.void:
                insort(noted, (header.base_offset, header.next_offset))
        return Chunk(chunk.part, chunk.records, chunk.start, chunk.end)

    def of(self, record: ConsumerRecord) -> str | None:
        """Why it is not seen; None for one that is."""
        if record.offset >= self._stable[TopicPartition(record.topic, record.partition)]:
            return WAITING
        noted = self._aborted.get(record.partition, [])
        at = bisect_right(noted, (record.offset, ENDLESS))
        return ABORTED if at and record.offset < noted[at - 1][1] else None
