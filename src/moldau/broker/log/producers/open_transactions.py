"""The transactions of one partition that hold readers of committed data back.

A transaction is open from its first record to its marker, and unreplicated from there until the
marker lies below the high watermark: only then can no change of leader take the decision back. The
smallest first offset among both is the first unstable offset.

Transactions begin in log order, so open ones are added, and found, in that order. They end in any
order: the unreplicated ones leave by their markers, and count by their first offsets.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from heapq import heappop, heappush
from typing import NamedTuple

from moldau.broker.log.segment.transaction_index import AbortedTransaction


class CompletedTransaction(NamedTuple):
    """A transaction that a marker has just closed."""

    producer_id: int
    first_offset: int
    last_offset: int
    """The marker's."""
    is_aborted: bool
    last_stable_offset: int
    """As of the marker: the next open transaction's start, or what follows the marker."""

    def as_aborted(self) -> AbortedTransaction:
        """The entry for the transaction index."""
        return AbortedTransaction(
            self.producer_id, self.first_offset, self.last_offset, self.last_stable_offset
        )


class OpenTransactions:
    """Those that are open, and those whose end is not replicated."""

    __slots__ = ("_ongoing", "_unreplicated", "_unreplicated_firsts")

    def __init__(self) -> None:
        self._ongoing: OrderedDict[int, int] = OrderedDict()
        """First offset → producer id."""
        self._unreplicated: OrderedDict[int, int] = OrderedDict()
        """First offset → the marker's, in the order of the markers."""
        self._unreplicated_firsts: list[int] = []
        """A heap of the same first offsets; its top is never one that is replicated."""

    def __len__(self) -> int:
        return len(self._ongoing)

    def __repr__(self) -> str:
        return f"OpenTransactions({dict(self._ongoing)}, unreplicated {dict(self._unreplicated)})"

    @property
    def first_undecided_offset(self) -> int | None:
        """Where the oldest open one began."""
        return next(iter(self._ongoing), None)

    @property
    def first_unstable_offset(self) -> int | None:
        """The smallest first offset that is open or not yet replicated with its marker."""
        undecided = next(iter(self._ongoing), None)
        unreplicated = self._unreplicated_firsts[0] if self._unreplicated_firsts else None
        if undecided is None or unreplicated is None:
            return unreplicated if undecided is None else undecided
        return min(undecided, unreplicated)

    @property
    def oldest_producer_id(self) -> int | None:
        """Whose transaction has been open longest."""
        return next(iter(self._ongoing.values()), None)

    def open(self, first_offset: int, producer_id: int) -> None:
        self._ongoing[first_offset] = producer_id

    def close(
        self, first_offset: int, marker_offset: int, is_aborted: bool
    ) -> CompletedTransaction:
        """A marker ends the one that began at `first_offset`."""
        producer_id = self._ongoing.pop(first_offset)
        self._unreplicated[first_offset] = marker_offset
        heappush(self._unreplicated_firsts, first_offset)
        still_open = self.first_undecided_offset
        stable_offset = marker_offset + 1 if still_open is None else still_open
        return CompletedTransaction(
            producer_id, first_offset, marker_offset, is_aborted, stable_offset
        )

    def replicated_up_to(self, offset: int) -> None:
        """Markers below `offset` cannot be taken back."""
        while self._unreplicated and next(iter(self._unreplicated.values())) < offset:
            self._unreplicated.popitem(last=False)
        while self._unreplicated_firsts and self._unreplicated_firsts[0] not in self._unreplicated:
            heappop(self._unreplicated_firsts)

    def reload(self, opened: Iterable[tuple[int, int]]) -> None:
        """Begin anew with these pairs of first offset and producer id."""
        self._ongoing = OrderedDict(sorted(opened))
        self._unreplicated.clear()
        self._unreplicated_firsts.clear()
