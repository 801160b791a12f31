"""Which records a consumer returns next, and where that leaves it.

begin(chunk)        what a partition has sent; its records are returned from now on
take, take_all      the next records, or all that is left: the position is behind them
put_back(offset)    what was returned last comes again from there on
forget(parts)       they are not read any more, or from elsewhere
"""

from __future__ import annotations

from collections.abc import Collection

from moldau.client.core.consuming.places import Places
from moldau.client.core.consuming.record import ConsumerRecord
from moldau.client.core.consuming.unread import Unread
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.topic_partition import TopicPartition

__all__ = ["Returned"]


class Returned:
    """One chunk at a time, of whichever partition had one."""

    def __init__(self, places: Places, *, check_checksums: bool) -> None:
        self._places = places
        self._check_checksums = check_checksums
        self._unread: Unread | None = None
        """Of the chunk that was returned last, or a part of it."""

    def __repr__(self) -> str:
        return f"<Returned: {self._unread}>"

    @property
    def has_more(self) -> bool:
        return self._unread is not None and not self._unread.is_over

    def begin(self, chunk: Chunk) -> None:
        place = self._places.places[chunk.part]
        self._unread = Unread(chunk, check_checksums=self._check_checksums, epoch=place.epoch)
        place.position = chunk.start

    def take(self, count_max: int) -> list[ConsumerRecord]:
        """None of them where their partition has gone meanwhile."""
        unread = self._unread
        if unread is None:
            return []
        found = unread.take(count_max)
        self._places.places[unread.chunk.part].advance(unread.position, unread.epoch)
        return found

    def take_all(self) -> Chunk | None:
        """As a chunk."""
        if self._unread is None:
            return None
        rest = self._unread.take_all()
        self._places.places[rest.part].advance(rest.end, rest.last_epoch)
        return rest

    def put_back(self, offset: int) -> None:
        """Nothing where its partition has gone."""
        unread = self._unread
        place = None if unread is None else self._places.places.get(unread.chunk.part)
        if unread is not None and place is not None:
            unread.put_back(offset)
            place.advance(offset, unread.epoch)

    def forget(self, parts: Collection[TopicPartition]) -> None:
        if self._unread is not None and self._unread.chunk.part in parts:
            self._unread = None
