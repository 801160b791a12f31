"""The segments of one log, sorted by base offset."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from moldau.broker.log.segment.segment import Segment


class Segments:
    """A sorted map from base offset to segment; the last one is the active one."""

    def __init__(self) -> None:
        self._bases: list[int] = []
        self._segments: list[Segment] = []

    def __len__(self) -> int:
        return len(self._segments)

    def __iter__(self) -> Iterator[Segment]:
        """In order; changes during the iteration are not seen."""
        return iter(tuple(self._segments))

    def __repr__(self) -> str:
        return f"Segments({self._bases})"

    @property
    def first(self) -> Segment:
        return self._segments[0]

    @property
    def active(self) -> Segment:
        return self._segments[-1]

    @property
    def base_offsets(self) -> tuple[int, ...]:
        return tuple(self._bases)

    @property
    def size(self) -> int:
        """Bytes of all `.log` files."""
        return sum(segment.size for segment in self._segments)

    def add(self, segment: Segment) -> None:
        """Put it in its place; one with the same base offset is replaced."""
        index = bisect_left(self._bases, segment.base_offset)
        if index < len(self._bases) and self._bases[index] == segment.base_offset:
            self._segments[index] = segment
            return
        self._bases.insert(index, segment.base_offset)
        self._segments.insert(index, segment)

    def remove(self, segment: Segment) -> None:
        """Take it out, if it and no other is there."""
        index = bisect_left(self._bases, segment.base_offset)
        if index < len(self._bases) and self._segments[index] is segment:
            del self._bases[index], self._segments[index]

    def get(self, base_offset: int) -> Segment | None:
        index = bisect_left(self._bases, base_offset)
        found = index < len(self._bases) and self._bases[index] == base_offset
        return self._segments[index] if found else None

    def floor(self, offset: int) -> Segment | None:
        """The one that holds `offset` if any does: the last that does not begin after it."""
        index = bisect_right(self._bases, offset)
        return self._segments[index - 1] if index else None

    def after(self, segment: Segment) -> Segment | None:
        """The next one."""
        index = bisect_right(self._bases, segment.base_offset)
        return self._segments[index] if index < len(self._segments) else None

    def starting_at_floor(self, offset: int) -> list[Segment]:
        """The one that may hold `offset` and all that follow."""
        return self._segments[max(0, bisect_right(self._bases, offset) - 1) :]

    def based_above(self, offset: int) -> list[Segment]:
        """Those that begin after `offset`."""
        return self._segments[bisect_right(self._bases, offset) :]

    def end_of(self, segment: Segment, log_end_offset: int) -> int:
        """The offset before which all its records lie."""
        following = self.after(segment)
        return log_end_offset if following is None else following.base_offset
