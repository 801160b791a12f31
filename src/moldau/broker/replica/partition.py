"""One partition as this broker keeps it: who leads it, how far it is replicated, who waits for it.

    log start ≤ last stable ≤ high watermark ≤ log end

The leader appends, and moves the high watermark as followers fetch; `isr` has the arithmetic.
A follower takes records and the high watermark as the leader sends them. Appends, and every move of
the watermark, wake the watchers: fetches that wait for bytes, produce requests that wait for
replicas. A watcher only notes that something happened and does its work later, on its own.

A disk that fails takes its whole log directory along. From then on every call is refused with
KAFKA_STORAGE_ERROR, and the high watermark stays where it was.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from typing import Final

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.appending.result import AppendResult
from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.producers.transaction_verification import VerificationGuard
from moldau.broker.log.reading import FetchResult, Isolation
from moldau.broker.replica.assignment import NO_LEADER, Assignment
from moldau.broker.replica.commit_waiters import Committed, CommitWaiters
from moldau.broker.replica.isr import FollowerProgress, effective_min_isr, replicated_up_to
from moldau.broker.replica.refusals import (
    check_leader_epoch,
    not_enough_replicas,
    not_leader,
    not_settled,
    offline,
)
from moldau.broker.replica.settling import SETTLING_NS, is_gap
from moldau.errors import CorruptRecordError, FileMissingError, KafkaError, StorageError
from moldau.platform.buffers import Buffer

ALL_REPLICAS: Final = -1
"""The `acks` with which the answer waits for the in-sync replicas."""
NO_EPOCH: Final = -1
FIRST_EPOCH: Final = 0
DAMAGE_NOTED_MAX: Final = 20
"""Damaged places of one log; a disk that has more has been noticed."""

_logger: Final = logging.getLogger(__name__)

Watcher = Callable[["Partition"], None]
"""Called on the loop when the log has grown, the watermark has moved, or the leader changed."""


class Partitions:
    """Those of this broker, by topic and index."""

    __slots__ = ("by_name", "pending")

    def __init__(self) -> None:
        self.by_name: dict[tuple[str, int], Partition] = {}
        self.pending: dict[tuple[str, int], None] = {}
        """What is just being opened, moved or removed."""

    def find(self, topic: str, index: int) -> Partition | None:
        """The partition if it is here and ready."""
        # hot: for each partition of each produce and fetch; plain tuples hash like their names.
        name = (topic, index)
        if self.pending and name in self.pending:
            return None
        return self.by_name.get(name)


class Partition:
    """One replica; lives on the loop."""

    __slots__ = (
        "_settled_ns", "_waiters", "damage", "directory", "epoch_start_offset", "followers",
        "index", "is_alone", "is_gone", "is_leader", "isr", "joining", "leader", "leader_epoch",
        "log", "min_insync_replicas", "min_isr", "name", "node_id", "partition_epoch",
        "proposed_isr", "replicas", "topic", "topic_id", "watchers",
    )  # fmt: skip

    def __init__(
        self,
        name: TopicPartition,
        topic_id: bytes,
        log: PartitionLog,
        directory: LogDirectory,
        *,
        node_id: int,
        min_insync_replicas: int = 1,
    ) -> None:
        self.name = name
        self.topic, self.index = name
        self.topic_id = topic_id
        self.log = log
        self.directory = directory
        self.node_id = node_id
        self.min_insync_replicas = min_insync_replicas
        self.min_isr = 1
        self.leader = NO_LEADER
        self.leader_epoch = NO_EPOCH
        self.partition_epoch = NO_EPOCH
        self.is_leader = False
        self.is_gone = False
        """Its directory has another name by now; a read that is still under way comes too late."""
        self.is_alone = True
        """Leads and has no followers: what is written is replicated."""
        self.replicas: tuple[int, ...] = ()
        self.isr: tuple[int, ...] = ()
        self.proposed_isr: tuple[int, ...] | None = None
        """On its way to the controller; until it answers, all of both count."""
        self.followers: dict[int, FollowerProgress] = {}
        self.joining: frozenset[int] = frozenset()
        """Followers that are not in sync but could be elected any moment."""
        self.epoch_start_offset = 0
        self.watchers: dict[Watcher, None] = {}
        self.damage: dict[str, None] = {}
        """Places in its log that could not be read since the start."""
        self._waiters = CommitWaiters()
        self._settled_ns = 0
        """Until then a producer's missing batch may be on its way; 0 where that is over."""

    def __repr__(self) -> str:
        role = "leader" if self.is_leader else f"follower of {self.leader}"
        return (
            f"Partition({self.name}, {role} in epoch {self.leader_epoch}, "
            f"high watermark {self.high_watermark} of {self.log_end_offset})"
        )

    # Where it stands.

    @property
    def log_start_offset(self) -> int:
        return self.log.state.log_start_offset

    @property
    def log_end_offset(self) -> int:
        return self.log.state.log_end_offset

    @property
    def high_watermark(self) -> int:
        return self.log.state.high_watermark

    @property
    def last_stable_offset(self) -> int:
        return self.log.state.last_stable_offset

    @property
    def maximal_isr(self) -> Collection[int]:
        """All that count for the high watermark."""
        return self.isr if self.proposed_isr is None else {*self.isr, *self.proposed_isr}

    @property
    def has_enough_replicas(self) -> bool:
        return len(self.isr) >= self.min_isr

    def check_online(self) -> None:
        """Refuse if the disk under it has failed."""
        reason = self.directory.offline_reason
        if reason is not None:
            raise offline(str(self.name), reason)

    def check_epoch(self, leader_epoch: int) -> None:
        """Refuse a request with another leader epoch than this replica's."""
        self.check_online()
        check_leader_epoch(str(self.name), leader_epoch, self.leader_epoch)

    def check_leader(self, leader_epoch: int = NO_EPOCH) -> None:
        """Refuse unless it is led here, in the leader epoch of the request."""
        self.check_epoch(leader_epoch)
        if not self.is_leader:
            raise not_leader(str(self.name))

    # Records.

    def append(
        self,
        records: Buffer,
        *,
        origin: AppendOrigin = AppendOrigin.CLIENT,
        required_acks: int = ALL_REPLICAS,
        guard: VerificationGuard | None = None,
        transaction_version: int = 0,
    ) -> AppendResult:
        """Append as the leader; the bytes may be patched where they lie."""
        # hot: once for each batch of a produce request.
        if not self.is_leader:
            self.check_online()
            raise not_leader(str(self.name))
        if required_acks == ALL_REPLICAS and len(self.isr) < self.min_isr:
            raise not_enough_replicas(str(self.name), len(self.isr), self.min_isr)
        if self._settled_ns and origin is AppendOrigin.CLIENT:
            self._check_settled(records)
        log = self.log
        try:
            result = log.append_as_leader(
                records,
                self.leader_epoch,
                origin,
                guard=guard,
                transaction_version=transaction_version,
            )
        except StorageError as error:
            raise self.failed(error) from error
        if self.is_alone:
            end_offset = log.state.log_end_offset
            log.high_watermark = end_offset
            if self._waiters.heap:
                self._waiters.release(end_offset)
        else:
            self.advance_high_watermark()
        if self.watchers:
            self.wake()
        return result

    def _check_settled(self, records: Buffer) -> None:
        """Refuse a batch whose predecessor may have been refused while the leader changed."""
        if self.log.state.clock.monotonic_ns() >= self._settled_ns:
            self._settled_ns = 0
        elif is_gap(self.log.producers, records, self.epoch_start_offset):
            raise not_settled(str(self.name))

    def read(
        self,
        offset: int,
        max_bytes: int,
        isolation: Isolation = Isolation.HIGH_WATERMARK,
        *,
        min_one: bool = True,
    ) -> FetchResult:
        """What such a reader may see from `offset` on."""
        log = self.log
        try:
            return log.read(offset, max_bytes, isolation, min_one=min_one)
        except StorageError as error:
            if log is not self.log:  # it has moved to another directory meanwhile
                return self.read(offset, max_bytes, isolation, min_one=min_one)
            raise self.failed(error) from error
        except CorruptRecordError as error:
            self._note_damage(str(error))
            raise

    def _note_damage(self, reason: str) -> None:
        """Log each damaged place once: every read there is refused."""
        if reason in self.damage or len(self.damage) >= DAMAGE_NOTED_MAX:
            return
        self.damage[reason] = None
        _logger.warning(
            "%s: the records there cannot be read, those behind them can; %s", self.name, reason
        )

    def failed(self, error: StorageError) -> KafkaError:
        """The disk failed: its log directory goes offline; the error for the client."""
        if self.is_gone and isinstance(error, FileMissingError):
            return not_leader(str(self.name))
        self.directory.take_offline(str(error))
        return offline(str(self.name), str(error))

    # Waiting for the high watermark.

    def when_committed(self, offset: int, committed: Committed) -> None:
        """Call `committed(None)` once all below `offset` is replicated, or with why it is not.

        At once if it is already. Otherwise from within an append or a follower's fetch.
        """
        if self.high_watermark >= offset:
            committed(None)
        elif not self.is_leader:
            committed(not_leader(str(self.name)))
        else:
            self._waiters.add(offset, committed)

    def watch(self, watcher: Watcher) -> None:
        self.watchers[watcher] = None

    def unwatch(self, watcher: Watcher) -> None:
        self.watchers.pop(watcher, None)

    def wake(self) -> None:
        """Call the watchers; one that has seen enough unwatches."""
        for watcher in tuple(self.watchers):
            watcher(self)

    # Leading.

    def advance_high_watermark(self) -> bool:
        """Move it as far as the followers are; returns whether it moved."""
        if not self.is_leader or not self.has_enough_replicas:
            return False
        state = self.log.state
        replicated = replicated_up_to(
            state.log_end_offset, self.followers, self.maximal_isr, self.joining
        )
        if replicated <= state.high_watermark:
            return False
        self.log.high_watermark = replicated
        self._waiters.release(replicated)
        return True

    def lead(self, assignment: Assignment) -> None:
        """This broker leads, from now on or still. A new epoch is noted in the log before this."""
        if not self.is_leader or assignment.leader_epoch != self.leader_epoch:
            self.epoch_start_offset = self.log_end_offset
            self.followers = {}
            if assignment.leader_epoch > FIRST_EPOCH:
                self._settled_ns = self.log.state.clock.monotonic_ns() + SETTLING_NS
        self._take_over(assignment)
        self.is_leader = True
        others = [broker_id for broker_id in self.replicas if broker_id != self.node_id]
        now_ms = self.log.state.clock.now_ms()
        self.followers = {
            one: self.followers.get(one) or self._fresh(one, now_ms) for one in others
        }
        self.is_alone = not others
        self.advance_high_watermark()
        self.wake()

    def _fresh(self, broker_id: int, now_ms: int) -> FollowerProgress:
        """A replica in the ISR has its time to fetch."""
        return FollowerProgress(caught_up_ms=now_ms if broker_id in self.isr else 0)

    def follow(self, assignment: Assignment) -> None:
        """Another broker leads, or none."""
        was_leader = self.is_leader
        self.is_leader = False
        self.is_alone = False
        self._take_over(assignment)
        self.followers = {}
        if was_leader:
            self.refuse_waiting()
        else:
            self.wake()

    def refuse_waiting(self) -> None:
        """Fail the delayed operations of this partition."""
        self.is_leader = False
        self._waiters.refuse(not_leader(str(self.name)))
        self.wake()

    def set_min_insync_replicas(self, count: int) -> None:
        """As the topic's settings say now."""
        self.min_insync_replicas = count
        self.min_isr = effective_min_isr(count, len(self.replicas))
        if self.advance_high_watermark():
            self.wake()

    def _take_over(self, assignment: Assignment) -> None:
        self.replicas = tuple(assignment.replicas)
        self.isr = tuple(assignment.isr)
        if assignment.partition_epoch != self.partition_epoch or not self.is_leader:
            self.proposed_isr = None
            self.joining = frozenset()
        self.leader = assignment.leader
        self.leader_epoch = assignment.leader_epoch
        self.partition_epoch = assignment.partition_epoch
        self.min_isr = effective_min_isr(self.min_insync_replicas, len(self.replicas))
