"""Runs of offsets that share a fate, in order and without holes.

                 acquire                     accept
    AVAILABLE ──────────────► ACQUIRED ────────────────► ACKNOWLEDGED
        ▲                      │  │ ▲                     (settled)
        │  release, time is up │  │ └ renew
        └──────────────────────┘  │ reject, gap, or too many deliveries
                                  └────────────────────► ARCHIVED (settled)

A change that was asked for by a member is shown at once and counts when it is stored: until then
the run is *in transition* and keeps what it was, so that it can be put back.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from enum import IntEnum

from moldau.platform.quick_dataclass import dataclass

NO_MEMBER = ""
NO_TRANSITION = 0


class RecordState(IntEnum):
    """By the numbers that are stored."""

    AVAILABLE = 0
    ACQUIRED = 1
    ACKNOWLEDGED = 2
    ARCHIVED = 4

    @property
    def is_settled(self) -> bool:
        return self in (RecordState.ACKNOWLEDGED, RecordState.ARCHIVED)


@dataclass(slots=True)
class Run:
    """Offsets from the first to the last, both included."""

    first_offset: int
    last_offset: int
    state: RecordState
    delivery_count: int
    member_id: str = NO_MEMBER
    """The member that has acquired it, if one has."""
    lock_until_ms: int = 0
    """How long, if it is acquired."""
    origin_count: int = 0
    """How many records were handed out together with these the first time."""
    transition: int = NO_TRANSITION
    """The number of the change that is not stored yet."""

    @property
    def count(self) -> int:
        return self.last_offset - self.first_offset + 1

    @property
    def is_free(self) -> bool:
        """Whether it may be handed out."""
        return self.state is RecordState.AVAILABLE and self.transition == NO_TRANSITION

    @property
    def is_settled(self) -> bool:
        """Whether it is never acquired again, and that is stored."""
        return self.state.is_settled and self.transition == NO_TRANSITION

    def settle(self, state: RecordState) -> None:
        """It has no holder from now on."""
        self.state = state
        self.member_id = NO_MEMBER
        self.transition = NO_TRANSITION


class Runs:
    """Neighbouring runs; what is asked about part of a run cuts it first."""

    def __init__(self, runs: list[Run] | None = None) -> None:
        self._runs = runs or []

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    def __len__(self) -> int:
        return len(self._runs)

    def __repr__(self) -> str:
        return f"Runs({self._runs})"

    def append(self, run: Run) -> None:
        """Behind the last one."""
        assert not self._runs or self._runs[-1].last_offset + 1 == run.first_offset
        self._runs.append(run)

    def within(self, first_offset: int, last_offset: int) -> list[Run]:
        """The runs of exactly these offsets, as far as there are any."""
        if not self._runs or first_offset > last_offset:
            return []
        begin = self._cut_before(first_offset)
        return self._runs[begin : self._cut_before(last_offset + 1)]

    def touching(self, first_offset: int, last_offset: int) -> list[Run]:
        """The runs that have some of these offsets, uncut."""
        begin = max(0, self._index_of(first_offset))
        return [run for run in self._runs[begin : self._index_of(last_offset) + 1]
                if run.last_offset >= first_offset]  # fmt: skip

    def drop_below(self, offset: int) -> None:
        """Forget all before this offset."""
        del self._runs[: self._cut_before(offset)]

    def drop_settled(self) -> None:
        """Forget the first runs, as far as they are settled."""
        count = 0
        while count < len(self._runs) and self._runs[count].is_settled:
            count += 1
        del self._runs[:count]

    @property
    def first_offset(self) -> int | None:
        return self._runs[0].first_offset if self._runs else None

    def _index_of(self, offset: int) -> int:
        return bisect_right(self._runs, offset, key=lambda run: run.first_offset) - 1

    def _cut_before(self, offset: int) -> int:
        """Let a run begin at this offset; returns its index, or how many runs are before it."""
        index = self._index_of(offset)
        if index < 0:
            return 0
        run = self._runs[index]
        if run.first_offset == offset:
            return index
        if run.last_offset >= offset:
            self._runs.insert(index + 1, replace(run, first_offset=offset))
            run.last_offset = offset - 1
        return index + 1
