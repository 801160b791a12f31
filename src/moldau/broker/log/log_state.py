"""The state of one log: the numbers and parts that appending, reading and recovery share.

    log start offset ≤ last stable offset ≤ high watermark ≤ log end offset
    recovery point   ≤ log end offset: everything below it is on the disk for certain

The decisions about it live in modules of their own (appending, rolling, flushing, truncation,
retention…), `PartitionLog` is their face. Only `StorageError` makes a log fail, and for good.
"""

from __future__ import annotations

from dataclasses import field

from moldau.broker.log.epoch_checkpoint import EpochCache
from moldau.broker.log.findings import Finding
from moldau.broker.log.producers.states import ProducerStates
from moldau.broker.log.segment.segment import Segment
from moldau.broker.log.segment.segments import Segments
from moldau.broker.log.settings import LogSettings
from moldau.errors import StorageError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.validator import ValidationRules


@dataclass(slots=True, eq=False)
class LogState:
    """One partition's log in memory."""

    directory: str
    settings: LogSettings
    rules: ValidationRules
    """What the settings demand of batches."""
    believes_headers: bool
    """Whether they can be checked without looking at records."""
    files: Files
    clock: Clock
    random: Random
    segments: Segments
    epochs: EpochCache
    producers: ProducerStates
    active: Segment
    """The last segment, again: appending asks for it with every batch."""
    log_start_offset: int
    log_end_offset: int
    recovery_point: int
    high_watermark: int
    high_watermark_place: tuple[int, int, int] | None = None
    """(high watermark or stable offset, base of its segment, position), as last looked up."""
    jitter_ms: int = 0
    """How much earlier than its time the active segment rolls, so that not all do at once."""
    name_changes: int = 0
    """How often a file was made or renamed since the log was opened."""
    name_changes_synced: int = 0
    """How many of them would survive a power loss."""
    unsynced_snapshots: list[str] = field(default_factory=list)
    flushed_ms: int = 0
    flushes_under_way: int = 0
    """Begun and not finished; until then nothing is cut and no file closed."""
    failure: StorageError | None = None
    findings: list[Finding] = field(default_factory=list)
    """What the opening found that a stop in order does not leave."""
    gaps: dict[int, int] = field(default_factory=dict)
    """Offsets that a reader wanted and no segment has, and where the records go on."""

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
