"""States of groups of every type in which requests are refused, each reached by a dialogue.

A group's name holds what it is and a number, so that each draw begins with a group of its own. What
its members are called, and which generation or epoch they are in, stands beside the dialogue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest
from moldau.protocol.messages.share.share_group_heartbeat import ShareGroupHeartbeatRequest
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatRequest
from tests.interop.differential.dialogues import Dialogue, Step, known
from tests.interop.differential.group_dialogues import commit, consumer_beat, join, leave, sync
from tests.interop.differential.offset_dialogues import begin, commit_pending
from tests.interop.differential.setting_dialogues import GROUP, SET, change
from tests.interop.differential.share_dialogues import take
from tests.interop.differential.values import Draw, one_of

INSTANCE = "desk"
MEMBER = "M" * 22
OTHER_MEMBER = "N" * 22
STRANGER = "stranger"
JOIN, SYNC, LEAVE = 9, 5, 5
BEFORE_TRANSACTION_VERSION_2 = 4
"""The versions by which states are reached."""
LEAVES = -1
LEAVES_FOR_A_WHILE = -2
ASSIGNED = 2
"""Of a streams group: the first epoch in which its member has tasks."""
JOINED, INITIALIZED = 2, 3
"""Epochs of a share group: a member has joined; the state of its partitions is written."""


@dataclass(frozen=True)
class GroupState:
    """A group in one state."""

    group: str
    dialogue: Dialogue
    """How to get there."""
    members: tuple[Any, ...] = ()
    """Ids that are, or were, those of its members."""
    epoch: int = 1
    """The generation of a classic group, the epoch of the members of another."""
    joins: Mapping[str, Draw] = field(default_factory=dict)
    """Values of JoinGroup that have to be others here than usual."""


ONLY_NEW_MEMBERS: Mapping[str, Draw] = {"member_id": one_of(None)}
"""Over any other Kafka drops an empty group from memory, and shows it until its next record."""


def learnt(group: str, name: str = "member") -> dict[str, Callable[[Any], Any]]:
    return {f"{name}:{group}": lambda answer: answer.member_id}


def absent(group: str) -> GroupState:
    return GroupState(group, iter(()))


def deleted(group: str) -> GroupState:
    def dialogue() -> Dialogue:
        yield Step(commit(group, "", -1), 9)
        yield Step(DeleteGroupsRequest(groups_names=[group]), 2)

    return GroupState(group, dialogue())


def offsets_only(group: str) -> GroupState:
    """What consumers that assign themselves leave behind."""
    return GroupState(group, iter([Step(commit(group, "", -1), 9)]))


def offsets_pending(group: str) -> GroupState:
    """A transaction has yet to end.

    Later versions of its requests are for transaction.version 2: at 0 Kafka fails to write it down.
    """

    def dialogue() -> Dialogue:
        yield from begin(group, BEFORE_TRANSACTION_VERSION_2)
        yield Step(commit_pending(group), BEFORE_TRANSACTION_VERSION_2)

    return GroupState(group, dialogue())


# Classic groups.


def _with_members(group: str, dialogue: Dialogue, *members: Any) -> GroupState:
    """New members would have to wait for those that are there, so none joins."""
    joins = {"member_id": one_of(*members, STRANGER)}
    return GroupState(group, dialogue, members, joins=joins)


def _joined(group: str, instance: str | None = None) -> Dialogue:
    member = known(f"member:{group}")
    yield Step(join(group, "", JOIN, instance=instance), JOIN, learnt(group))
    if instance is None:
        yield Step(join(group, member, JOIN), JOIN)


def _synced(group: str, instance: str | None = None) -> Dialogue:
    yield from _joined(group, instance)
    yield Step(sync(group, known(f"member:{group}"), SYNC, 1, instance=instance), SYNC)


def classic_pending(group: str) -> GroupState:
    """A member has an id and has not come back with it.

    If it comes back as a static one, Kafka fails inside (-1).
    """
    dialogue = iter([Step(join(group, "", JOIN), JOIN, learnt(group))])
    members = (known(f"member:{group}"),)
    return GroupState(group, dialogue, members, 0, joins={"group_instance_id": one_of(None)})


def classic_completing(group: str) -> GroupState:
    """The leader has yet to bring the assignment."""
    return _with_members(group, _joined(group), known(f"member:{group}"))


def classic_stable(group: str) -> GroupState:
    return _with_members(group, _synced(group), known(f"member:{group}"))


def classic_static(group: str) -> GroupState:
    """A member with an instance id, whose predecessor was another one."""

    def dialogue() -> Dialogue:
        yield from _synced(group, INSTANCE)
        learns = learnt(group, "successor")
        yield Step(join(group, "", JOIN, instance=INSTANCE), JOIN, learns)

    members = known(f"successor:{group}"), known(f"member:{group}")
    return _with_members(group, dialogue(), *members)


def classic_empty(group: str) -> GroupState:
    def dialogue() -> Dialogue:
        yield from _synced(group)
        yield Step(leave(group, known(f"member:{group}"), LEAVE), LEAVE)

    return GroupState(group, dialogue(), (known(f"member:{group}"),), 2)


# Consumer groups.


def _consumer_joined(group: str, instance: str | None = None, member: str = MEMBER) -> Step:
    more = {"rebalance_timeout_ms": 30_000, "subscribed_topic_names": ["plain"]}
    return Step(
        consumer_beat(group, member, 0, instance_id=instance, topic_partitions=[], **more), 1
    )


def consumer_stable(group: str) -> GroupState:
    return GroupState(group, iter([_consumer_joined(group)]), (MEMBER,))


def consumer_static(group: str) -> GroupState:
    return GroupState(group, iter([_consumer_joined(group, INSTANCE)]), (MEMBER,))


def consumer_replaced(group: str) -> GroupState:
    """A static member went for a while, and another one took its place."""

    def dialogue() -> Dialogue:
        yield _consumer_joined(group, INSTANCE)
        gone = consumer_beat(group, MEMBER, LEAVES_FOR_A_WHILE, instance_id=INSTANCE)
        yield Step(gone, 1)
        yield _consumer_joined(group, INSTANCE, OTHER_MEMBER)

    return GroupState(group, dialogue(), (OTHER_MEMBER, MEMBER))


def consumer_empty(group: str) -> GroupState:
    def dialogue() -> Dialogue:
        yield _consumer_joined(group)
        yield Step(consumer_beat(group, MEMBER, LEAVES), 1)

    return GroupState(group, dialogue(), (MEMBER,), 2, joins=ONLY_NEW_MEMBERS)


# Share groups.


def share_beat(group: str, epoch: int, topics: list[str] | None = None) -> Step:
    request = ShareGroupHeartbeatRequest(
        group_id=group, member_id=MEMBER, member_epoch=epoch, subscribed_topic_names=topics
    )
    return Step(request, 1, until=lambda answer: epoch < JOINED or _reached(INITIALIZED, answer))


def _reached(epoch: int, answer: Any) -> bool:
    """The member is in this epoch, or will never be."""
    return bool(answer.error_code or answer.member_epoch == epoch)


def _share_initialized(group: str) -> Dialogue:
    """Both nodes are done: one that goes on in between writes records that the other does not."""
    yield share_beat(group, 0, ["stamped"])
    yield share_beat(group, JOINED)


def share_stable(group: str) -> GroupState:
    return GroupState(group, _share_initialized(group), (MEMBER,), INITIALIZED)


def share_empty(group: str) -> GroupState:
    def dialogue() -> Dialogue:
        yield from _share_initialized(group)
        yield share_beat(group, LEAVES)

    return GroupState(group, dialogue(), (MEMBER,), INITIALIZED + 1)


def share_session(group: str) -> GroupState:
    """A member that has begun to fetch."""

    def dialogue() -> Dialogue:
        yield from _share_initialized(group)
        yield Step(take(group, 0, member=MEMBER), 2)

    return GroupState(group, dialogue(), (MEMBER,), INITIALIZED)


# Streams groups.


def topology(epoch: int = 0, *sources: str) -> StreamsGroupHeartbeatRequest.Topology:
    of = StreamsGroupHeartbeatRequest.Topology
    part = of.Subtopology(
        subtopology_id="0",
        source_topics=list(sources or ("plain",)),
        source_topic_regex=[],
        state_changelog_topics=[],
        repartition_sink_topics=[],
        repartition_source_topics=[],
        copartition_groups=[],
    )
    return of(epoch=epoch, subtopologies=[part])


def streams_beat(group: str, epoch: int, **more: Any) -> StreamsGroupHeartbeatRequest:
    return StreamsGroupHeartbeatRequest(
        group_id=group, member_id=MEMBER, member_epoch=epoch, endpoint_information_epoch=0, **more
    )


def _streams_assigned(group: str) -> Dialogue:
    yield Step(change(GROUP, group, ("streams.initial.rebalance.delay.ms", SET, "0")), 1)
    joining = streams_beat(
        group,
        0,
        rebalance_timeout_ms=30_000,
        topology=topology(),
        process_id="p",
        client_tags=[],
        active_tasks=[],
        standby_tasks=[],
        warmup_tasks=[],
    )
    yield Step(joining, 0)
    yield Step(streams_beat(group, 1), 0, until=lambda answer: _reached(ASSIGNED, answer))


def streams_stable(group: str) -> GroupState:
    return GroupState(group, _streams_assigned(group), (MEMBER,), ASSIGNED)


def streams_empty(group: str) -> GroupState:
    def dialogue() -> Dialogue:
        yield from _streams_assigned(group)
        yield Step(streams_beat(group, LEAVES), 0)

    return GroupState(group, dialogue(), (MEMBER,), ASSIGNED + 1, joins=ONLY_NEW_MEMBERS)


STATES: tuple[Callable[[str], GroupState], ...] = (
    absent, deleted, offsets_only, offsets_pending,
    classic_pending, classic_completing, classic_stable, classic_static, classic_empty,
    consumer_stable, consumer_static, consumer_replaced, consumer_empty,
    share_stable, share_session, share_empty,
    streams_stable, streams_empty,
)  # fmt: skip
