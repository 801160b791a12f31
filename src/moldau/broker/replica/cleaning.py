"""Compaction in the background: the dirtiest log first, one at a time.

A round's new segments are made beside the loop; only the switch, a few renames, has the log for
itself. Logs of coordinators are switched on the loop, for their owners append without asking.

Before a round the recovery points are written down: compaction leaves gaps, and below a recovery
point no recovery will take them for a loss. A log that cannot be compacted (a batch that cannot be
read) is left alone until the next start, and counted.

No round is faster than `log.cleaner.io.max.bytes.per.second`: after each new segment it waits until
as much time has gone by as that segment may take.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, NamedTuple, Protocol

from moldau.broker.log.compaction.plan import CompactionStoppedError, DirtyRange, measure
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.log_state import LogState
from moldau.broker.replica.leaving import LeavingFiles
from moldau.broker.replica.partition import Partition
from moldau.errors import KafkaError, MoldauError, StorageError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks

if TYPE_CHECKING:
    from moldau.broker.log.compaction.run import Compacted, Compaction, Prepared

log = logging.getLogger(__name__)

LOOKS_MS = 1000
"""How soon a round that waits sees that it must stop, or may go faster."""
NS_PER_MS, NS_PER_SECOND = 1_000_000, 1_000_000_000


class Owner(Protocol):
    """Gives a partition's log to one piece of blocking work."""

    def is_current(self, partition: Partition) -> bool: ...

    async def in_turn(self, partition: Partition, work: Callable[..., object]) -> None: ...


class LimitSettings(Protocol):
    """The broker's settings that are read here, by Kafka's names."""

    @property
    def log_cleaner_dedupe_buffer_size(self) -> int: ...
    @property
    def log_cleaner_io_buffer_load_factor(self) -> float: ...
    @property
    def log_cleaner_io_max_bytes_per_second(self) -> float: ...


class CleanerLimits(NamedTuple):
    """How much memory and how much of the disk compaction may take."""

    buffer_bytes: int
    """For the keys of one round."""
    bytes_per_second: float = inf
    """Read and written together."""

    @classmethod
    def of(cls, settings: LimitSettings) -> CleanerLimits:
        size = settings.log_cleaner_dedupe_buffer_size * settings.log_cleaner_io_buffer_load_factor
        return cls(int(size), settings.log_cleaner_io_max_bytes_per_second)


class RoundFigures(NamedTuple):
    """What metrics report of a round."""

    seconds: int = 0
    recopied_percent: int = 0
    """What was written, of what was read."""
    buffer_percent: int = 0
    """How much of the room for keys was used."""

    @classmethod
    def of(cls, done: Compacted, elapsed_ns: int) -> RoundFigures:
        recopied = 100 * done.written_bytes // done.read_bytes if done.read_bytes else 0
        used = 100 * done.keys // done.keys_max if done.keys_max else 0
        return cls(elapsed_ns // NS_PER_SECOND, recopied, used)


class Cleaner:
    """Compacts what is due."""

    def __init__(
        self, clock: Clock, tasks: Tasks, owner: Owner, leaving: LeavingFiles, limits: CleanerLimits
    ) -> None:
        self._clock = clock
        self._tasks = tasks
        self._owner = owner
        self._leaving = leaving
        self.limits = limits
        """Of the next round, and how fast the one that runs may go on."""
        self._cleaned: dict[TopicPartition, int] = {}
        self.uncleanable: dict[TopicPartition, str] = {}
        """Logs that could not be compacted, and why."""
        self.is_stopping = False
        self.last_round_ms: int | None = None
        """When a log was last compacted."""
        self.last_round = RoundFigures()
        self.max_delay_ms = 0
        """By how much a record was older than `max.compaction.lag.ms` when it was last looked."""
        self.max_dirty_percent = 0
        """Of the log that was chosen when it was last looked; 0 where none was due."""

    def dirtiest(self, partitions: list[Partition]) -> tuple[Partition, DirtyRange] | None:
        """The log with the largest part to clean, of those that are due."""
        now_ms = self._clock.now_ms()
        due = [
            (dirty, partition)
            for partition in partitions
            if partition.log.settings.compacts
            and partition.log.failure is None
            and partition.name not in self.uncleanable
            and (dirty := self._measure(partition, now_ms)).is_due
        ]
        self.max_dirty_percent = int(100 * max((one.dirty_ratio for one, _ in due), default=0))
        self.max_delay_ms = max((one.overdue_ms for one, _ in due), default=0)
        if not due:
            return None
        dirty, partition = max(due, key=lambda one: one[0].dirty_ratio)
        return partition, dirty

    def cleanable_bytes(self, partition: Partition) -> int:
        """What compaction would go through, if it could."""
        return self._measure(partition, self._clock.now_ms()).cleanable_bytes

    def _measure(self, partition: Partition, now_ms: int) -> DirtyRange:
        return measure(partition.log.state, self._cleaned_up_to(partition), now_ms)

    def _cleaned_up_to(self, partition: Partition) -> int | None:
        name = partition.name
        if name not in self._cleaned:
            offsets, _ = partition.directory.cleaner_offsets.read_or_forget()
            for known, offset in offsets.items():
                self._cleaned.setdefault(known, offset)
            self._cleaned.setdefault(name, partition.log_start_offset)
        return self._cleaned[name]

    async def clean(
        self, partition: Partition, dirty: DirtyRange, checkpoint: Callable[[], Awaitable[None]]
    ) -> None:
        """One round, and the note how far it came."""
        try:
            await checkpoint()
            await self._round(partition, dirty)
        except CompactionStoppedError:
            return
        except StorageError as error:
            if self._owner.is_current(partition):
                partition.failed(error)
        except KafkaError:
            return  # the disk failed in the switch, or the partition has gone
        except MoldauError as error:
            self.uncleanable[partition.name] = str(error)
            log.exception("%s cannot be compacted", partition.name)

    def _is_there(self, partition: Partition, state: LogState) -> bool:
        """Whether the partition still has this log: it may have gone, or moved to another disk."""
        return self._owner.is_current(partition) and partition.log.state is state

    async def _round(self, partition: Partition, dirty: DirtyRange) -> None:
        state = partition.log.state
        # Imported with the first round: most starts come before any log is due.
        run = import_module("moldau.broker.log.compaction.run")
        compaction: Compaction = run.Compaction(
            state,
            dirty,
            self._clock.now_ms(),
            buffer_bytes=self.limits.buffer_bytes,
            must_stop=lambda: self.is_stopping or not self._is_there(partition, state),
        )
        began_ns = self._clock.monotonic_ns()
        while (prepared := await self._tasks.offload(compaction.prepare)) is not None:
            switch = partial(_switch, partition, compaction, prepared, state)
            await self._owner.in_turn(partition, switch)
            await self._hold_back(compaction.done, began_ns)
        done = compaction.done
        due_ms = self._clock.now_ms() + partition.log.settings.file_delete_delay_ms
        for removal in done.removals:
            self._leaving.add(partition.directory, removal, due_ms)
        self.last_round_ms = self._clock.now_ms()
        self.last_round = RoundFigures.of(done, self._clock.monotonic_ns() - began_ns)
        self._cleaned[partition.name] = done.cleaned_up_to
        here = partition.directory
        offsets = dict((await self._tasks.offload(here.cleaner_offsets.read_or_forget))[0])
        offsets[partition.name] = done.cleaned_up_to
        await self._tasks.offload(here.cleaner_offsets.write, offsets)

    async def _hold_back(self, done: Compacted, began_ns: int) -> None:
        """Wait until the round has taken as long as it may take for what it has done."""
        moved = done.read_bytes + done.written_bytes
        while not self.is_stopping:
            due_ns = began_ns + moved * NS_PER_SECOND / max(self.limits.bytes_per_second, 1)
            left_ms = (due_ns - self._clock.monotonic_ns()) / NS_PER_MS
            if left_ms <= 0:
                return
            await self._tasks.sleep(min(left_ms, LOOKS_MS))


def _switch(
    partition: Partition, compaction: Compaction, prepared: Prepared, state: LogState
) -> None:
    """Put the new segments in, unless the log has moved to another disk by now."""
    if partition.log.state is not state:
        raise CompactionStoppedError(f"{partition.name} has moved; its next round does it again")
    compaction.switch(prepared)
