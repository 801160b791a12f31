"""The state of one log: the numbers and parts that appending, reading and recovery share.

    log start offset ≤ last stable offset ≤ high watermark ≤ log end offset
    recovery point   ≤ log end offset: everything below it is on the disk for certain

The decisions about it live in modules of their own (appending, rolling, flushing, truncation,
retention…), `PartitionLog` is their face. Only `StorageError` makes a log fail, and for good.
"""

from __future__ import annotations

from typing import NamedTuple

from moldau.broker.log.directory.names import parse_directory_name
from moldau.broker.log.epoch_checkpoint import EpochCache
from moldau.broker.log.findings import Finding
from moldau.broker.log.producers.states import ProducerStates
from moldau.broker.log.segment.segments import Segments
from moldau.broker.log.settings import LogSettings, validates_headers_only, validation_rules
from moldau.broker.log.world import World
from moldau.errors import StorageError


class LogFiles(NamedTuple):
    """What was loaded from the directory of a log."""

    segments: Segments
    epochs: EpochCache
    producers: ProducerStates


class LogState:
    """One partition's log in memory."""

    __slots__ = (
        "active",
        "clock",
        "directory",
        "encryption",
        "encrypts",
        "epochs",
        "failure",
        "files",
        "findings",
        "flush_messages",
        "flushed_ms",
        "flushes_under_way",
        "gaps",
        "high_watermark",
        "high_watermark_place",
        "jitter_ms",
        "log_end_offset",
        "log_start_offset",
        "max_message_bytes",
        "name_changes",
        "name_changes_synced",
        "partition",
        "producers",
        "random",
        "recovery_point",
        "rules",
        "segment_bytes",
        "segment_ms",
        "segments",
        "settings",
        "timestamp_after_max_ms",
        "unsynced_snapshots",
        "validates_headers_only",
    )  # fmt: skip

    def __init__(
        self,
        world: World,
        directory: str,
        settings: LogSettings,
        files: LogFiles,
        *,
        log_start_offset: int,
        recovery_point: int,
    ) -> None:
        """As long as nothing else is known, the log ends where its last segment begins."""
        self.directory = directory
        self.partition = _partition_in(directory)
        """Its name, whatever the directory is called meanwhile."""
        self.obey(settings)
        self.files = world.files
        self.clock = world.clock
        self.random = world.random
        self.encryption = world.encryption
        self.segments, self.epochs, self.producers = files
        self.active = self.segments.active
        """The last segment, again: every append reads it."""
        self.log_start_offset = log_start_offset
        self.log_end_offset = self.active.base_offset
        self.recovery_point = recovery_point
        self.high_watermark = log_start_offset
        self.high_watermark_place: tuple[int, int, int] | None = None
        """(high watermark or stable offset, base of its segment, position), as last looked up."""
        self.jitter_ms = 0
        """How much earlier than its time the active segment rolls, so that not all do at once."""
        self.name_changes = 0
        """How often a file was made or renamed since the log was opened."""
        self.name_changes_synced = 0
        """How many of them would survive a power loss."""
        self.unsynced_snapshots: list[str] = []
        self.flushed_ms = self.clock.now_ms()
        self.flushes_under_way = 0
        """Begun and not finished; until then nothing is cut and no file closed."""
        self.failure: StorageError | None = None
        self.findings: list[Finding] = []
        """What the opening found that a stop in order does not leave."""
        self.gaps: dict[int, int] = {}
        """Offsets that a reader wanted and no segment has, and where the records go on."""

    def obey(self, settings: LogSettings) -> None:
        """Take these settings, and what each append needs of them as numbers of its own."""
        self.settings = settings
        self.rules = rules = validation_rules(settings)
        """What the settings demand of batches."""
        self.validates_headers_only = validates_headers_only(rules)
        """Whether they can be checked without looking at records."""
        self.encrypts = bool(settings.encryption_at_rest)
        self.flush_messages = settings.flush_messages
        self.segment_bytes = settings.segment_bytes
        self.segment_ms = settings.segment_ms
        self.max_message_bytes = rules.max_message_bytes
        self.timestamp_after_max_ms = rules.timestamp_after_max_ms

    def __repr__(self) -> str:
        return f"LogState({self.directory}, up to {self.log_end_offset})"

    @property
    def first_unstable_offset(self) -> int | None:
        """Where the oldest transaction begins that is open or whose end is not replicated."""
        unstable = self.producers.first_unstable_offset
        return None if unstable is None else max(unstable, self.log_start_offset)

    @property
    def last_stable_offset(self) -> int:
        """Readers of committed data see nothing from here on."""
        unstable = self.producers.first_unstable_offset
        if unstable is None or unstable >= self.high_watermark:
            return self.high_watermark
        return max(unstable, self.log_start_offset)

    @property
    def names_synced(self) -> bool:
        """Whether the directory would show all files after a power loss."""
        return self.name_changes_synced == self.name_changes

    def sync_names(self) -> None:
        """Make creations, renames and removals in the directory durable."""
        self.files.sync_directory(self.directory)
        self.name_changes_synced = self.name_changes


def _partition_in(directory: str) -> str:
    """The name of the partition whose directory this is."""
    name = directory.rpartition("/")[2]
    parsed = parse_directory_name(name)
    return name if parsed is None else str(parsed.partition)
