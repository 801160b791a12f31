"""Heartbeats of the consumer protocol in a few words, topics, and clients that follow them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.member import ConsumerMember
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.protocol.messages.group.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest
from moldau.protocol.messages.stored.metadata_cluster import ConfigRecord
from moldau.protocol.messages.stored.metadata_topics import (
    PartitionRecord,
    RemoveTopicRecord,
    TopicRecord,
)
from tests.broker.coordinator.group.coordinator import Asked, Coordinator, Reply

REBALANCE_MS = 60_000
Partitions = Mapping[str, list[int]]


def id_of(topic: str) -> bytes:
    return blake2b(topic.encode(), digest_size=16).digest()


def with_topics(image: Image, salt: str = "", **counts: int) -> Delta:
    """A change after which these topics are there, with so many partitions."""
    delta = Delta(image)
    delta.advance(image.offset + 1, 1)
    for name, count in counts.items():
        known = image.topics.by_name.get(name)
        topic_id = known.topic_id if known else id_of(name + salt)
        if known is None:
            delta.apply(TopicRecord(name=name, topic_id=topic_id))
        for index in range(len(known.partitions) if known else 0, count):
            delta.apply(
                PartitionRecord(
                    partition_id=index,
                    topic_id=topic_id,
                    replicas=[1],
                    isr=[1],
                    removing_replicas=[],
                    adding_replicas=[],
                    leader=1,
                    leader_epoch=0,
                    partition_epoch=0,
                )
            )
    return delta


def without_topic(image: Image, name: str) -> Delta:
    delta = Delta(image)
    delta.advance(image.offset + 1, 1)
    delta.apply(RemoveTopicRecord(topic_id=image.topics.by_name[name].topic_id))
    return delta


def with_group_config(image: Image, group: str, **configs: str) -> Delta:
    delta = Delta(image)
    delta.advance(image.offset + 1, 1)
    for name, value in configs.items():
        name = name.replace("_", ".")
        delta.apply(ConfigRecord(resource_type=32, resource_name=group, name=name, value=value))
    return delta


def stage(**topics: int) -> Coordinator:
    """A coordinator in a cluster with these topics."""
    return Coordinator(image=with_topics(Image(), "", **(topics or {"t": 4})).build())


def change(coordinator: Coordinator, delta: Delta) -> None:
    """The cluster's metadata change."""
    coordinator.image = delta.build()
    coordinator.carry_out(
        coordinator.shard.metadata_changed(delta, coordinator.image, coordinator.now_ms)
    )


def beat(
    member_id: str = "m",
    epoch: int = 0,
    *,
    group: str = "g",
    version: int = 1,
    topics: list[str] | None = None,
    pattern: str | None = None,
    instance: str | None = None,
    assignor: str | None = None,
    rack: str | None = None,
    owned: Partitions | None = None,
    rebalance_ms: int = -1,
    client_id: str = "client",
) -> Asked:
    """One heartbeat, with nothing in it that is not asked for."""
    request = ConsumerGroupHeartbeatRequest(
        group_id=group,
        member_id=member_id,
        member_epoch=epoch,
        instance_id=instance,
        rack_id=rack,
        rebalance_timeout_ms=rebalance_ms,
        subscribed_topic_names=topics,
        subscribed_topic_regex=pattern,
        server_assignor=assignor,
        topic_partitions=None
        if owned is None
        else [
            ConsumerGroupHeartbeatRequest.TopicPartitions(
                topic_id=id_of(topic), partitions=partitions
            )
            for topic, partitions in owned.items()
        ],
    )
    return Asked(request, version, client_id)


def join(member_id: str = "m", *, topics: list[str] | None = None, **how: Any) -> Asked:
    """The first heartbeat of a member: it reads `t`, unless it says otherwise."""
    if topics is None and "pattern" not in how:
        topics = ["t"]
    return beat(member_id, 0, topics=topics, owned={}, rebalance_ms=REBALANCE_MS, **how)


def given(reply: Reply) -> dict[bytes, list[int]] | None:
    """The assignment in an answer, by topic id."""
    assignment = reply.answer.assignment
    if assignment is None:
        return None
    return {entry.topic_id: sorted(entry.partitions) for entry in assignment.topic_partitions}


def group_of(coordinator: Coordinator, group_id: str = "g") -> ConsumerGroup:
    group = coordinator.shard.groups.by_id[group_id]
    assert isinstance(group, ConsumerGroup)
    return group


def member_of(coordinator: Coordinator, member_id: str = "m") -> ConsumerMember:
    return group_of(coordinator).members[member_id]


@dataclass
class Client:
    """A consumer that does as it is answered, and starts anew when it is fenced."""

    coordinator: Coordinator
    member_id: str
    topics: list[str] = field(default_factory=lambda: ["t"])
    instance: str | None = None
    epoch: int = 0
    owned: dict[bytes, set[int]] = field(default_factory=dict)
    says_topics: bool = True

    def beat(self) -> Reply:
        """Say everything that is new, and do as the answer says."""
        joins = self.epoch == 0
        request = replace_owned(
            beat(
                self.member_id,
                self.epoch,
                topics=self.topics if joins or self.says_topics else None,
                instance=self.instance,
                rebalance_ms=REBALANCE_MS if joins else -1,
            ),
            {} if joins else self.owned,
        )
        reply = self.coordinator >> request
        self.says_topics = False
        if reply.code == 0:
            self.follow(reply)
        else:
            self.epoch, self.owned = 0, {}
        return reply

    def follow(self, reply: Reply) -> None:
        self.epoch = reply.answer.member_epoch
        assigned = given(reply)
        if assigned is not None:
            self.owned = {topic_id: set(partitions) for topic_id, partitions in assigned.items()}

    def subscribe(self, *topics: str) -> None:
        self.topics, self.says_topics = list(topics), True

    def leave(self) -> Reply:
        reply = self.coordinator >> beat(self.member_id, -1, instance=self.instance)
        self.epoch, self.owned = 0, {}
        return reply

    def partitions(self) -> set[tuple[bytes, int]]:
        return {(topic_id, one) for topic_id, ones in self.owned.items() for one in ones}


def replace_owned(asked: Asked, owned: Mapping[bytes, set[int]]) -> Asked:
    """The same heartbeat with these partitions."""
    request = asked.request
    assert isinstance(request, ConsumerGroupHeartbeatRequest)
    request.topic_partitions = [
        ConsumerGroupHeartbeatRequest.TopicPartitions(topic_id=topic_id, partitions=sorted(ones))
        for topic_id, ones in owned.items()
    ]
    return replace(asked)


def settle(coordinator: Coordinator, *clients: Client, rounds: int = 12) -> None:
    """Every client beats in turn, with time between the rounds, until all is quiet."""
    for _ in range(rounds):
        for client in clients:
            client.beat()
        coordinator.pass_ms(1_000)
