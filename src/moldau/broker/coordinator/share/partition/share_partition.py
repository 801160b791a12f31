"""Who has which records of a share partition, and what becomes of them.

    acquire      hand out what is available; the locks begin
    acknowledge  a member reports how it went         ─► Transition: store it, then `settle`
    release      a member has gone                    ─► Transition: store it, then `settle`
    expire       locks whose time is up               ─► Write: store it, come what may
    start_from   the log was cut off at its beginning

Invariants: no offset is held by two members; a delivery count never exceeds its limit; the start
only grows. An acknowledgement counts when it is stored; if it cannot be, all is as before, and the
lock runs on.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import field

from moldau.broker.coordinator.share.partition.limits import ShareLimits
from moldau.broker.coordinator.share.partition.runs import (
    NO_MEMBER,
    NO_TRANSITION,
    RecordState,
    Run,
    Runs,
)
from moldau.broker.coordinator.share.state_batches import StateBatch
from moldau.platform.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Write:
    """What has to be stored."""

    start_offset: int
    delivery_complete_count: int
    state_batches: tuple[StateBatch, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What is to become of a run, and which member had acquired it, until when."""

    state_batch: StateBatch
    member_id: str
    lock_until_ms: int


@dataclass(slots=True)
class Transition:
    """A change that counts once it is stored."""

    number: int
    changes: list[Change] = field(default_factory=list)

    @property
    def state_batches(self) -> tuple[StateBatch, ...]:
        return tuple(change.state_batch for change in self.changes)


class SharePartition:
    """One partition of a topic, for one group."""

    def __init__(
        self,
        start_offset: int,
        limits: Callable[[], ShareLimits],
        state_batches: Iterable[StateBatch] = (),
    ) -> None:
        self.limits = limits
        self.start_offset = start_offset
        self.end_offset = start_offset
        """The first offset that was never acquired."""
        self.runs = Runs()
        self._locks: list[tuple[int, int, int]] = []
        """Until when, first and last offset; may be out of date."""
        self.timed_out_count = 0
        """Records that came back because their locks ended."""
        self._last_transition = NO_TRANSITION
        self._may_have_free = True
        self._load(state_batches)

    def __repr__(self) -> str:
        span = f"{self.start_offset} to {self.end_offset}"
        return f"SharePartition({span}, {len(self.runs)} runs)"

    def _load(self, state_batches: Iterable[StateBatch]) -> None:
        """What is stored; offsets in between that are not mentioned are available."""
        for one in state_batches:
            first_offset = max(one.first_offset, self.end_offset)
            if first_offset > one.last_offset:
                continue
            self.extend_to(first_offset - 1, RecordState.AVAILABLE, 0)
            self.extend_to(one.last_offset, RecordState(one.delivery_state), one.delivery_count)
        self.advance_start()

    # Where it stands.

    @property
    def next_fetch_offset(self) -> int:
        """From where the next records are read."""
        if self._may_have_free:
            for run in self.runs:
                if run.is_free:
                    return run.first_offset
            self._may_have_free = False
        return self.end_offset

    @property
    def in_flight_count(self) -> int:
        """How many offsets are between start and end, settled or not."""
        return self.end_offset - self.start_offset

    @property
    def can_acquire(self) -> bool:
        """Whether there is any use in reading."""
        if self.next_fetch_offset != self.end_offset:
            return True
        return self.in_flight_count < self.limits().locks_max

    @property
    def delivery_complete_count(self) -> int:
        """How many are settled behind the start, as far as it is known by now."""
        return sum(run.count for run in self.runs if run.state.is_settled)

    def write_of(self, state_batches: tuple[StateBatch, ...]) -> Write:
        return Write(self.start_offset, self.delivery_complete_count, state_batches)

    # Building blocks.

    def extend_to(self, last_offset: int, state: RecordState, delivery_count: int) -> Run | None:
        """A new run from the end on; None if it would be empty."""
        if last_offset < self.end_offset:
            return None
        count = last_offset - self.end_offset + 1
        run = Run(self.end_offset, last_offset, state, delivery_count, origin_count=count)
        self.runs.append(run)
        self.end_offset = last_offset + 1
        return run

    def lock(self, run: Run, member_id: str, now_ms: int) -> None:
        """It is this member's, for as long as a lock lasts from now."""
        run.state = RecordState.ACQUIRED
        run.member_id = member_id
        run.lock_until_ms = now_ms + self.limits().lock_ms
        heapq.heappush(self._locks, (run.lock_until_ms, run.first_offset, run.last_offset))

    def given_back(self, run: Run) -> RecordState:
        """What becomes of a run that its member did not acknowledge."""
        is_given_up = run.delivery_count >= self.limits().delivery_count_max
        return RecordState.ARCHIVED if is_given_up else RecordState.AVAILABLE

    def advance_start(self) -> None:
        """All that is settled at the beginning is behind us."""
        self.runs.drop_settled()
        first_offset = self.runs.first_offset
        self.start_offset = self.end_offset if first_offset is None else first_offset

    # Transitions.

    def begin_transition(self) -> Transition:
        self._last_transition += 1
        return Transition(self._last_transition)

    def change(self, transition: Transition, run: Run, state: RecordState) -> None:
        """One run of this transition; a run that goes back may have gone too often."""
        member_id, run.member_id = run.member_id, NO_MEMBER
        run.transition = transition.number
        run.state = self.given_back(run) if state is RecordState.AVAILABLE else state
        transition.changes.append(Change(state_batch_of(run), member_id, run.lock_until_ms))

    def settle(self, transition: Transition, *, is_stored: bool) -> None:
        """It is stored and counts; or it is not, and all is as before."""
        for change in transition.changes:
            for run in self.runs.touching(
                change.state_batch.first_offset, change.state_batch.last_offset
            ):
                if run.transition != transition.number:
                    continue
                run.transition = NO_TRANSITION
                if is_stored:
                    self._may_have_free |= run.state is RecordState.AVAILABLE
                else:
                    self._put_back(run, change.member_id, change.lock_until_ms)
        if is_stored:
            self.advance_start()

    def _put_back(self, run: Run, member_id: str, lock_until_ms: int) -> None:
        run.state = RecordState.ACQUIRED
        run.member_id = member_id
        run.lock_until_ms = lock_until_ms
        heapq.heappush(self._locks, (lock_until_ms, run.first_offset, run.last_offset))

    def release(self, member_id: str) -> Transition:
        """All that this member has."""
        transition = self.begin_transition()
        for run in self.runs:
            if run.state is RecordState.ACQUIRED and run.member_id == member_id:
                self.change(transition, run, RecordState.AVAILABLE)
        return transition

    # Time, and the log.

    def wake_at_ms(self) -> int | None:
        """When `expire` is wanted next."""
        return self._locks[0][0] if self._locks else None

    def expire(self, now_ms: int) -> Write | None:
        """Take back what was not acknowledged in time."""
        state_batches = []
        while self._locks and self._locks[0][0] <= now_ms:
            _, first_offset, last_offset = heapq.heappop(self._locks)
            for run in self.runs.touching(first_offset, last_offset):
                if run.state is RecordState.ACQUIRED and run.lock_until_ms <= now_ms:
                    run.settle(self.given_back(run))
                    self.timed_out_count += run.count
                    self._may_have_free = True
                    state_batches.append(state_batch_of(run))
        if not state_batches:
            return None
        write = self.write_of(tuple(state_batches))
        self.advance_start()
        return write

    def start_from(self, log_start_offset: int) -> None:
        """Records before this offset are gone, acquired or not."""
        if log_start_offset <= self.start_offset:
            return
        self.runs.drop_below(log_start_offset)
        self.end_offset = max(self.end_offset, log_start_offset)
        self.advance_start()

    def give_up(self, first_offset: int, last_offset: int, holder: str = NO_MEMBER) -> None:
        """These offsets, free or held by the holder, have no records to deliver."""
        for run in self.runs.within(first_offset, last_offset):
            is_held = run.state is RecordState.ACQUIRED and run.member_id == holder
            if run.is_free or is_held:
                run.settle(RecordState.ARCHIVED)


def state_batch_of(run: Run) -> StateBatch:
    """The state batch that stores a run."""
    return StateBatch(run.first_offset, run.last_offset, run.state, run.delivery_count)
