"""One node's storage in a bottle: a log directory with one partition, started as a node would.

It does what the node's log manager does around `moldau.broker.log`: lock and judge the directory,
take the clean-shutdown marker, read the checkpoints, open the log; and on the way down the reverse.
"""

from __future__ import annotations

from dataclasses import dataclass

from moldau.broker.log.directory.directory import LogDirectory, format_directory, open_directory
from moldau.broker.log.directory.meta_properties import MetaProperties
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.directory.partition_metadata import (
    PartitionMetadata,
    read_partition_metadata,
    write_partition_metadata,
)
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.world import World
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom

CLUSTER, NODE = "cluster-of-tests", 1
DIRECTORY = "/data"
PARTITION = TopicPartition("orders", 0)
LOG_PATH = f"{DIRECTORY}/{PARTITION}"
TOPIC_ID = bytes(range(1, 17))

SMALL = LogSettings(
    segment_bytes=9_000, index_interval_bytes=300, segment_index_bytes=8 * 12, segment_jitter_ms=0
)
"""Segments of a few pages, and indexes that are full after a dozen entries."""


@dataclass
class Machine:
    """A started node."""

    files: SimulatedFiles
    clock: SimulatedClock
    directory: LogDirectory
    log: PartitionLog

    # What the node's timers and its shutdown do.

    def write_recovery_point(self) -> None:
        self.directory.recovery_points.write({PARTITION: self.log.recovery_point})

    def write_high_watermark(self) -> None:
        self.directory.high_watermarks.write({PARTITION: self.log.high_watermark})

    def write_log_start(self) -> None:
        self.directory.log_start_offsets.write({PARTITION: self.log.log_start_offset})

    def stop(self) -> None:
        """In order: logs first, then the checkpoints, the marker last."""
        self.log.close()
        self.write_recovery_point()
        self.write_high_watermark()
        self.write_log_start()
        self.directory.mark_clean()
        self.directory.close()


def format_machine(files: SimulatedFiles) -> None:
    """A formatted, empty directory, as durable as the installation of a node makes it."""
    files.make_directory(DIRECTORY)
    properties = MetaProperties(cluster_id=CLUSTER, node_id=NODE, directory_id=bytes(range(16)))
    format_directory(files, DIRECTORY, properties)
    files.sync_directory("/")


def start_machine(
    files: SimulatedFiles, clock: SimulatedClock, settings: LogSettings = SMALL
) -> Machine:
    """Start a node on this disk: a new one, or whatever a crash left."""
    directory = open_directory(files, DIRECTORY, cluster_id=CLUSTER, node_id=NODE)
    clean = directory.take_clean_shutdown() is not None
    recovery_points, _ = directory.recovery_points.read_or_forget()
    high_watermarks, _ = directory.high_watermarks.read_or_forget()
    log_starts, _ = directory.log_start_offsets.read_or_forget()
    remembered = Remembered(
        clean,
        recovery_points.get(PARTITION, 0),
        log_starts.get(PARTITION, 0),
        high_watermarks.get(PARTITION, 0),
    )
    _make_partition(files)
    world = World(files, clock, SeededRandom(1))
    log = PartitionLog.open(world, LOG_PATH, settings, remembered)
    return Machine(files, clock, directory, log)


def _make_partition(files: SimulatedFiles) -> None:
    if files.status(LOG_PATH) is None:
        files.make_directory(LOG_PATH)
        files.sync_directory(DIRECTORY)
    if read_partition_metadata(files, LOG_PATH) is None:
        write_partition_metadata(files, LOG_PATH, PartitionMetadata(TOPIC_ID))
