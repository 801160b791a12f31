"""The data directory of a node that is down, in our hands: opened and closed as a node does it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from moldau.broker.log.directory.directory import LogDirectory, open_directory
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.world import World
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from tests.judges.judged_topics import log_settings
from tests.judges.kafka_node import CLUSTER_ID, NODE_ID


class OurDirectory:
    """Gives out the logs in it; `opened` makes one."""

    def __init__(self, directory: LogDirectory) -> None:
        self._directory = directory
        self._world = World(SystemFiles(), SystemClock(), SeededRandom(1))
        self._recovery_points = directory.recovery_points.read()
        self._high_watermarks = directory.high_watermarks.read()
        self._start_offsets = directory.log_start_offsets.read()
        self._logs: dict[TopicPartition, PartitionLog] = {}

    @property
    def was_clean(self) -> bool:
        return self._directory.was_clean

    def log(self, topic: str) -> PartitionLog:
        """As its only replica, whose high watermark is the end of the log."""
        partition = TopicPartition(topic, 0)
        if partition not in self._logs:
            path = f"{self._directory.path}/{partition}"
            settings = log_settings(topic.partition("-")[2])
            log = PartitionLog.open(self._world, path, settings, self._remembered(partition))
            log.high_watermark = log.log_end_offset
            self._logs[partition] = log
        return self._logs[partition]

    def close(self) -> None:
        """Everything to the disk; a directory that was not closed by its node stays so."""
        for partition, log in self._logs.items():
            log.close()
            self._recovery_points[partition] = log.recovery_point
            self._high_watermarks[partition] = log.high_watermark
            if log.log_start_offset > log.segments.first.base_offset:
                self._start_offsets[partition] = log.log_start_offset
        self._directory.recovery_points.write(self._recovery_points)
        self._directory.high_watermarks.write(self._high_watermarks)
        self._directory.log_start_offsets.write(self._start_offsets)
        broker_epoch = self._directory.clean_shutdown_epoch
        if broker_epoch is not None:
            self._directory.mark_clean(broker_epoch)

    def _remembered(self, partition: TopicPartition) -> Remembered:
        return Remembered(
            clean=self._directory.was_clean,
            recovery_point=self._recovery_points.get(partition, 0),
            log_start_offset=self._start_offsets.get(partition, 0),
            high_watermark=self._high_watermarks.get(partition, 0),
        )


@contextmanager
def opened(data: Path, *, closes: bool = True) -> Iterator[OurDirectory]:
    """Lock the directory, use it, and leave it for the node's next start, in order or not."""
    directory = open_directory(SystemFiles(), str(data), cluster_id=CLUSTER_ID, node_id=NODE_ID)
    try:
        directory.take_clean_shutdown()
        ours = OurDirectory(directory)
        yield ours
        if closes:
            ours.close()
    finally:
        directory.close()
