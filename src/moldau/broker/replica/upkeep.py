"""What a broker does for its logs periodically: flush, delete, compact, forget, write down.

    every second      flush what has rolled, remove what has left, notice disks that failed;
                      where partitions have left, all checkpoints
    every 5 s         high watermarks
    every 15 s        compaction
    every 15 s        leave laggards out of the ISR (half of `replica.lag.time.max.ms`)
    every 60 s        recovery points, log starts
    every 5 min       retention
    every 10 min      forget producers that have been silent for long

The intervals are settings; these are their defaults. None begins later than
`log.initial.task.delay.ms` after the start. Each line is a task of its own, so that a slow
disk in one does not hold up the others. Stopping lets each finish the piece it is at.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence

from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.log.retention import LogExtent, find_expired
from moldau.broker.metrics.kinds import Histogram
from moldau.broker.replica.checkpoints import (
    HIGH_WATERMARKS,
    KINDS,
    LOG_START_OFFSETS,
    RECOVERY_POINTS,
    Checkpoints,
    Kind,
)
from moldau.broker.replica.cleaning import Cleaner, CleanerLimits
from moldau.broker.replica.flushing import flush, must_flush, unflushed
from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.replica.partition import Partition
from moldau.config.broker.settings import BrokerSettings
from moldau.errors import KafkaError, StorageError
from moldau.platform.ports.tasks import Task
from moldau.platform.wakeable_sleep import WakeableSleep

log = logging.getLogger(__name__)

TICK_MS = 1000
"""How soon a rolled segment is flushed and a failed disk noticed."""
LOOKED_AT_AT_ONCE = 100
"""Logs between two places where others may go on: less than a millisecond of work."""
GLANCED_AT_AT_ONCE = 2_000
"""The same, where of most logs two numbers are compared."""
CLOSERS = 4
"""As many as `Tasks.offload` has threads: waits for the disk overlap."""
CLOSED_AT_ONCE = 32
"""Logs in one piece of work beside the loop."""
US_PER_MS, NS_PER_US = 1000, 1000


class Upkeep:
    """The background work on all logs of a broker."""

    def __init__(
        self,
        replicas: ReplicaManager,
        settings: BrokerSettings,
        *,
        on_offline: Callable[[LogDirectory], None] = lambda directory: None,
    ) -> None:
        self.replicas = replicas
        self.settings = settings
        self._on_offline = on_offline
        self._tasks = replicas.tasks
        self._clock = replicas.world.clock
        self._checkpoints = Checkpoints(self._tasks, lambda: replicas)
        self.cleaner = Cleaner(
            self._clock,
            self._tasks,
            replicas,
            replicas.leaving,
            CleanerLimits.of(settings),
        )
        self.flush_times = Histogram(1 / US_PER_MS)
        """How long the flushes in the background took."""
        self._running: list[Task] = []
        self._cleaning: Task | None = None
        self._pauses: list[WakeableSleep] = []
        """Of each of them, between two times."""
        self._is_stopping = False
        self._known_offline: set[str] = set()
        self._removed_count = 0

    def start(self) -> None:
        """Begin; the node calls it once the replicas have started."""
        settings = self.settings
        self._every("log flusher", TICK_MS, self.tick)
        self._every(
            "high watermark checkpoints",
            settings.replica_high_watermark_checkpoint_interval_ms,
            lambda: self._write(HIGH_WATERMARKS),
        )
        self._every(
            "recovery point checkpoints",
            settings.log_flush_offset_checkpoint_interval_ms,
            lambda: self._write(RECOVERY_POINTS),
        )
        self._every(
            "log start checkpoints",
            settings.log_flush_start_offset_checkpoint_interval_ms,
            lambda: self._write(LOG_START_OFFSETS),
        )
        self._every("log retention", settings.log_retention_check_interval_ms, self.delete_expired)
        self._every(
            "producer expiry",
            settings.producer_id_expiration_check_interval_ms,
            self.forget_producers,
        )
        self._every("ISR shrinking", settings.replica_lag_time_max_ms / 2, self._shrink_isrs)
        if settings.log_cleaner_enable:
            self._every("log cleaner", settings.log_cleaner_backoff_ms, self.compact)
            self._cleaning = self._running[-1]

    @property
    def dead_cleaner_count(self) -> int:
        """1 where the task that compacts has ended and the node has not."""
        is_dead = self._cleaning is not None and self._cleaning.done()
        return int(is_dead and not self._is_stopping)

    async def stop(self) -> None:
        """Finish what is begun, close every log, and write all checkpoints.

        Afterwards a directory that is still online may be marked as cleanly stopped.
        """
        self._is_stopping = self.cleaner.is_stopping = True
        self.replicas.moves.give_up()
        for pause in self._pauses:
            pause.wake()
        for task in self._running:
            await task
        partitions = list(self.replicas)
        lots = [
            partitions[at : at + CLOSED_AT_ONCE] for at in range(0, len(partitions), CLOSED_AT_ONCE)
        ]
        closing = [
            self._tasks.spawn(f"closing of logs {number}", self._close(lots[number::CLOSERS]))
            for number in range(min(CLOSERS, len(lots)))
        ]
        for closer in closing:
            await closer
        for kind in KINDS:
            await self._write(kind)

    async def _close(self, lots: Sequence[Sequence[Partition]]) -> None:
        for lot in lots:
            for partition, error in await self._tasks.offload(_close_all, lot):
                partition.failed(error)

    def _every(self, name: str, interval_ms: float, work: Callable[[], Awaitable[None]]) -> None:
        self._running.append(self._tasks.spawn(name, self._repeat(interval_ms, work)))

    async def _repeat(self, interval_ms: float, work: Callable[[], Awaitable[None]]) -> None:
        pause = WakeableSleep(self._tasks)
        self._pauses.append(pause)
        pause_ms = min(interval_ms, self.settings.log_initial_task_delay_ms)
        while not self._is_stopping:
            await pause.wait(pause_ms)
            if not self._is_stopping:
                await work()
            pause_ms = interval_ms

    # The pieces of work.

    async def tick(self) -> None:
        """Flush and remove what is due, and see whether the disks are well."""
        now_ms = self._clock.now_ms()
        partitions = list(self.replicas)
        for at in range(0, len(partitions), GLANCED_AT_AT_ONCE):
            if at:
                await self._tasks.turn()
            for partition in unflushed(partitions[at : at + GLANCED_AT_AT_ONCE]):
                if must_flush(partition, now_ms) and self.replicas.is_current(partition):
                    await self._flush(partition, now_ms)
        await self.replicas.leaving.remove_due(now_ms)
        await self._forget_removed()
        self._notice_failures()

    async def _forget_removed(self) -> None:
        """A topic that is created anew must not be held against the offsets of the old one."""
        if self._removed_count != self.replicas.removed_count:
            self._removed_count = self.replicas.removed_count
            for kind in KINDS:
                await self._write(kind)

    async def _flush(self, partition: Partition, now_ms: int) -> None:
        began_ns = self._clock.monotonic_ns()
        try:
            await flush(self._tasks, partition, now_ms)
            self.flush_times.record((self._clock.monotonic_ns() - began_ns) // NS_PER_US)
        except KafkaError as error:
            log.warning("%s could not be flushed: %s", partition.name, error)

    def _notice_failures(self) -> None:
        for directory in self.replicas.directories.opened:
            if not directory.is_online and directory.path not in self._known_offline:
                self._known_offline.add(directory.path)
                log.error("%s is offline: %s", directory.path, directory.offline_reason)
                self._on_offline(directory)

    async def delete_expired(self) -> None:
        """Take out segments that are too old, too many, or below the log's start."""
        for count, partition in enumerate(list(self.replicas), 1):
            if not count % LOOKED_AT_AT_ONCE:
                await self._tasks.turn()
            if partition.log.failure is None and self.replicas.is_current(partition):
                for note in partition.log.take_notes():
                    log.warning("%s: %s", partition.name, note)
                await self._delete_expired(partition)

    async def _delete_expired(self, partition: Partition) -> None:
        state = partition.log.state
        extent = LogExtent(state.log_start_offset, state.high_watermark, state.log_end_offset)
        now_ms = self._clock.now_ms()
        if not find_expired(list(state.segments), state.settings, extent, now_ms):
            return
        try:
            await self.replicas.in_turn(partition, lambda: self._take_out(partition))
            partition.wake()
        except KafkaError as error:
            log.warning("%s keeps its old segments: %s", partition.name, error)

    def _take_out(self, partition: Partition) -> None:
        expired = partition.log.delete_expired()
        if expired is None:
            return
        due_ms = self._clock.now_ms() + partition.log.settings.file_delete_delay_ms
        self.replicas.leaving.add(partition.directory, expired.removal, due_ms)
        for segment, reason in zip(expired.removal.segments, expired.reasons, strict=False):
            log.info("%s: segment %d %s", partition.name, segment.base_offset, reason.value)

    async def compact(self) -> None:
        """Compact everything that is due, the dirtiest log first."""
        while not self._is_stopping:
            found = self.cleaner.dirtiest(list(self.replicas))
            if found is None:
                return
            partition, dirty = found
            await self.cleaner.clean(partition, dirty, lambda: self._write(RECOVERY_POINTS))

    async def forget_producers(self) -> None:
        """Those that have not written for `producer.id.expiration.ms`."""
        now_ms = self._clock.now_ms()
        for partition in list(self.replicas):
            partition.log.producers.expire(now_ms)

    async def _shrink_isrs(self) -> None:
        self.replicas.shrink_isrs(self.settings.replica_lag_time_max_ms)

    async def write_recovery_points(self) -> None:
        """Write them down now: logs were cut."""
        await self._write(RECOVERY_POINTS)

    async def _write(self, kind: Kind) -> None:
        await self._checkpoints.write(self.replicas.directories.opened, kind)


def _close_all(partitions: Sequence[Partition]) -> list[tuple[Partition, StorageError]]:
    """Close each log; those that could not be, and why."""
    failed = []
    for partition in partitions:
        try:
            partition.log.close()
        except StorageError as error:
            failed.append((partition, error))
    return failed
