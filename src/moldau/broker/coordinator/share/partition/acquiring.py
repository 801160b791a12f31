"""Handing out records that were read (KIP-932, KIP-1206).

What was read begins at or before the offset that was asked for: batches are whole. Of all offsets
from there to the end of the last batch, those that are free are handed out, in order, and the
window between start and end offset never becomes wider than its limit; inside it, what was given
back can always go out again.

Two modes. *Batch optimized*: `max_records` is a wish, and the batch with the last wished-for record
goes out as a whole, so that no other member has to read it again. *Record limit*: it is a bound.

Offsets that were read over and have no batch were compacted away; they are settled at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from moldau.broker.coordinator.share.partition.runs import RecordState, Run
from moldau.broker.coordinator.share.partition.share_partition import SharePartition
from moldau.platform.quick_dataclass import dataclass


class Span(NamedTuple):
    """Offsets from the first to the last, both included: a batch."""

    first_offset: int
    last_offset: int


class Acquired(NamedTuple):
    """A range that is the member's now."""

    first_offset: int
    last_offset: int
    delivery_count: int


@dataclass(frozen=True, slots=True)
class Acquisition:
    """The member, how many it may have, and what was read."""

    member_id: str
    fetch_offset: int
    """From where it was read."""
    batches: Sequence[Span]
    """What was read, at least one."""
    max_records: int
    batch_size: int
    """How many records the member asks for in a range; a batch is never cut for it."""
    is_record_limit: bool = False
    aborted: Sequence[Span] = ()
    """Batches among them that are not delivered, because their transaction was aborted."""


def acquire(partition: SharePartition, wanted: Acquisition, now_ms: int) -> list[Acquired]:
    """What the member gets, in order of offsets; nothing if nothing is free."""
    partition.give_up(wanted.fetch_offset, wanted.batches[0].first_offset - 1)
    partition.advance_start()
    last_offset, count_max = _bounds(partition, wanted)
    if count_max <= 0:
        return []
    acquiring = _Acquiring(partition, wanted, now_ms, count_max)
    first_offset = max(wanted.batches[0].first_offset, partition.start_offset)
    acquiring.take_again(first_offset, last_offset)
    acquiring.take_new(first_offset, last_offset)
    return acquiring.without_aborted()


def _bounds(partition: SharePartition, wanted: Acquisition) -> tuple[int, int]:
    """The last offset that may go out, and how many may."""
    last_offset = wanted.batches[-1].last_offset
    room = partition.limits().locks_max - partition.in_flight_count
    if room > 0:
        return last_offset, min(wanted.max_records, room)
    inside = partition.end_offset - wanted.fetch_offset
    return min(last_offset, partition.end_offset - 1), min(wanted.max_records, inside)


class _Acquiring:
    """One acquisition on its way through the runs."""

    def __init__(
        self, partition: SharePartition, wanted: Acquisition, now_ms: int, count_max: int
    ) -> None:
        self._partition = partition
        self._wanted = wanted
        self._now_ms = now_ms
        self._room = count_max
        self._acquired: list[Acquired] = []

    def take_again(self, first_offset: int, last_offset: int) -> None:
        """What is between start and end, and free."""
        partition = self._partition
        limits = partition.limits()
        for run in partition.runs.within(first_offset, min(last_offset, partition.end_offset - 1)):
            if not run.is_free:
                continue
            if run.delivery_count >= limits.delivery_count_max:
                run.settle(RecordState.ARCHIVED)  # the limit was lowered
                continue
            portion = limits.portion(run.delivery_count, run.origin_count)
            if portion is not None and self._acquired:
                self._room = 0  # suspects go out alone
            if self._room <= 0:
                break
            self._take(run, portion)
            if portion is not None:
                self._room = 0
        partition.advance_start()

    def _take(self, run: Run, portion: int | None) -> None:
        """As much of a run as there is room for."""
        last_offset = self._last_of(run.first_offset, run.last_offset)
        if portion is not None:
            last_offset = min(last_offset, run.first_offset + portion - 1)
        for piece in self._partition.runs.within(run.first_offset, last_offset):
            piece.delivery_count += 1
            self._partition.lock(piece, self._wanted.member_id, self._now_ms)
            self._note(piece)

    def take_new(self, first_offset: int, last_offset: int) -> None:
        """What was not acquired so far; offsets before the first batch have no records."""
        partition = self._partition
        if last_offset < partition.end_offset or self._room <= 0:
            return
        partition.extend_to(first_offset - 1, RecordState.ARCHIVED, 0)
        partition.advance_start()
        last_offset = self._last_of(partition.end_offset, last_offset)
        for end in self._range_ends(partition.end_offset, last_offset):
            run = partition.extend_to(end, RecordState.AVAILABLE, 1)
            assert run is not None
            partition.lock(run, self._wanted.member_id, self._now_ms)
            self._acquired.append(Acquired(run.first_offset, run.last_offset, 1))

    def _range_ends(self, first_offset: int, last_offset: int) -> list[int]:
        """Where ranges end, so that each has no more batches than the member takes at a time."""
        ends = []
        if not self._wanted.is_record_limit:
            for batch in self._wanted.batches:
                is_inside = first_offset < batch.first_offset <= last_offset
                if is_inside and batch.first_offset - first_offset >= self._wanted.batch_size:
                    ends.append(batch.first_offset - 1)
                    first_offset = batch.first_offset
        return [*ends, last_offset]

    def _last_of(self, first_offset: int, last_offset: int) -> int:
        """The last offset to take: as many as there is room for, or to the end of that batch."""
        bound = first_offset + self._room - 1
        if bound >= last_offset:
            return last_offset
        if self._wanted.is_record_limit:
            return bound
        for batch in self._wanted.batches:
            if batch.first_offset <= bound <= batch.last_offset:
                return min(last_offset, batch.last_offset)
        return bound

    def _note(self, run: Run) -> None:
        """Neighbours that were handed out as often make one range."""
        self._room -= run.count
        last = self._acquired[-1] if self._acquired else None
        now = Acquired(run.first_offset, run.last_offset, run.delivery_count)
        if (
            last is not None
            and last.last_offset + 1 == now.first_offset
            and last.delivery_count == now.delivery_count
        ):
            now = last._replace(last_offset=now.last_offset)
            self._acquired.pop()
        self._acquired.append(now)

    def without_aborted(self) -> list[Acquired]:
        """What is left when batches of aborted transactions are taken out; these are settled."""
        acquired = self._acquired
        for batch in self._wanted.aborted:
            left: list[Acquired] = []
            for one in acquired:
                left += self._minus(one, batch)
            acquired = left
        self._partition.advance_start()
        return acquired

    def _minus(self, one: Acquired, batch: Span) -> list[Acquired]:
        first_offset = max(one.first_offset, batch.first_offset)
        last_offset = min(one.last_offset, batch.last_offset)
        if first_offset > last_offset:
            return [one]
        self._partition.give_up(first_offset, last_offset, holder=self._wanted.member_id)
        pieces = [one._replace(last_offset=first_offset - 1),
                  one._replace(first_offset=last_offset + 1)]  # fmt: skip
        return [piece for piece in pieces if piece.first_offset <= piece.last_offset]
