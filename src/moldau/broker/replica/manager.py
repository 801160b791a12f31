"""All partitions of this broker: found by name, and made to be what the metadata has.

`apply` takes a change of the metadata, in order, on the loop. What needs no disk is true when it
returns; the rest is pending until `reconciler` has done it. Who asks for a pending partition may
wait for that in `settled`, or gets NOT_LEADER_OR_FOLLOWER, after which clients try again soon.

Coordinators listen: to `on_leading(topic, index, leader_epoch)`, when a partition is led here and
its log can be read, and to `on_leaving(topic, index)`, when that is over.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Protocol, TypeVar

from moldau.broker.log.directory.directories import LogDirectories
from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.world import World
from moldau.broker.replica import leading
from moldau.broker.replica.leading import FollowerEnds
from moldau.broker.replica.leaving import LeavingFiles, RemovedLog
from moldau.broker.replica.log_dir_scan import (
    LogDirScan,
    remove_deleted,
    scan_log_dirs,
    set_strays_aside,
)
from moldau.broker.replica.moves import Held, Moves
from moldau.broker.replica.opening_reports import OpeningReports
from moldau.broker.replica.partition import NO_EPOCH, Partition
from moldau.broker.replica.reconciler import Reconciler
from moldau.broker.replica.refusals import not_leader, offline, unknown_partition
from moldau.broker.replica.throttle import Throttle, Throttles, is_listed
from moldau.broker.replica.topic_settings import TopicSettings, log_settings
from moldau.broker.replica.wanted import Topic
from moldau.errors import KafkaError, StorageError
from moldau.platform.ports.tasks import Tasks
from moldau.protocol.wire.error_codes import ErrorCode

_logger = logging.getLogger(__name__)

Value = TypeVar("Value")

COORDINATED = frozenset({"__consumer_offsets", "__transaction_state", "__share_group_state"})
"""Topics that coordinators of this broker write to."""
TOPIC_RESOURCE = 2
BROKER_RESOURCE = 4


class Topics(Protocol):
    """The topics of the metadata image."""

    @property
    def by_id(self) -> Mapping[bytes, Topic]: ...
    @property
    def by_name(self) -> Mapping[str, Topic]: ...


class Image(Protocol):
    """The part of the metadata image that replicas read."""

    @property
    def topics(self) -> Topics: ...


class Delta(Protocol):
    """What has changed since the image before."""

    @property
    def changed_topics(self) -> Collection[bytes]: ...
    @property
    def deleted_topics(self) -> Collection[bytes]: ...
    @property
    def changed_configs(self) -> Collection[tuple[int, str]]: ...


SettingsOf = Callable[[Image, str], TopicSettings]
"""The settings of a topic by its name, as an image and the broker's defaults say."""


class ReplicaManager:
    """Finds partitions, and has them follow the metadata."""

    def __init__(
        self,
        node_id: int,
        directories: LogDirectories,
        world: World,
        tasks: Tasks,
        image: Image,
        settings_of: SettingsOf,
        *,
        producer_id_expiration_ms: int = 86_400_000,
        verify_transactions: bool = True,
        throttles: Throttles | None = None,
    ) -> None:
        self.node_id = node_id
        self.directories = directories
        self.world = world
        self.tasks = tasks
        self.image = image
        self.leaving = LeavingFiles(tasks)
        self.proposed: Callable[[Partition, tuple[int, ...]], None] = _not_proposed
        """Takes ISR proposals to the controller; set by the node."""
        self.may_lead: Callable[[int, int], bool] = lambda broker_id, broker_epoch: True
        """Whether a broker of this epoch is alive, by the metadata; set by the node."""
        self.placed: Callable[[Partition], None] = lambda partition: None
        """Reports to the controller in which directory a partition is now; set by the node."""
        self.throttles = throttles or Throttles(world.clock)
        self.moves = Moves(
            world, tasks, self, self._moved, throttle=self.throttles.between_directories
        )
        self.removed_count = 0
        """Partitions that have left since the start; checkpoints still know them for a moment."""
        self._settings_of = settings_of
        self._producer_id_expiration_ms = producer_id_expiration_ms
        self._verify_transactions = verify_transactions
        self._reconciler = Reconciler(node_id, world, tasks, self, self._remember_removed)
        self.here = self._reconciler.here
        """The partitions, for what looks one up with each request."""
        self._reconciler.on_placed = lambda partition: self.placed(partition)

    def __repr__(self) -> str:
        return f"ReplicaManager(node {self.node_id}, {len(self._reconciler.partitions)} partitions)"

    def __iter__(self) -> Iterator[Partition]:
        """All partitions that are here, pending ones left out."""
        pending, partitions = self._reconciler.pending, self._reconciler.partitions
        if not pending:
            return iter(partitions.values())
        return (one for name, one in partitions.items() if name not in pending)

    # Finding.

    def find(self, topic: str, index: int) -> Partition | None:
        """The partition if it is here and ready."""
        return self.here.find(topic, index)

    def partition(self, topic: str, index: int) -> Partition:
        """The partition, or why it cannot be used here."""
        partition = self.find(topic, index)
        if partition is None:
            raise self._refusal(TopicPartition(topic, index))
        partition.check_online()
        return partition

    def leader(self, topic: str, index: int, leader_epoch: int = NO_EPOCH) -> Partition:
        """The partition, if it is led here in that epoch (-1 for any)."""
        partition = self.partition(topic, index)
        partition.check_leader(leader_epoch)
        return partition

    @property
    def pending(self) -> Collection[tuple[str, int]]:
        """Partitions that cannot be looked up just now; mostly none."""
        return self._reconciler.pending

    async def settled(self, names: Iterable[tuple[str, int]] | None = None) -> None:
        """Wait until none of these, or nothing at all, is pending."""
        await self._reconciler.settled(names)

    async def exclusively(
        self, partition: Partition, work: Callable[..., Value], *arguments: object
    ) -> Value:
        """Do blocking work on a partition's log while it is pending; `KafkaError` if it fails."""
        return await self._reconciler.exclusively(partition, work, *arguments)

    def _refusal(self, name: TopicPartition) -> KafkaError:
        reason = self._reconciler.offline.get(name)
        if reason is not None:
            return offline(str(name), reason)
        topic = self.image.topics.by_name.get(name.topic)
        if topic is not None and name.partition in topic.partitions:
            return not_leader(str(name))
        return unknown_partition(name.topic, name.partition)

    def is_current(self, partition: Partition) -> bool:
        """Whether it is still the one of its name."""
        return self._reconciler.partitions.get(partition.name) is partition

    async def in_turn(self, partition: Partition, work: Callable[[], object]) -> None:
        """A few renames and syncs on a log, with no other task on it.

        Beside the loop, except for the logs of coordinators: these append without asking whether
        their partition is pending, so a short wait on the loop is the lesser evil there.
        """
        if partition.topic in COORDINATED:
            try:
                work()
            except StorageError as error:
                raise partition.failed(error) from error
        else:
            await self.exclusively(partition, work)

    @property
    def opening_reports(self) -> OpeningReports:
        """What was wrong with logs when they were opened."""
        return self._reconciler.reports

    # Directories.

    def held_in(
        self, directory: LogDirectory, names: Collection[TopicPartition] | None = None
    ) -> Iterator[Held]:
        """Every log in this directory, or those of these names; copies on their way included.

        Others may go on while it is gone through: partitions that come meanwhile are left out.
        """
        here = list(self) if names is None else [self.find(*name) for name in names]
        for partition in here:
            if partition is not None and partition.directory is directory:
                lag = max(partition.high_watermark - partition.log_end_offset, 0)
                yield Held(partition.name, partition.log.size, lag, is_future=False)
        for move in list(self.moves.under_way.values()):
            if names is not None and move.partition.name not in names:
                continue
            if move.target is directory and move.future is not None:
                yield Held(move.partition.name, move.future.size, move.missing, is_future=True)

    def move(self, topic: str, index: int, path: str) -> None:
        """Keep a partition in another directory from some time on.

        One that is not here yet is refused, and will begin in that directory when it comes.
        """
        target = next((one for one in self.directories.opened if one.path == path), None)
        if target is None and path not in self.directories.offline:
            raise KafkaError(ErrorCode.LOG_DIR_NOT_FOUND, f"{path} is not in log.dirs")
        if target is None or not target.is_online:
            raise offline(path, self.directories.offline[path])
        partition = self.find(topic, index)
        if partition is None:
            name = TopicPartition(topic, index)
            self._reconciler.preferred.note(name, path)
            raise self._not_here_yet(name)
        partition.check_online()
        self.moves.begin(partition, target)

    def _not_here_yet(self, name: TopicPartition) -> KafkaError:
        refusal = self._refusal(name)
        if refusal.code != ErrorCode.NOT_LEADER_OR_FOLLOWER:
            return refusal
        return KafkaError(ErrorCode.REPLICA_NOT_AVAILABLE, f"{name} is not here yet")

    def _moved(
        self, partition: Partition, source: LogDirectory, log: PartitionLog, path: str
    ) -> None:
        due_ms = self.world.clock.now_ms() + log.settings.file_delete_delay_ms
        self.leaving.add(source, RemovedLog(self.world.files, path, log), due_ms)
        self.placed(partition)

    # Followers.

    def note_fetch(
        self, partition: Partition, replica_id: int, ends: FollowerEnds, broker_epoch: int
    ) -> None:
        """Note a follower's end; refuses one that is none."""
        now_ms = self.world.clock.now_ms()
        leading.note_fetch(partition, replica_id, ends, now_ms, broker_epoch)
        joined = leading.isr_with(partition, replica_id, self.may_lead)
        if joined is not None:
            self.propose(partition, joined)

    def holds_back(self, partition: Partition, replica_id: int) -> bool:
        """Whether this follower gets nothing just now: it is behind, throttled, and too fast."""
        throttle = self.throttles.to_followers
        if not throttle.is_set or replica_id in partition.isr or not self.is_throttled(partition):
            return False
        return throttle.is_exceeded

    def is_throttled(self, partition: Partition) -> bool:
        """Whether what is sent of it counts."""
        settings = self._settings_of(self.image, partition.topic)
        throttled = settings.leader_replication_throttled_replicas
        return is_listed(throttled, partition.index, self.node_id)

    def shrink_isrs(self, lag_max_ms: int) -> None:
        """Propose to go on without those that have been behind for too long."""
        now_ms = self.world.clock.now_ms()
        for partition in self:
            left = leading.isr_without_laggards(partition, now_ms, lag_max_ms)
            if left is not None:
                self.propose(partition, left)

    def propose(self, partition: Partition, isr: tuple[int, ...]) -> None:
        """Ask the controller for another ISR; one question at a time for each partition."""
        partition.proposed_isr = isr
        self.proposed(partition, isr)

    # Following.

    def follow_with(
        self, follow: Callable[[Partition], None], unfollow: Callable[[Partition], None]
    ) -> None:
        """Report from now on what another broker leads; of what follows already, at once."""
        self._reconciler.on_following, self._reconciler.on_not_following = follow, unfollow
        for partition in self:
            if not partition.is_leader:
                follow(partition)

    @property
    def from_leaders(self) -> Throttle:
        """How fast partitions that are throttled may be fetched."""
        return self.throttles.from_leaders

    def is_throttled_here(self, partition: Partition) -> bool:
        """Whether what is fetched of it counts."""
        settings = self._settings_of(self.image, partition.topic)
        throttled = settings.follower_replication_throttled_replicas
        return is_listed(throttled, partition.index, self.node_id)

    def is_adding(self, partition: Partition, broker_id: int) -> bool:
        """Whether a reassignment adds a replica of it on that broker."""
        topic = self.image.topics.by_name.get(partition.topic)
        state = None if topic is None else topic.partitions.get(partition.index)
        return state is not None and broker_id in state.adding_replicas

    # Following the metadata.

    def listen(
        self,
        on_leading: Callable[[str, int, int], None],
        on_leaving: Callable[[str, int], None],
    ) -> None:
        """Subscribe to what is led here; called at once for what is led already."""
        self._reconciler.on_leading.append(on_leading)
        self._reconciler.on_leaving.append(on_leaving)
        for partition in self:
            if partition.is_leader:
                on_leading(partition.topic, partition.index, partition.leader_epoch)

    async def start(self) -> None:
        """Look into the log directories, then make true what the image has, in the background."""
        for directory in self.directories:
            scan = await self.tasks.offload(scan_log_dirs, directory)
            self._reconciler.scans.append(scan)
            for complaint in scan.complaints:
                _logger.warning("%s; until then it is taken for empty", complaint)
        for topic in self.image.topics.by_id.values():
            self._take(topic)
        self.tasks.spawn("tidying of log directories", self._tidy_up())

    def apply(self, delta: Delta, image: Image) -> None:
        """Follow one change of the metadata."""
        self.image = image
        reconciler = self._reconciler
        for topic_id in delta.deleted_topics:
            for name in reconciler.wanted.drop_topic(topic_id):
                reconciler.touch(name)
        for topic_id in delta.changed_topics:
            topic = image.topics.by_id.get(topic_id)
            if topic is not None:
                self._take(topic)
        if delta.changed_configs:
            self._refresh_settings(delta.changed_configs)

    def _take(self, topic: Topic) -> None:
        for name in self._reconciler.wanted.set_topic(topic):
            self._reconciler.touch(name)

    def _refresh_settings(self, changed: Collection[tuple[int, str]]) -> None:
        topics = {name for kind, name in changed if kind == TOPIC_RESOURCE}
        everywhere = any(kind == BROKER_RESOURCE for kind, _ in changed)
        for partition in self._reconciler.partitions.values():
            if everywhere or partition.topic in topics:
                partition.log.settings = self.log_settings(partition.topic)
                partition.set_min_insync_replicas(self.min_insync_replicas(partition.topic))

    def log_settings(self, topic: str) -> LogSettings:
        """What the logs of this topic obey now."""
        settings = self._settings_of(self.image, topic)
        return log_settings(settings, self._producer_id_expiration_ms)

    def min_insync_replicas(self, topic: str) -> int:
        return self._settings_of(self.image, topic).min_insync_replicas

    def verify_transactions(self, is_wanted: bool) -> None:
        """From now on, for the logs that are here and those that come."""
        self._verify_transactions = is_wanted
        for partition in self._reconciler.partitions.values():
            verifies = self.verifies_transactions(partition.topic)
            partition.log.producers.verify_transactions = verifies

    def all_directories_online(self) -> bool:
        """Whether none of `log.dirs` has failed, so that a directory that is missing is gone."""
        return not self.directories.offline

    def verifies_transactions(self, topic: str) -> bool:
        """Whether a transaction's first batch needs a word of its coordinator."""
        return self._verify_transactions and topic not in COORDINATED

    # What was here and goes.

    async def _tidy_up(self) -> None:
        """Once all that is assigned is open, the rest of what was found is stray."""
        await self.settled()
        self.opening_reports.summarize()
        for scan in self._reconciler.scans:
            scan.gone.clear()
            self._resume_moves(scan)
            refused = frozenset(self._reconciler.offline)
            try:
                await self.tasks.offload(set_strays_aside, self.world, scan, refused)
                await self.tasks.offload(remove_deleted, self.world, scan)
            except StorageError as error:
                scan.directory.take_offline(str(error))

    def _resume_moves(self, scan: LogDirScan) -> None:
        for name, directory in scan.futures.items():
            partition = self.find(*name)
            if partition is None or partition.directory is scan.directory:
                scan.deleted.append(directory)
            else:
                self.moves.begin(partition, scan.directory, directory)

    def _remember_removed(self, partition: Partition, path: str) -> None:
        self.removed_count += 1
        due_ms = self.world.clock.now_ms() + partition.log.settings.file_delete_delay_ms
        gone = RemovedLog(self.world.files, path, partition.log)
        self.leaving.add(partition.directory, gone, due_ms)


def _not_proposed(partition: Partition, isr: tuple[int, ...]) -> None:
    """A cluster of one has no replica to propose."""
