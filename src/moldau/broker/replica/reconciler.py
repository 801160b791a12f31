"""Makes the partitions that are those that are wanted; what blocks is done beside the loop.

    nothing there            open the log: a new one, or what was found at the start
    led in a later epoch     note the epoch in the log, before its first record
    of another topic id      the topic was created anew: remove, then open
    not wanted               rename to `-delete`; the files go after `file.delete.delay.ms`

A partition is *pending* from the moment at which that becomes necessary until it is done. Workers
take pending partitions one after the other, and look again after each piece of work what is wanted
by then, so that no order of changes leaves anything behind.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Protocol, TypeVar

from moldau.broker.log.directory.names import DirectoryState, TopicPartition
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.world import World
from moldau.broker.replica.assignment import Assignment
from moldau.broker.replica.directory_choice import (
    PreferredDirectories,
    assigned_directory,
    choose_directory,
)
from moldau.broker.replica.log_dir_scan import LogDirScan, Opening, open_partitions, set_aside
from moldau.broker.replica.opening_reports import OpeningReports
from moldau.broker.replica.partition import Partition, Partitions
from moldau.broker.replica.refusals import not_leader
from moldau.broker.replica.wanted import Wanted, WantedPartitions
from moldau.errors import KafkaError, MoldauError, StorageError
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.protocol.wire.error_codes import ErrorCode

Value = TypeVar("Value")

log = logging.getLogger(__name__)

WORKERS_MAX = 4
"""As many as `Tasks.offload` has threads: more would only queue there."""
OPENED_AT_ONCE_MAX = 32
"""Logs in one piece of work beside the loop, where many wait: 10,000 pieces would cost seconds."""


Asked = tuple[TopicPartition, Wanted]
"""A partition, and what is wanted of it."""
PartitionEpoch = tuple[Partition, int]
"""A partition that is led here, and in which epoch."""
Removed = Callable[[Partition, str], None]
"""Takes over what has left: a log whose directory was renamed to this path."""


class Rules(Protocol):
    """The settings of topics, as they are now."""

    def log_settings(self, topic: str) -> LogSettings: ...

    def min_insync_replicas(self, topic: str) -> int: ...

    def verifies_transactions(self, topic: str) -> bool: ...

    def all_directories_online(self) -> bool: ...


class Reconciler:
    """The partitions that are, and the way to those that shall be."""

    def __init__(
        self, node_id: int, world: World, tasks: Tasks, rules: Rules, removed: Removed
    ) -> None:
        self.here = Partitions()
        self.partitions, self.pending = self.here.by_name, self.here.pending
        self.offline: dict[TopicPartition, str] = {}
        self.wanted = WantedPartitions(node_id)
        self.scans: list[LogDirScan] = []
        self.on_leading: list[Callable[[str, int, int], None]] = []
        self.on_leaving: list[Callable[[str, int], None]] = []
        self.on_following: Callable[[Partition], None] = lambda partition: None
        """Called with a partition that another broker leads, or none, at each change of it."""
        self.on_not_following: Callable[[Partition], None] = lambda partition: None
        """Called with one that is to be led here, or goes."""
        self.on_placed: Callable[[Partition], None] = lambda partition: None
        """Called with the directory of a partition for which none was assigned."""
        self.reports = OpeningReports()
        self.preferred = PreferredDirectories()
        self._node_id = node_id
        self._world = world
        self._tasks = tasks
        self._rules = rules
        self._removed = removed
        self._queue: deque[TopicPartition] = deque()
        self._workers = 0
        self._opening: Counter[str] = Counter()
        """How many logs are just being opened in each directory."""
        self._waiting: dict[tuple[str, int], list[Promise[None]]] = {}

    # What is wanted has changed.

    def touch(self, name: TopicPartition) -> None:
        """Make it true now if that needs no disk, or let a worker do it."""
        if name in self.pending:
            return
        wanted, partition = self.wanted.get(name), self.partitions.get(name)
        if wanted is None and partition is None:
            self.offline.pop(name, None)
            return
        if wanted is not None and partition is not None and not _needs_disk(partition, wanted):
            self._install(partition, wanted)
            return
        if partition is not None:
            self._leave(partition)
        self.pending[name] = None
        self._queue.append(name)
        if self._workers < WORKERS_MAX:
            self._workers += 1
            self._tasks.spawn(f"replica worker {self._workers}", self._work())

    async def settled(self, names: Iterable[tuple[str, int]] | None = None) -> None:
        """Wait until these, or all, are pending no more."""
        for name in list(self.pending) if names is None else names:
            while name in self.pending:
                promise = self._tasks.promise()
                self._waiting.setdefault(name, []).append(promise)
                await promise.wait()

    async def exclusively(
        self, partition: Partition, work: Callable[..., Value], *arguments: object
    ) -> Value:
        """Do blocking work on a partition's log while no other task touches it."""
        name = partition.name
        await self.settled([name])
        if self.partitions.get(name) is not partition:
            raise not_leader(str(name))
        self.pending[name] = None
        try:
            return await self._tasks.offload(work, *arguments)
        except StorageError as error:
            raise partition.failed(error) from error
        finally:
            self._release(name)
            self.touch(name)

    # Making it so.

    async def _work(self) -> None:
        while self._queue:
            count = min(max(len(self._queue) // WORKERS_MAX, 1), OPENED_AT_ONCE_MAX)
            names = [self._queue.popleft() for _ in range(count)]
            await self._open_some(names)
            await self._note_some(names)
            for name in names:
                await self._reconcile(name)
        self._workers -= 1

    async def _open_some(self, names: Sequence[TopicPartition]) -> None:
        """Open those that are wanted and not there; what fails is tried again by itself."""
        asked: dict[str, tuple[LogDirScan, list[Asked]]] = {}
        for name in names:
            wanted = self.wanted.get(name)
            if wanted is not None and name not in self.partitions:
                with suppress(KafkaError):
                    scan = self._scan_for(name, wanted)
                    asked.setdefault(scan.path, (scan, []))[1].append((name, wanted))
        for scan, here in asked.values():
            await self._open(scan, here)

    async def _note_some(self, names: Sequence[TopicPartition]) -> None:
        """Note the epochs of those that are led; a directory that fails then is offline."""
        asked: dict[str, list[PartitionEpoch]] = {}
        for name in names:
            wanted, partition = self.wanted.get(name), self.partitions.get(name)
            if wanted is None or partition is None or wanted.topic_id != partition.topic_id:
                continue
            if _needs_disk(partition, wanted):
                led = partition, wanted.assignment.leader_epoch
                asked.setdefault(partition.directory.path, []).append(led)
        for partition_epochs in asked.values():
            with suppress(StorageError):
                await self._tasks.offload(_note_epochs, partition_epochs)

    async def _reconcile(self, name: TopicPartition) -> None:
        try:
            while await self._step(name):
                pass
            self.offline.pop(name, None)
        except MoldauError as error:
            self._note_offline(name, error)
        self._release(name)

    def _note_offline(self, name: TopicPartition, error: MoldauError) -> None:
        """Log it, unless it is the whole directory's failure, which is logged once for all."""
        is_of_directory = isinstance(error, StorageError | KafkaError)
        if not is_of_directory and self.offline.get(name) != str(error):
            log.error("%s is offline: %s", name, error)
        self.offline[name] = str(error)

    def _release(self, name: TopicPartition) -> None:
        del self.pending[name]
        for promise in self._waiting.pop(name, ()):
            promise.keep(None)

    async def _step(self, name: TopicPartition) -> bool:
        """One piece of work; False once what is equals what is wanted."""
        wanted, partition = self.wanted.get(name), self.partitions.get(name)
        if partition is not None and (wanted is None or wanted.topic_id != partition.topic_id):
            await self._remove(partition)
        elif wanted is None:
            return False
        elif partition is None:
            refused = await self._open(self._scan_for(name, wanted), [(name, wanted)])
            if refused:
                raise refused[0]
        elif _needs_disk(partition, wanted):
            led = partition, wanted.assignment.leader_epoch
            await self._tasks.offload(_note_epochs, [led])
        else:
            self._install(partition, wanted)
            return False
        return True

    async def _open(self, scan: LogDirScan, asked: Sequence[Asked]) -> list[MoldauError]:
        """Have these partitions, their logs opened in this directory; the refusals."""
        openings = self._openings(asked)
        self._opening[scan.path] += len(asked)
        try:
            opened = await self._tasks.offload(open_partitions, self._world, scan, openings)
        finally:
            self._opening[scan.path] -= len(asked)
        refused = []
        for (name, wanted), log in zip(asked, opened, strict=True):
            if isinstance(log, MoldauError):
                refused.append(log)
            else:
                self.partitions[name] = self._partition(name, wanted, scan, log)
                if log.report is not None:
                    self.reports.add(name, log.report)
        return refused

    def _openings(self, asked: Sequence[Asked]) -> list[Opening]:
        settings = {
            topic: self._rules.log_settings(topic) for topic in {one[0].topic for one in asked}
        }
        return [
            Opening(
                name, wanted.topic_id, settings[name.topic], self._epoch_to_note(wanted.assignment)
            )
            for name, wanted in asked
        ]

    def _epoch_to_note(self, assignment: Assignment) -> int | None:
        return assignment.leader_epoch if assignment.leader == self._node_id else None

    def _partition(
        self, name: TopicPartition, wanted: Wanted, scan: LogDirScan, log: PartitionLog
    ) -> Partition:
        log.producers.verify_transactions = self._rules.verifies_transactions(name.topic)
        partition = Partition(
            name,
            wanted.topic_id,
            log,
            scan.directory,
            node_id=self._node_id,
            min_insync_replicas=self._rules.min_insync_replicas(name.topic),
        )
        if assigned_directory(wanted.assignment, self._node_id) != scan.directory_id:
            self.on_placed(partition)
        return partition

    def _scan_for(self, name: TopicPartition, wanted: Wanted) -> LogDirScan:
        """Where it was found, preferred or assigned, or where there is most room.

        A move that a failing disk broke off can leave it in two places. The controller knows which
        of them has been written to since.
        """
        directory_id = assigned_directory(wanted.assignment, self._node_id)
        found = [scan for scan in self.scans if name in scan.found]
        if found:
            return next((one for one in found if one.directory_id == directory_id), found[0])
        online = [scan.directory for scan in self.scans if scan.directory.is_online]
        chosen = self.preferred.take(name, online) or choose_directory(
            online,
            self._counts() if len(online) > 1 else {},
            directory_id,
            all_online=self._rules.all_directories_online(),
        )
        if chosen is None:
            raise KafkaError(
                ErrorCode.KAFKA_STORAGE_ERROR, f"{name}: the log directory for it is offline"
            )
        return next(scan for scan in self.scans if scan.directory is chosen)

    def _counts(self) -> Counter[str]:
        """How many partitions each directory has, or is about to have."""
        counts = Counter(partition.directory.path for partition in self.partitions.values())
        counts.update(self._opening)
        return counts

    async def _remove(self, partition: Partition) -> None:
        scan = next(one for one in self.scans if one.directory is partition.directory)
        partition.is_gone = True
        if scan.directory.is_online:
            path = await self._tasks.offload(
                set_aside, self._world, scan, partition.name, DirectoryState.DELETED
            )
            self._removed(partition, path)
        del self.partitions[partition.name]

    def _install(self, partition: Partition, wanted: Wanted) -> None:
        """Take over the assignment; the log is ready for it."""
        assignment = wanted.assignment
        led_epoch = partition.leader_epoch if partition.is_leader else None
        if assignment.leader != self._node_id:
            if led_epoch is not None:
                self._leave(partition)
            partition.follow(assignment)
            self.on_following(partition)
            return
        self.on_not_following(partition)
        partition.lead(assignment)
        if led_epoch != assignment.leader_epoch:
            for listener in self.on_leading:
                listener(partition.topic, partition.index, assignment.leader_epoch)

    def _leave(self, partition: Partition) -> None:
        """It stops being led here, or followed, at once."""
        self.on_not_following(partition)
        if partition.is_leader:
            for listener in self.on_leaving:
                listener(partition.topic, partition.index)
        partition.refuse_waiting()


def _needs_disk(partition: Partition, wanted: Wanted) -> bool:
    """Whether the log must know of something first."""
    if partition.topic_id != wanted.topic_id:
        return True
    assignment = wanted.assignment
    if assignment.leader != partition.node_id:
        return False
    latest = partition.log.epochs.latest_epoch
    return latest is None or latest < assignment.leader_epoch


def _note_epochs(partition_epochs: Sequence[PartitionEpoch]) -> None:
    for partition, leader_epoch in partition_epochs:
        with partition.directory.guard():
            partition.log.assign_epoch(leader_epoch)
