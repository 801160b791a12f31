"""Heartbeats of Streams members in a few words, topologies, and members that follow them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from moldau.broker.coordinator.group.streams.group import StreamsGroup
from moldau.broker.metadata.image import Image
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatRequest
from tests.broker.coordinator.group.consumer.conversation import with_topics
from tests.broker.coordinator.group.coordinator import Asked, Coordinator, Reply, SomeSettings

Request = StreamsGroupHeartbeatRequest
Subtopology = Request.Topology.Subtopology
TaskIds = Request.TaskIds
Tasks = Mapping[str, list[int]]


def part(
    name: str,
    *sources: str,
    changelogs: tuple[str, ...] = (),
    sinks: tuple[str, ...] = (),
    repartitioned: Mapping[str, int] | None = None,
    joined: tuple[tuple[int, ...], tuple[int, ...]] | None = None,
) -> Subtopology:
    """A subtopology; `joined` are indexes of its sources and of its repartitioned topics."""
    return Subtopology(
        subtopology_id=name,
        source_topics=list(sources),
        source_topic_regex=[],
        state_changelog_topics=[topic(one, 0) for one in changelogs],
        repartition_sink_topics=list(sinks),
        repartition_source_topics=[topic(one, n) for one, n in (repartitioned or {}).items()],
        copartition_groups=[]
        if joined is None
        else [
            Subtopology.CopartitionGroup(
                source_topics=list(joined[0]),
                source_topic_regex=[],
                repartition_source_topics=list(joined[1]),
            )
        ],
    )


def topic(name: str, partitions: int) -> Request.TopicInfo:
    return Request.TopicInfo(
        name=name, partitions=partitions, replication_factor=0, topic_configs=[]
    )


def topology(*parts: Subtopology, epoch: int = 0) -> Request.Topology:
    return Request.Topology(epoch=epoch, subtopologies=list(parts or (part("0", "t"),)))


def stage(delay_ms: int = 0, **topics: int) -> Coordinator:
    """A coordinator in a cluster with these topics, which waits so long for first members."""
    settings = SomeSettings(group_streams_initial_rebalance_delay_ms=delay_ms)
    return Coordinator(settings, image=with_topics(Image(), "", **(topics or {"t": 4})).build())


def join(member_id: str = "m", sent: Request.Topology | None = None, **how: Any) -> Asked:
    """The first heartbeat of a member."""
    defaults: dict[str, Any] = {
        "topology": topology() if sent is None else sent,
        "active": {},
        "standby": {},
        "rebalance_ms": 60_000,
        "process": member_id,
    }
    return beat(member_id, 0, **{**defaults, **how})


def beat(
    member_id: str = "m",
    epoch: int = 0,
    *,
    group: str = "g",
    topology: Request.Topology | None = None,
    active: Tasks | None = None,
    standby: Tasks | None = None,
    rebalance_ms: int = -1,
    process: str | None = None,
    endpoint: tuple[str, int] | None = None,
    endpoint_epoch: int = 0,
    **more: Any,
) -> Asked:
    """One heartbeat, with nothing in it that is not asked for."""
    request = Request(
        group_id=group,
        member_id=member_id,
        member_epoch=epoch,
        endpoint_information_epoch=endpoint_epoch,
        topology=topology,
        rebalance_timeout_ms=rebalance_ms,
        process_id=process,
        active_tasks=_entries(active),
        standby_tasks=_entries(standby),
        warmup_tasks=None if active is None else [],
        user_endpoint=None
        if endpoint is None
        else Request.Endpoint(host=endpoint[0], port=endpoint[1]),
        **more,
    )
    return Asked(request, 0)


def _entries(tasks: Tasks | None) -> list[TaskIds] | None:
    if tasks is None:
        return None
    return [TaskIds(subtopology_id=one, partitions=tasks[one]) for one in tasks]


def active_in(reply: Reply) -> dict[str, list[int]] | None:
    """The active tasks in an answer."""
    if reply.answer.active_tasks is None:
        return None
    return {entry.subtopology_id: entry.partitions for entry in reply.answer.active_tasks}


def troubles_in(reply: Reply) -> list[int]:
    return [status.status_code for status in reply.answer.status]


def group_of(coordinator: Coordinator, group_id: str = "g") -> StreamsGroup:
    group = coordinator.shard.groups.by_id[group_id]
    assert isinstance(group, StreamsGroup)
    return group


@dataclass
class Client:
    """A thread of an application that does as it is answered, and starts anew when it is fenced."""

    coordinator: Coordinator
    member_id: str
    process: str = ""
    topology: Request.Topology = field(default_factory=lambda: topology())
    epoch: int = 0
    active: dict[str, list[int]] = field(default_factory=dict)
    standby: dict[str, list[int]] = field(default_factory=dict)

    def beat(self) -> Reply:
        if self.epoch == 0:
            reply = self.coordinator >> join(
                self.member_id, self.topology, process=self.process or self.member_id
            )
        else:
            reply = self.coordinator >> beat(
                self.member_id, self.epoch, active=self.active, standby=self.standby
            )
        if reply.code:
            self.epoch, self.active, self.standby = 0, {}, {}
            return reply
        self.epoch = reply.answer.member_epoch
        active = active_in(reply)
        if active is not None:
            self.active = active
            self.standby = {
                one.subtopology_id: one.partitions for one in reply.answer.standby_tasks
            }
        return reply

    def leave(self) -> Reply:
        reply = self.coordinator >> beat(self.member_id, -1)
        self.epoch, self.active, self.standby = 0, {}, {}
        return reply

    def tasks(self) -> set[tuple[str, int]]:
        return {(one, index) for one, indexes in self.active.items() for index in indexes}


def settle(coordinator: Coordinator, *clients: Client, rounds: int = 12) -> None:
    """Every client beats in turn, with time between the rounds, until all is quiet."""
    for _ in range(rounds):
        for client in clients:
            client.beat()
        coordinator.pass_ms(1_000)
