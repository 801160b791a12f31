"""What one chunk has for a consumer: which of its records are returned next.

    take(count)        → records, and the position is behind them
    take_all()         → all that is left, as a chunk
    put_back(offset)   → what was returned last comes again from there on

A batch that is spoiled stays in front: all before it is returned first, and then every take raises
the error until the consumer goes on elsewhere. So nothing is passed by that the user did not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from moldau.client.core.consuming.record import ConsumerRecord
from moldau.client.core.consuming.records import records_of
from moldau.client.core.fetching.chunk import Chunk
from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import NO_LEADER_EPOCH

__all__ = ["Unread"]


class Unread:
    """The records of a chunk that have not been returned yet."""

    def __init__(
        self, chunk: Chunk, *, check_checksums: bool, epoch: int = NO_LEADER_EPOCH
    ) -> None:
        """`epoch` is the leader epoch of the record before the chunk."""
        self._check_checksums = check_checksums
        self._epoch_before = self.epoch = epoch
        """`epoch` is that of the record before the position."""
        self._begin(chunk)

    def _begin(self, chunk: Chunk) -> None:
        self.chunk = chunk
        self.position = chunk.start
        """The offset of what is returned next."""
        self.is_over = False
        """Whether all of it was returned."""
        self._batches: Iterator[list[ConsumerRecord]] = records_of(
            chunk, check_checksums=self._check_checksums
        )
        self._ready: list[ConsumerRecord] = []
        self._returned: list[ConsumerRecord] = []
        self._error: CorruptRecordError | None = None

    def __repr__(self) -> str:
        return f"<Unread {self.chunk.part}: from {self.position} to {self.chunk.end}>"

    def take(self, count_max: int) -> list[ConsumerRecord]:
        """At most so many; fewer where that was the last of it, or a spoiled batch is next."""
        found = self._ready
        while len(found) < count_max and self._error is None:
            try:
                more = next(self._batches, None)
            except CorruptRecordError as error:
                self._error = error
                break
            if more is None:
                break
            found += more
        if self._error is not None and not found:
            raise self._error
        self._ready = found[count_max:]
        self.is_over = len(found) < count_max and self._error is None
        del found[count_max:]
        if self.is_over:
            self.position, self.epoch = self.chunk.end, self.chunk.last_epoch
        else:
            self.position, self.epoch = found[-1].offset + 1, found[-1].leader_epoch
        self._returned = found
        return found

    def take_all(self) -> Chunk:
        """Take all that is left."""
        rest = replace(self.chunk, start=self.position)
        self._ready, self._returned = [], []
        self.position, self.is_over = self.chunk.end, True
        self.epoch = self.chunk.last_epoch
        return rest

    def put_back(self, offset: int) -> None:
        """The user has not taken what was returned last from this offset on."""
        before = self.chunk.epoch_before(offset)
        self.epoch = self._epoch_before if before == NO_LEADER_EPOCH else before
        rest = [record for record in self._returned if record.offset >= offset]
        if not rest:
            self._begin(replace(self.chunk, start=offset))
            return
        self._ready[:0] = rest
        self._returned = []
        self.position, self.is_over = offset, False
