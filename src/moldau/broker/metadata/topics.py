"""Topics and partitions of the image, and what a delta changes of them.

Every change record raises the partition epoch by one; one that names a leader raises the leader
epoch, even if it names the one that leads. What a record leaves out stays as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.metadata_topics import (
    ClearElrRecord,
    PartitionChangeRecord,
    PartitionRecord,
    RemoveTopicRecord,
    TopicRecord,
)
from moldau.protocol.wire.types import NULL_UUID

OFFSETS_TOPIC = "__consumer_offsets"
TRANSACTIONS_TOPIC = "__transaction_state"
SHARE_STATE_TOPIC = "__share_group_state"
INTERNAL_TOPICS = frozenset({OFFSETS_TOPIC, TRANSACTIONS_TOPIC, SHARE_STATE_TOPIC})
NO_LEADER = -1
NO_LEADER_CHANGE = -2
NO_RECOVERY_CHANGE = -1
RECOVERED, RECOVERING = 0, 1
MIGRATING_DIRECTORY = NULL_UUID
"""The directory of a replica that is not assigned yet: its broker has a single one."""
UNASSIGNED_DIRECTORY = bytes(15) + b"\x01"
"""The broker is still to choose."""
LOST_DIRECTORY = bytes(15) + b"\x02"
"""The directory is offline."""


class UnknownEntryError(MoldauError):
    """A metadata record changes something that the image does not have."""


@dataclass(frozen=True, slots=True)
class PartitionState:
    """One partition, as all agree that it is."""

    replicas: tuple[int, ...]
    """The first is the preferred leader."""
    directories: tuple[bytes, ...]
    """One for each replica, in the same order."""
    isr: tuple[int, ...]
    removing_replicas: tuple[int, ...] = ()
    adding_replicas: tuple[int, ...] = ()
    leader: int = NO_LEADER
    leader_epoch: int = 0
    partition_epoch: int = 0
    recovery_state: int = RECOVERED
    eligible_leader_replicas: tuple[int, ...] = ()
    last_known_elr: tuple[int, ...] = ()

    def directory_of(self, broker_id: int) -> bytes | None:
        """Where this broker keeps its replica; None if it has none."""
        if broker_id not in self.replicas:
            return None
        return self.directories[self.replicas.index(broker_id)]


@dataclass(frozen=True, slots=True)
class TopicState:
    """One topic with its partitions."""

    name: str
    topic_id: bytes
    partitions: Mapping[int, PartitionState]


@dataclass(frozen=True, slots=True)
class Topics:
    """All topics, found by either of their names."""

    by_name: Mapping[str, TopicState] = field(default_factory=dict)
    by_id: Mapping[bytes, TopicState] = field(default_factory=dict)

    def partition(self, name: str, index: int) -> PartitionState | None:
        topic = self.by_name.get(name)
        return None if topic is None else topic.partitions.get(index)


def partition_of(record: PartitionRecord) -> PartitionState:
    """The partition that a whole record describes."""
    return PartitionState(
        replicas=tuple(record.replicas),
        directories=tuple(record.directories) or (MIGRATING_DIRECTORY,) * len(record.replicas),
        isr=tuple(record.isr),
        removing_replicas=tuple(record.removing_replicas),
        adding_replicas=tuple(record.adding_replicas),
        leader=record.leader,
        leader_epoch=record.leader_epoch,
        partition_epoch=record.partition_epoch,
        recovery_state=record.leader_recovery_state,
        eligible_leader_replicas=tuple(record.eligible_leader_replicas or ()),
        last_known_elr=tuple(record.last_known_elr or ()),
    )


def changed_partition(state: PartitionState, record: PartitionChangeRecord) -> PartitionState:
    """The partition after a change."""
    elects = record.leader != NO_LEADER_CHANGE
    recovers = record.leader_recovery_state != NO_RECOVERY_CHANGE
    return PartitionState(
        replicas=_or(record.replicas, state.replicas),
        directories=_directories(state, record),
        isr=_or(record.isr, state.isr),
        removing_replicas=_or(record.removing_replicas, state.removing_replicas),
        adding_replicas=_or(record.adding_replicas, state.adding_replicas),
        leader=record.leader if elects else state.leader,
        leader_epoch=state.leader_epoch + elects,
        partition_epoch=state.partition_epoch + 1,
        recovery_state=record.leader_recovery_state if recovers else state.recovery_state,
        eligible_leader_replicas=_or(
            record.eligible_leader_replicas, state.eligible_leader_replicas
        ),
        last_known_elr=_or(record.last_known_elr, state.last_known_elr),
    )


def _or(named: list[int] | None, before: tuple[int, ...]) -> tuple[int, ...]:
    return before if named is None else tuple(named)


def _directories(state: PartitionState, record: PartitionChangeRecord) -> tuple[bytes, ...]:
    if record.directories:
        return tuple(record.directories)
    if record.replicas is None or len(record.replicas) == len(state.directories):
        return state.directories
    return (MIGRATING_DIRECTORY,) * len(record.replicas)


class TopicsDelta:
    """What changes of the topics."""

    def __init__(self, topics: Topics) -> None:
        self._before = topics
        self._after: dict[bytes, TopicState] = {}
        self._opened: dict[bytes, dict[int, PartitionState]] = {}
        self.changed: set[bytes] = set()
        """Ids of topics that are new or have a partition that changed."""
        self.deleted: set[bytes] = set()
        """Ids of topics that the image before has, and the one after has not."""
        self.changed_partitions: set[tuple[bytes, int]] = set()

    def topic(self, topic_id: bytes) -> TopicState | None:
        """The topic as it is so far."""
        if topic_id in self.deleted:
            return None
        return self._after.get(topic_id) or self._before.by_id.get(topic_id)

    def apply_topic(self, record: TopicRecord) -> None:
        partitions: dict[int, PartitionState] = {}
        self._after[record.topic_id] = TopicState(record.name, record.topic_id, partitions)
        self._opened[record.topic_id] = partitions
        self.changed.add(record.topic_id)

    def apply_partition(self, record: PartitionRecord) -> None:
        self._put(record.topic_id, record.partition_id, partition_of(record))

    def apply_partition_change(self, record: PartitionChangeRecord) -> None:
        state = self._known(record.topic_id).partitions.get(record.partition_id)
        if state is None:
            raise UnknownEntryError(
                f"metadata changes partition {record.partition_id} of topic "
                f"{record.topic_id.hex()}, which has no such partition"
            )
        self._put(record.topic_id, record.partition_id, changed_partition(state, record))

    def apply_remove_topic(self, record: RemoveTopicRecord) -> str:
        """Take the topic out, and return its name."""
        topic = self._known(record.topic_id)
        self._after.pop(record.topic_id, None)
        self._opened.pop(record.topic_id, None)
        self.changed.discard(record.topic_id)
        self.changed_partitions = {
            place for place in self.changed_partitions if place[0] != record.topic_id
        }
        if record.topic_id in self._before.by_id:
            self.deleted.add(record.topic_id)
        return topic.name

    def apply_clear_elr(self, record: ClearElrRecord) -> None:
        """Remove the eligible leaders (ELR), of one topic or of all; epochs stay."""
        for topic in list(self._all()):
            if record.topic_name not in ("", topic.name):
                continue
            for index, state in list(topic.partitions.items()):
                if state.eligible_leader_replicas or state.last_known_elr:
                    cleared = replace(state, eligible_leader_replicas=(), last_known_elr=())
                    self._put(topic.topic_id, index, cleared)

    def build(self) -> Topics:
        """Topics that nothing touched are shared with the image before."""
        if not self._after and not self.deleted:
            return self._before
        by_id = {**self._before.by_id, **self._after}
        by_name = dict(self._before.by_name)
        for topic_id in self.deleted:
            name = by_id.pop(topic_id).name
            if by_name[name].topic_id == topic_id:
                del by_name[name]
        by_name.update((topic.name, topic) for topic in self._after.values())
        self._opened.clear()
        return Topics(by_name, by_id)

    def _all(self) -> list[TopicState]:
        by_id = {**self._before.by_id, **self._after}
        return [topic for topic_id, topic in by_id.items() if topic_id not in self.deleted]

    def _known(self, topic_id: bytes) -> TopicState:
        topic = self.topic(topic_id)
        if topic is None:
            raise UnknownEntryError(f"metadata changes topic {topic_id.hex()}, which is not there")
        return topic

    def _put(self, topic_id: bytes, index: int, state: PartitionState) -> None:
        partitions = self._opened.get(topic_id)
        if partitions is None:
            topic = self._known(topic_id)
            partitions = dict(topic.partitions)
            self._after[topic_id] = TopicState(topic.name, topic_id, partitions)
            self._opened[topic_id] = partitions
        partitions[index] = state
        self.changed.add(topic_id)
        self.changed_partitions.add((topic_id, index))
