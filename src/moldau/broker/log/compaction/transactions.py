"""Which transactions a round of compaction passes through, and what becomes of them (KIP-98).

Data of aborted transactions goes at once. A marker is removed only when nothing of its transaction
is left, and not before readers had the time to see it: it gets a delete horizon like a tombstone.

So each round watches, for every producer, whether data of its current transaction came by. At the
marker that settles the question: data seen, the marker stays, and if it aborted, the transaction
stays in the transaction index of the new segment; nothing seen, the marker is removed.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

from moldau.broker.log.producers.end_marker import holds_marker, read_end_marker
from moldau.broker.log.segment.transaction_index import AbortedTransaction
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import BatchHeader


@dataclass(slots=True)
class _Aborting:
    """An aborted transaction that the round is in the middle of."""

    transaction: AbortedTransaction
    has_data: bool = False


class CleanedTransactions:
    """Fed with the batches of a log in order."""

    def __init__(self) -> None:
        self._coming: list[tuple[int, AbortedTransaction]] = []
        """Aborted transactions that begin further on, by first offset."""
        self._aborting: dict[int, _Aborting] = {}
        self._committing: set[int] = set()
        """Producers with data in a transaction that will be committed, or is open."""
        self.still_aborted: list[AbortedTransaction] = []
        """Aborted transactions whose marker came by and has to stay; the caller empties it."""

    def expect(self, aborted: Iterable[AbortedTransaction]) -> None:
        """Take in aborted transactions that overlap what comes next; one may come twice."""
        for transaction in aborted:
            heappush(self._coming, (transaction.first_offset, transaction))

    def is_discarded(self, header: BatchHeader, batch: bytes) -> bool:
        """Whether the next batch is removed: aborted data, or a marker of nothing."""
        if header.producer_id < 0:
            return False
        self._begin(header.last_offset)
        if header.is_control:
            return not holds_marker(header) or self._ends_nothing(header, batch)
        if not header.is_transactional:
            return False
        aborting = self._aborting.get(header.producer_id)
        if aborting is None:
            self._committing.add(header.producer_id)
            return False
        aborting.has_data = True
        return True

    def _begin(self, offset: int) -> None:
        while self._coming and self._coming[0][0] <= offset:
            transaction = heappop(self._coming)[1]
            self._aborting.setdefault(transaction.producer_id, _Aborting(transaction))

    def _ends_nothing(self, header: BatchHeader, batch: bytes) -> bool:
        if read_end_marker(batch).is_commit:
            had_data = header.producer_id in self._committing
            self._committing.discard(header.producer_id)
            return not had_data
        aborting = self._aborting.pop(header.producer_id, None)
        if aborting is None or not aborting.has_data:
            return True
        self.still_aborted.append(aborting.transaction)
        return False
