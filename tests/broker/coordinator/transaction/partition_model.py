"""Partitions as simple as can be: who has written what, and what has become of it.

A partition takes a write if the coordinator added it to the writer's transaction, and if it knows
of no newer epoch. A marker ends what its producer has open, and is refused if it is from the past.
That is all that the log's rules come to, without sequences.
"""

from __future__ import annotations

from dataclasses import dataclass, field

PENDING, COMMITTED, ABORTED = "pending", "committed", "aborted"


@dataclass
class Write:
    """One record, by one client in one of its transactions."""

    producer_id: int
    epoch: int
    fate: str = PENDING


@dataclass
class ModelPartition:
    epochs: dict[int, int] = field(default_factory=dict)
    writes: list[Write] = field(default_factory=list)

    def write(self, producer_id: int, epoch: int) -> Write | None:
        """The write, unless its producer is fenced."""
        if epoch < self.epochs.get(producer_id, -1):
            return None
        self.epochs[producer_id] = epoch
        self.writes.append(Write(producer_id, epoch))
        return self.writes[-1]

    def mark(self, producer_id: int, epoch: int, *, is_commit: bool) -> None:
        """The end of the producer's transaction."""
        assert epoch >= self.epochs.get(producer_id, -1), "a marker from the past"
        self.epochs[producer_id] = epoch
        for one in self.writes:
            if one.producer_id == producer_id and one.fate == PENDING:
                one.fate = COMMITTED if is_commit else ABORTED
