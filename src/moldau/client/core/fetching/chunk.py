"""Some batches of one partition, and which of their records are wanted."""

from __future__ import annotations

from moldau.client.topic_partition import TopicPartition
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import NO_LEADER_EPOCH, BatchHeader, iterate_batches, read_header

__all__ = ["Chunk"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one answer brought for a reading; nothing in it is decoded or copied yet."""

    part: TopicPartition
    records: memoryview
    start: int
    """The first offset that is wanted; batches may begin before it."""
    end: int
    """The offset after the last one that is wanted; batches may go beyond it."""
    void: frozenset[int] = frozenset()
    """Base offsets of batches that belong to aborted transactions."""

    last_epoch: int = NO_LEADER_EPOCH
    """The leader epoch of the last batch, of whatever kind."""

    def epoch_before(self, offset: int) -> int:
        """The leader epoch of the last batch that begins before this offset, if one does."""
        epoch = NO_LEADER_EPOCH
        for batch in iterate_batches(self.records):
            header = read_header(batch)
            if header.base_offset >= offset:
                break
            epoch = header.leader_epoch
        return epoch

    def wants(self, header: BatchHeader) -> bool:
        """Whether some record of the batch may be wanted."""
        return (
            header.next_offset > self.start
            and header.base_offset < self.end
            and header.base_offset not in self.void
            and not header.is_control
        )
