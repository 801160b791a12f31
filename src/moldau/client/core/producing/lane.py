"""The batches of one partition: in which order they leave, and under which sequences.

    waiting      not sent yet; the last one may still be filled
    unresolved   sent, in the order of their sequences: out, or to be sent again

After a failure nothing that waits is sent until every batch that is out has been answered; then the
unresolved ones go again, one at a time and oldest first. So the order of records is kept, and a
broker that remembers sequences takes each batch once, however often it comes (KIP-98).

A batch that is refused for good leaves a gap in the sequences, which those after it close by moving
up: the broker cannot have taken them, since it takes none behind a gap. One that is given up in
doubt may be there: its sequences are given to no other, which would be taken for a repetition of
it. Those behind it keep theirs, and what waits begins under another identity.

A broker takes any sequence from a producer that it does not know. So the first batch goes alone:
were it refused, the second would be taken all the same. And a broker remembers the last five
batches of a producer only. So none leaves that could make it forget the oldest unresolved one,
which it would refuse when that comes again, though it is there.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from moldau.client.core.producing.batch import SEQUENCE_MASK, Identity, ProducerBatch
from moldau.client.topic_partition import TopicPartition

__all__ = ["REMEMBERED", "Lane"]

REMEMBERED: Final = 5
"""Batches of a producer that Kafka's brokers remember of each partition."""


class Lane:
    """The batches of one partition, in their order."""

    __slots__ = (
        "identity",
        "is_known",
        "is_lost",
        "next_sequence",
        "part",
        "size",
        "turns",
        "unresolved",
        "waiting",
    )

    def __init__(self, part: TopicPartition) -> None:
        self.part = part
        self.waiting: deque[ProducerBatch] = deque()
        self.unresolved: list[ProducerBatch] = []
        self.identity = Identity()
        """Under which its sequences count."""
        self.next_sequence = 0
        self.is_known = True
        """A broker has taken a batch of this producer, or there is no identity to know."""
        self.is_lost = False
        """The broker has forgotten what came before: the next goes under another identity."""
        self.size = 0
        """Bytes of what waits."""
        self.turns = 0
        """Batches that have left."""

    def __repr__(self) -> str:
        return f"<Lane {self.part}: {len(self.waiting)} waiting, {len(self.unresolved)} unresolved>"

    @property
    def is_empty(self) -> bool:
        return not self.waiting and not self.unresolved

    @property
    def has_failures(self) -> bool:
        """Whether something has to be sent again before anything else."""
        return any(not batch.is_out for batch in self.unresolved)

    @property
    def oldest(self) -> ProducerBatch | None:
        if self.unresolved:
            return self.unresolved[0]
        return self.waiting[0] if self.waiting else None

    def next(self) -> ProducerBatch | None:
        """What may leave as the next, if it is time for it."""
        if not self.unresolved:
            return self.waiting[0] if self.waiting else None
        oldest = self.unresolved[0]
        has_failures = self.has_failures
        if has_failures or self.is_lost or not self.is_known:
            if any(batch.is_out for batch in self.unresolved):
                return None
        elif self.identity.producer_id >= 0 and self.turns - oldest.turn >= REMEMBERED:
            return None
        if has_failures:
            return oldest
        return self.waiting[0] if self.waiting else None

    def send(self, batch: ProducerBatch, identity: Identity, *, is_transactional: bool) -> None:
        """It leaves, as the next of this producer; again under the number that it had."""
        if self.waiting and batch is self.waiting[0]:
            self.waiting.popleft()
            self.size -= batch.size
            self._number(batch, identity)
            batch.turn = self.turns
            self.turns += 1
            self.unresolved.append(batch)
        batch.is_out = True
        batch.attempts += 1
        if identity.producer_id >= 0:
            batch.stamp(is_transactional=is_transactional)

    def _number(self, batch: ProducerBatch, identity: Identity) -> None:
        """A new identity counts from 0, but not while something is open under the old one."""
        if identity.producer_id < 0:
            return
        if self.identity != identity and not self.unresolved:
            self.is_known &= identity.producer_id == self.identity.producer_id
            self.identity, self.next_sequence = identity, 0
        batch.identity, batch.sequence = self.identity, self.next_sequence
        self.next_sequence = batch.sequence_after()

    def resolve(self, batch: ProducerBatch) -> None:
        """It has arrived."""
        batch.is_out = False
        self.is_known |= batch.identity == self.identity
        self.unresolved.remove(batch)

    def fail(self, batch: ProducerBatch) -> None:
        """It was refused, or is given up; those behind it move up."""
        batch.is_out = False
        if batch in self.waiting:
            self.waiting.remove(batch)
            self.size -= batch.size
            return
        behind = self.unresolved[self.unresolved.index(batch) + 1 :]
        self.unresolved.remove(batch)
        if batch.sequence < 0 or batch.identity != self.identity or batch.is_in_doubt:
            return
        for later in behind:
            later.sequence = (later.sequence - batch.count) & SEQUENCE_MASK
        self.next_sequence = (self.next_sequence - batch.count) & SEQUENCE_MASK

    def split(self, batch: ProducerBatch, halves: Iterable[ProducerBatch]) -> None:
        """It goes again as these, under the same sequences in all."""
        index = self.unresolved.index(batch)
        sequence = batch.sequence
        made = list(halves)
        for half in made:
            half.identity, half.attempts, half.cause = batch.identity, batch.attempts, batch.cause
            half.sequence, half.turn = sequence, batch.turn
            sequence = half.sequence_after() if sequence >= 0 else sequence
        self.unresolved[index : index + 1] = made

    def begin_anew(self, identity: Identity) -> None:
        """Count everything that is unresolved from 0, under another identity."""
        assert not any(batch.is_out for batch in self.unresolved), "its bytes are being sent"
        self.identity, self.next_sequence = identity, 0
        self.is_known = self.is_lost = False
        for batch in self.unresolved:
            batch.identity, batch.sequence = identity, self.next_sequence
            self.next_sequence = batch.sequence_after()
