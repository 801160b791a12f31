"""Coordinators move from node to node: what they acknowledged stays, and members stay members."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import count, cycle
from typing import Any

import pytest

from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest
from moldau.protocol.messages.group.join_group import JoinGroupRequest
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.messages.group.offset_fetch import OffsetFetchRequest
from moldau.protocol.messages.group.sync_group import SyncGroupRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Request
from tests.cluster.asking import make_topic
from tests.cluster.leader_moves import moving
from tests.cluster.nodes import Nodes
from tests.interop.differential.side import Side

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]

TOPIC, MEMBERS = "topic", "members"
PAUSE_S = 0.4
MOVES = 20
"""That often another node becomes the coordinator."""
SESSION_MS = 45_000
FIND, COMMIT, FETCH, JOIN, SYNC, BEAT = 3, 9, 9, 3, 3, 4
"""Versions of the requests."""
ELSEWHERE = {
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
}
"""All that a client may be answered because of a move."""


class Coordinator:
    """Whichever node it is: one after the other is asked, beginning with the last that was."""

    def __init__(self, nodes: Nodes) -> None:
        self._sides = [
            Side(f"node {number}", node.client_port) for number, node in enumerate(nodes)
        ]
        self.moved = 0
        """How often it was another one."""
        self._sides[0].ask(FindCoordinatorRequest(key=MEMBERS), FIND)  # has its topic made

    def close(self) -> None:
        for side in self._sides:
            side.close()

    def ask(self, request: Request, version: int) -> tuple[int, Any]:
        """The first answer of a coordinator that is there, with its code."""
        for tried, side in zip(count(), cycle(tuple(self._sides)), strict=False):
            answer = side.ask(request, version)
            code = code_of(answer)
            if code not in ELSEWHERE:
                if tried:
                    self.moved += 1
                    self._sides.remove(side)
                    self._sides.insert(0, side)
                return code, answer
        raise AssertionError("a cycle ends never")


def code_of(answer: Any) -> int:
    if hasattr(answer, "groups") and answer.groups:
        return int(answer.groups[0].error_code)
    if hasattr(answer, "topics"):
        return int(answer.topics[0].partitions[0].error_code)
    return int(answer.error_code)


def commit(group: str, offset: int, member: str = "", generation: int = -1) -> Request:
    of = OffsetCommitRequest.OffsetCommitRequestTopic
    part = of.OffsetCommitRequestPartition(
        partition_index=0, committed_offset=offset, committed_metadata=""
    )
    return OffsetCommitRequest(
        group_id=group,
        generation_id_or_member_epoch=generation,
        member_id=member,
        topics=[of(name=TOPIC, partitions=[part])],
    )


def fetch(group: str) -> Request:
    of = OffsetFetchRequest.OffsetFetchRequestGroup
    topic = of.OffsetFetchRequestTopics(name=TOPIC, partition_indexes=[0])
    return OffsetFetchRequest(groups=[of(group_id=group, topics=[topic])], require_stable=True)


def join(coordinator: Coordinator) -> tuple[str, int]:
    """Become the one member of a classic group; the id and the generation."""
    protocol = JoinGroupRequest.JoinGroupRequestProtocol(name="any", metadata=b"")
    joins = JoinGroupRequest(
        group_id=MEMBERS,
        session_timeout_ms=SESSION_MS,
        rebalance_timeout_ms=SESSION_MS,
        member_id="",
        protocol_type="consumer",
        protocols=[protocol],
    )
    code, joined = coordinator.ask(joins, JOIN)
    assert code == ErrorCode.NONE
    member, generation = joined.member_id, joined.generation_id
    of = SyncGroupRequest.SyncGroupRequestAssignment
    syncs = SyncGroupRequest(
        group_id=MEMBERS,
        generation_id=generation,
        member_id=member,
        assignments=[of(member_id=member, assignment=b"all")],
    )
    assert coordinator.ask(syncs, SYNC)[0] == ErrorCode.NONE
    return member, generation


@pytest.fixture
def nodes(tmp_path: Any) -> Iterator[Nodes]:
    with Nodes(tmp_path) as nodes:
        make_topic(nodes.bootstrap, TOPIC, 1, 3)
        yield nodes


def test_no_acknowledged_offset_is_lost_and_a_member_stays_one(nodes):
    with closing(Coordinator(nodes)) as coordinator:
        member, generation = join(coordinator)
        beat = HeartbeatRequest(group_id=MEMBERS, generation_id=generation, member_id=member)
        acknowledged = 0
        with moving(nodes, PAUSE_S):
            while coordinator.moved < MOVES:
                codes = [
                    coordinator.ask(commit(f"group-{acknowledged}", acknowledged), COMMIT)[0],
                    coordinator.ask(beat, BEAT)[0],
                    coordinator.ask(commit(MEMBERS, acknowledged, member, generation), COMMIT)[0],
                ]
                assert codes == [ErrorCode.NONE] * 3
                acknowledged += 1
        wanted = {MEMBERS: acknowledged - 1, **{f"group-{n}": n for n in range(acknowledged)}}
        found = {}
        for group in wanted:
            _, answer = coordinator.ask(fetch(group), FETCH)
            found[group] = answer.groups[0].topics[0].partitions[0].committed_offset
        assert found == wanted
