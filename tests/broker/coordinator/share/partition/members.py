"""Members at a share partition, and the log that it reads: as short as tests want to write it."""

from __future__ import annotations

from dataclasses import dataclass, field

from moldau.broker.coordinator.share.partition.acknowledging import Acknowledgement, acknowledge
from moldau.broker.coordinator.share.partition.acquiring import Acquired, Acquisition, Span, acquire
from moldau.broker.coordinator.share.partition.limits import ShareLimits
from moldau.broker.coordinator.share.partition.share_partition import (
    SharePartition,
    Transition,
    Write,
)
from moldau.broker.coordinator.share.state_batches import StateBatch, combine

NOW_MS = 1_000
ACCEPT, RELEASE, REJECT, RENEW = 1, 2, 3, 4


@dataclass
class Members:
    """A share partition over a log of batches of equal size, and what is stored of it."""

    limits: ShareLimits = field(default_factory=ShareLimits)
    batch_count: int = 10
    log_end_offset: int = 100
    now_ms: int = NOW_MS
    start_offset: int = 0
    state_batches: tuple[StateBatch, ...] = ()
    stored: list[Write] = field(default_factory=list)
    partition: SharePartition = field(init=False)

    def __post_init__(self) -> None:
        self.partition = SharePartition(self.start_offset, lambda: self.limits, self.state_batches)

    def take(
        self,
        member_id: str = "m",
        count: int = 500,
        *,
        strict: bool = False,
        batch_size: int = 500,
        aborted: tuple[Span, ...] = (),
    ) -> list[Acquired]:
        """Fetch and acquire."""
        fetch_offset = self.partition.next_fetch_offset
        first = fetch_offset // self.batch_count * self.batch_count
        batches = [
            Span(base, base + self.batch_count - 1)
            for base in range(first, self.log_end_offset, self.batch_count)
        ]
        if not batches:
            return []
        wanted = Acquisition(member_id, fetch_offset, batches, count, batch_size, strict, aborted)
        return acquire(self.partition, wanted, self.now_ms)

    def acknowledge(self, member_id: str, first: int, last: int, *types: int) -> Transition:
        sent = [Acknowledgement(first, last, types)]
        return acknowledge(self.partition, member_id, sent, self.now_ms)

    def settle(self, transition: Transition, *, is_stored: bool = True) -> None:
        """What was acknowledged is stored, or is not."""
        if is_stored and transition.changes:
            self.stored.append(self.partition.write_of(transition.state_batches))
        self.partition.settle(transition, is_stored=is_stored)

    def done(self, member_id: str, first: int, last: int, *types: int) -> None:
        self.settle(self.acknowledge(member_id, first, last, *types))

    def pass_ms(self, duration_ms: int) -> None:
        self.now_ms += duration_ms
        write = self.partition.expire(self.now_ms)
        if write is not None:
            self.stored.append(write)

    def reloaded(self) -> Members:
        """As another leader finds it."""
        start_offset, state_batches = self.start_offset, list(self.state_batches)
        for write in self.stored:
            start_offset = write.start_offset
            state_batches = combine(state_batches, write.state_batches, start_offset)
        return Members(
            self.limits,
            self.batch_count,
            self.log_end_offset,
            self.now_ms,
            start_offset,
            tuple(state_batches),
        )

    def view(self) -> list[tuple[int, int, str, int]]:
        """First and last offset, state and delivery count of each run, neighbours joined."""
        view: list[tuple[int, int, str, int]] = []
        for run in self.partition.runs:
            fate = run.state.name.lower(), run.delivery_count
            if view and view[-1][2:] == fate:
                view[-1] = (view[-1][0], run.last_offset, *fate)
            else:
                view.append((run.first_offset, run.last_offset, *fate))
        return view
