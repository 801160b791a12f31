"""Requests of the classic protocol in a few words, and groups that are there already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from moldau.protocol.messages.group.heartbeat import HeartbeatRequest
from moldau.protocol.messages.group.join_group import JoinGroupRequest
from moldau.protocol.messages.group.leave_group import LeaveGroupRequest
from moldau.protocol.messages.group.sync_group import SyncGroupRequest
from moldau.protocol.messages.stored.consumer_protocol import ConsumerProtocolSubscription
from moldau.protocol.wire.compile import encode
from tests.broker.coordinator.group.coordinator import Asked, Coordinator, Reply

SESSION_MS, REBALANCE_MS = 10_000, 60_000


def subscription(*topics: str) -> bytes:
    return b"\0\3" + encode(ConsumerProtocolSubscription(topics=list(topics)), 3)


RANGE = (("range", subscription("t")),)


def join(
    member_id: str = "",
    *,
    group: str = "g",
    instance: str | None = None,
    protocols: tuple[tuple[str, bytes], ...] = RANGE,
    protocol_type: str = "consumer",
    session_ms: int = SESSION_MS,
    rebalance_ms: int = REBALANCE_MS,
    version: int = 9,
    client_id: str = "client",
) -> Asked:
    request = JoinGroupRequest(
        group_id=group,
        session_timeout_ms=session_ms,
        rebalance_timeout_ms=rebalance_ms,
        member_id=member_id,
        group_instance_id=instance,
        protocol_type=protocol_type,
        protocols=[
            JoinGroupRequest.JoinGroupRequestProtocol(name=name, metadata=metadata)
            for name, metadata in protocols
        ],
    )
    return Asked(request, version, client_id)


def sync(
    member_id: str,
    generation: int = 1,
    assignments: dict[str, bytes] | None = None,
    *,
    group: str = "g",
    instance: str | None = None,
    protocol_type: str | None = "consumer",
    protocol_name: str | None = "range",
    version: int = 5,
) -> Asked:
    request = SyncGroupRequest(
        group_id=group,
        generation_id=generation,
        member_id=member_id,
        group_instance_id=instance,
        protocol_type=protocol_type,
        protocol_name=protocol_name,
        assignments=[
            SyncGroupRequest.SyncGroupRequestAssignment(member_id=one, assignment=assignment)
            for one, assignment in (assignments or {}).items()
        ],
    )
    return Asked(request, version)


def heartbeat(
    member_id: str, generation: int = 1, *, group: str = "g", instance: str | None = None
) -> Asked:
    request = HeartbeatRequest(
        group_id=group,
        generation_id=generation,
        member_id=member_id,
        group_instance_id=instance,
    )
    return Asked(request, 4)


def leave(*members: str | tuple[str, str], group: str = "g", version: int = 5) -> Asked:
    """Member ids, or pairs of member id and instance id."""
    if version < 3:
        (member_id,) = members
        assert isinstance(member_id, str)
        return Asked(LeaveGroupRequest(group_id=group, member_id=member_id, members=[]), version)
    identities = [
        LeaveGroupRequest.MemberIdentity(
            member_id=one if isinstance(one, str) else one[0],
            group_instance_id=None if isinstance(one, str) else one[1],
        )
        for one in members
    ]
    return Asked(LeaveGroupRequest(group_id=group, member_id="", members=identities), version)


@dataclass
class Meeting:
    """A stable group, and its members in the order in which they came."""

    coordinator: Coordinator
    members: list[str]

    @property
    def leader(self) -> str:
        return self.members[0]


def enter(coordinator: Coordinator, **how: Any) -> tuple[str, Reply]:
    """Join as a new member: ask for an id if need be, then wait."""
    reply = coordinator >> join(**how)
    if reply.is_waiting or reply.answer.error_code != 79:
        return "", reply
    member_id = reply.answer.member_id
    return member_id, coordinator >> join(member_id, **how)


def meet(count: int = 2, coordinator: Coordinator | None = None, **how: Any) -> Meeting:
    """A group of so many dynamic members, in its first generation, with assignments `0`, `1`…"""
    stage = coordinator or Coordinator()
    entered = [enter(stage, **how) for _ in range(count)]
    stage.pass_ms(7_000 if count > 1 else 3_000)
    members = [reply.answer.member_id for _, reply in entered]
    assignments = {one: str(number).encode() for number, one in enumerate(members)}
    generation = entered[0][1].answer.generation_id
    for number, member_id in enumerate(members):
        stage >> sync(member_id, generation, assignments if number == 0 else None)
    return Meeting(stage, members)
