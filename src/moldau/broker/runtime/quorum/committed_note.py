"""`committed-offset-checkpoint`: up to where the metadata log is known to be whole on the disk.

A torn tail is what a crash leaves of records that were not acknowledged, and recovery cuts it.
Damage below this offset is something else: records that were committed would be lost, and with them
topics, whose logs would be taken for strays. So a node does not start there, while Kafka, which
keeps no such note, cuts the log and goes on without.

The number only grows, and is written after the sync that it speaks of. So it need not be synced
itself: whatever a crash leaves of it, an older number or none, is still true. The file has the
form of Kafka's checkpoints, at a fixed width, and is overwritten in place.
"""

from __future__ import annotations

from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.directory.offset_checkpoint import OffsetCheckpoint
from moldau.platform.ports.files import File, Files

FILE_NAME = "committed-offset-checkpoint"
PARTITION = TopicPartition("__cluster_metadata", 0)


class CommittedNote:
    """The file in the directory of the metadata log."""

    def __init__(self, files: Files, directory: str) -> None:
        self._files = files
        self.path = f"{directory}/{FILE_NAME}"
        self._file: File | None = None
        self._written = 0

    def read(self) -> int:
        """What was written last; 0 where that is not to be known."""
        offsets, _reason = OffsetCheckpoint(self._files, self.path).read_or_forget()
        return max(offsets.get(PARTITION, 0), 0)

    def write(self, offset: int) -> None:
        """All below is committed and synced."""
        if offset <= self._written:
            return
        if self._file is None:
            self._file = self._files.open(self.path, create=True)
            self._file.truncate(0)
        topic, partition = PARTITION
        self._file.write_at(0, f"0\n1\n{topic} {partition} {offset:019d}\n".encode())
        self._written = offset

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
