"""What is called when an offset is replicated: coordinators wait so for their records.

Kept in the order of their offsets, so that a high watermark that moves costs nothing where none
waits and one look where one does.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from moldau.errors import KafkaError

Committed = Callable[[KafkaError | None], None]
"""Called with None when all below the offset is replicated, or with why it never will be here."""


class CommitWaiters:
    """Call-backs by the offset that they wait for."""

    def __init__(self) -> None:
        self.heap: list[tuple[int, int, Committed]] = []
        """Looked at with every append, to see whether any waits."""
        self._count = 0

    def __len__(self) -> int:
        return len(self.heap)

    def add(self, offset: int, committed: Committed) -> None:
        self._count += 1
        heappush(self.heap, (offset, self._count, committed))

    def release(self, high_watermark: int) -> None:
        """Wake those whose offset is reached, the lowest first."""
        while self.heap and self.heap[0][0] <= high_watermark:
            heappop(self.heap)[2](None)

    def refuse(self, error: KafkaError) -> None:
        """It is led elsewhere now, or gone: fail all that wait."""
        waiting, self.heap = sorted(self.heap, key=lambda entry: entry[:2]), []
        for _, _, committed in waiting:
            committed(error)
