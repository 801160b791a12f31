"""One offset for each partition of a log directory, as a checkpoint file.

    recovery-point-offset-checkpoint    all below it is synced; recovery starts there
    replication-offset-checkpoint       high watermarks
    log-start-offset-checkpoint         where logs begin that begin within a segment
    cleaner-offset-checkpoint           up to where compaction has cleaned

Each line is `topic partition offset`. Losing one of these files costs time, not records: recovery
begins at the first segment, compaction cleans again, a follower asks its leader.
"""

from __future__ import annotations

from collections.abc import Mapping

from moldau.broker.log.directory.checkpoint_text import (
    CorruptCheckpointError,
    read_checkpoint,
    split_numbers,
    write_checkpoint,
)
from moldau.broker.log.directory.names import TopicPartition
from moldau.platform.ports.files import Files

RECOVERY_POINTS = "recovery-point-offset-checkpoint"
HIGH_WATERMARKS = "replication-offset-checkpoint"
LOG_START_OFFSETS = "log-start-offset-checkpoint"
CLEANER_OFFSETS = "cleaner-offset-checkpoint"
FILE_NAMES = (RECOVERY_POINTS, HIGH_WATERMARKS, LOG_START_OFFSETS, CLEANER_OFFSETS)


class OffsetCheckpoint:
    """One checkpoint file of a log directory: an offset for each partition."""

    def __init__(self, files: Files, path: str) -> None:
        self._files = files
        self.path = path

    def __repr__(self) -> str:
        return f"OffsetCheckpoint({self.path})"

    def read(self) -> dict[TopicPartition, int]:
        """What the file holds, or `CorruptCheckpointError`."""
        offsets = {}
        for line in read_checkpoint(self._files, self.path):
            partition, offset = split_numbers(self.path, line, 2)
            topic = line.rsplit(" ", 2)[0]
            if partition < 0 or not topic or " " in topic:
                raise CorruptCheckpointError(self.path, f"malformed entry {line!r}")
            offsets[TopicPartition(topic, partition)] = offset
        return offsets

    def read_or_forget(self) -> tuple[dict[TopicPartition, int], str | None]:
        """What the file holds; where it is corrupt nothing, and the reason for the node's log."""
        try:
            return self.read(), None
        except CorruptCheckpointError as error:
            return {}, str(error)

    def write(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Replace the file durably."""
        lines = (f"{topic} {partition} {offset}" for (topic, partition), offset in offsets.items())
        write_checkpoint(self._files, self.path, lines)
