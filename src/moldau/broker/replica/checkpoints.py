"""The numbers of a log directory's partitions, written down now and then.

    replication-offset-checkpoint      high watermarks          every 5 s
    recovery-point-offset-checkpoint   what is surely on disk   every 60 s
    log-start-offset-checkpoint        where logs begin that begin within a segment, every 60 s

The numbers are collected on the loop and written beside it, each file by one write at a time: two
would rename the same temporary file. A failing write takes the directory offline, as every failure
of its disk does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.directory.offset_checkpoint import OffsetCheckpoint
from moldau.broker.replica.partition import Partition
from moldau.errors import StorageError
from moldau.platform.ports.tasks import Promise, Tasks

Offsets = Mapping[TopicPartition, int]
CheckpointOf = Callable[[LogDirectory], OffsetCheckpoint]


def high_watermark(partition: Partition) -> int | None:
    return partition.high_watermark


def recovery_point(partition: Partition) -> int | None:
    return partition.log.recovery_point


def log_start_offset(partition: Partition) -> int | None:
    """Where the first segment's name does not say it."""
    start = partition.log_start_offset
    return start if start > partition.log.segments.first.base_offset else None


Kind = tuple[CheckpointOf, Callable[[Partition], int | None]]
"""One of the files, and which number of a partition it holds."""

KINDS: tuple[Kind, Kind, Kind] = (
    (lambda directory: directory.high_watermarks, high_watermark),
    (lambda directory: directory.recovery_points, recovery_point),
    (lambda directory: directory.log_start_offsets, log_start_offset),
)
HIGH_WATERMARKS, RECOVERY_POINTS, LOG_START_OFFSETS = KINDS


class Checkpoints:
    """Writes the checkpoints of all directories."""

    def __init__(self, tasks: Tasks, partitions: Callable[[], Iterable[Partition]]) -> None:
        self._tasks = tasks
        self._partitions = partitions
        self._written: dict[str, Offsets] = {}
        """What each file holds; the same is not written again."""
        self._under_way: dict[str, Promise[None]] = {}
        """By file: kept when its write has ended."""

    async def write(
        self,
        directories: Iterable[LogDirectory],
        kind: Kind,
    ) -> None:
        """One kind, in all directories that are online."""
        checkpoint_of, number_of = kind
        collected: dict[LogDirectory, dict[TopicPartition, int]] = defaultdict(dict)
        for partition in self._partitions():
            number = number_of(partition)
            if number is not None:
                collected[partition.directory][partition.name] = number
        for directory in directories:
            if directory.is_online:
                await self._write(directory, checkpoint_of(directory), collected[directory])

    async def _write(
        self, directory: LogDirectory, checkpoint: OffsetCheckpoint, offsets: Offsets
    ) -> None:
        path = checkpoint.path
        while (before := self._under_way.get(path)) is not None:
            await before.wait()
        if self._written.get(path) == offsets or not directory.is_online:
            return
        ended = self._under_way[path] = self._tasks.promise()
        try:
            await self._tasks.offload(checkpoint.write, offsets)
        except StorageError as error:
            directory.take_offline(str(error))
        else:
            self._written[path] = offsets
        finally:
            del self._under_way[path]
            ended.keep(None)
