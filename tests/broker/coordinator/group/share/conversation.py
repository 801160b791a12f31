"""Heartbeats of share groups in a few words, and what share coordinators say to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from moldau.broker.coordinator.group.share.group import ShareGroup
from moldau.broker.coordinator.group.share.steps import PrepareShares, ShareStep
from moldau.broker.metadata.delta import Delta
from moldau.protocol.messages.share.share_group_heartbeat import ShareGroupHeartbeatRequest
from tests.broker.coordinator.group.consumer.conversation import id_of, with_topics
from tests.broker.coordinator.group.coordinator import Asked, Coordinator, Reply, SomeSettings

GROUP = "g"
Places = dict[str, list[int]]


@dataclass
class ShareSettings(SomeSettings):
    """Kafka's defaults, but assignments follow each other at once."""

    group_share_max_size: int = 3
    group_share_session_timeout_ms: int = 45_000
    group_share_min_session_timeout_ms: int = 45_000
    group_share_max_session_timeout_ms: int = 60_000
    group_share_heartbeat_interval_ms: int = 5_000
    group_share_min_heartbeat_interval_ms: int = 5_000
    group_share_max_heartbeat_interval_ms: int = 15_000
    group_share_assignment_interval_ms: int = 0
    group_share_min_assignment_interval_ms: int = 0
    group_share_max_assignment_interval_ms: int = 15_000
    group_share_initialize_retry_interval_ms: int = 30_000
    group_share_record_lock_duration_ms: int = 30_000
    group_share_min_record_lock_duration_ms: int = 15_000
    group_share_max_record_lock_duration_ms: int = 60_000
    group_share_delivery_count_limit: int = 5
    group_share_min_delivery_count_limit: int = 2
    group_share_max_delivery_count_limit: int = 10
    group_share_partition_max_record_locks: int = 2000
    group_share_min_partition_max_record_locks: int = 100
    group_share_max_partition_max_record_locks: int = 4000


@dataclass
class ShareGroupCoordinator(Coordinator):
    """A shard with share groups, and what it wants of share coordinators."""

    settings: ShareSettings = field(default_factory=ShareSettings)
    effects: list[Any] = field(default_factory=list)

    @property
    def group(self) -> ShareGroup:
        group = self.shard.groups.by_id[GROUP]
        assert isinstance(group, ShareGroup)
        return group

    def add_topics(self, **counts: int) -> None:
        self.change(with_topics(self.image, "", **counts))

    def change(self, delta: Delta) -> None:
        self.image = delta.build()
        self.carry_out(self.shard.metadata_changed(delta, self.image, self.now_ms))

    def beat(self, member_id: str, epoch: int, *topics: str, group_id: str = GROUP) -> Reply:
        request = ShareGroupHeartbeatRequest(
            group_id=group_id,
            member_id=member_id,
            member_epoch=epoch,
            subscribed_topic_names=list(topics) or None,
        )
        return self >> Asked(request, 1)

    def answer_effects(self, *, is_made: bool = True) -> None:
        """Share coordinators make what they were asked for, or refuse to."""
        for effect in self.effects:
            assert isinstance(effect, PrepareShares)
            places = [
                ShareStep.TopicPartitions(
                    topic_id=topic.topic_id, partitions=[one.partition for one in topic.partitions]
                )
                for topic in effect.request.topics
            ]
            step = ShareStep(
                group_id=effect.request.group_id,
                confirmed=places if is_made else [],
                failed=[] if is_made else places,
                parted=[],
            )
            assert not (self >> Asked(step, 0)).is_waiting
        self.effects = []

    def joined(self, *member_ids: str, topic: str = "t") -> None:
        """Members that have what they shall have."""
        for member_id in member_ids:
            self.beat(member_id, 0, topic)
        self.answer_effects()
        for _ in range(2):
            for member_id in member_ids:
                self.beat(member_id, self.group.members[member_id].epoch)


def assigned(reply: Reply) -> Places | None:
    """What the answer gives, by the ids that these tests give to topics."""
    if reply.answer.assignment is None:
        return None
    names = {id_of(name): name for name in ("t", "u")}
    return {
        names[one.topic_id]: list(one.partitions)
        for one in reply.answer.assignment.topic_partitions
    }
