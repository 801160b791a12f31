"""A member of a classic group: joins, syncs, heartbeats, and joins again when it has to.

The member that leads gives every member the partitions that fall to its place in the list of
member ids. Nothing is kept through a rebalance (the eager protocol).
"""

from __future__ import annotations

import asyncio

from bench.versus.generators.conversation import Conversation, expect
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest, HeartbeatResponse
from moldau.protocol.messages.group.join_group import JoinGroupRequest, JoinGroupResponse
from moldau.protocol.messages.group.leave_group import LeaveGroupRequest, LeaveGroupResponse
from moldau.protocol.messages.group.sync_group import SyncGroupRequest, SyncGroupResponse
from moldau.protocol.messages.stored.consumer_protocol import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
)
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.error_codes import ErrorCode

JOIN, SYNC, HEARTBEAT, LEAVE = 9, 5, 4, 5
"""Versions."""
PROTOCOL_VERSION = 3
PROTOCOL, ASSIGNOR = "consumer", "range"
SESSION_TIMEOUT_MS = 45_000
REBALANCE_TIMEOUT_MS = 300_000
"""Defaults of Kafka's consumer."""
AGAIN = (ErrorCode.REBALANCE_IN_PROGRESS, ErrorCode.ILLEGAL_GENERATION)
Entry = ConsumerProtocolAssignment.TopicPartition


class ClassicMember:
    """`epoch` and `owned` tell where it stands; epoch 0 is outside of any generation."""

    def __init__(self, group: str, topic: str, partitions: int, heartbeat_s: float) -> None:
        self._group, self._topic, self._partitions = group, topic, partitions
        self._heartbeat_s = heartbeat_s
        self._member_id = ""
        self._link: Conversation
        self.epoch = 0
        self.owned: frozenset[int] = frozenset()

    async def run(self, port: int) -> None:
        """Until it is cancelled."""
        self._link = await Conversation.open(port)
        while True:
            if not await self._may_stay():
                self.epoch = 0
            while self.epoch == 0:
                await self._join()
            await asyncio.sleep(self._heartbeat_s)

    async def leave(self, port: int) -> None:
        """When `run` has been cancelled; a request may be on its way there, so it needs a link."""
        self._link.close()
        link = await Conversation.open(port)
        identity = LeaveGroupRequest.MemberIdentity(member_id=self._member_id)
        request = LeaveGroupRequest(group_id=self._group, members=[identity])
        answer = await link.ask(request, LeaveGroupResponse, LEAVE)
        expect(answer.error_code)
        link.close()

    async def _join(self) -> None:
        self.epoch, self.owned = 0, frozenset()
        joined = await self._ask_to_join()
        if joined.error_code == ErrorCode.MEMBER_ID_REQUIRED:
            self._member_id = joined.member_id
            joined = await self._ask_to_join()
        expect(joined.error_code)
        self._member_id = joined.member_id
        request = SyncGroupRequest(
            group_id=self._group,
            generation_id=joined.generation_id,
            member_id=self._member_id,
            protocol_type=PROTOCOL,
            protocol_name=ASSIGNOR,
            assignments=self._assignments([one.member_id for one in joined.members]),
        )
        synced = await self._link.ask(request, SyncGroupResponse, SYNC)
        if synced.error_code in AGAIN:
            return
        expect(synced.error_code)
        mine = decode(ConsumerProtocolAssignment, 0, bytes(synced.assignment)[2:])
        self.owned = frozenset(
            index for entry in mine.assigned_partitions for index in entry.partitions
        )
        self.epoch = joined.generation_id

    async def _ask_to_join(self) -> JoinGroupResponse:
        wanted = encode(ConsumerProtocolSubscription(topics=[self._topic]), PROTOCOL_VERSION)
        protocol = JoinGroupRequest.JoinGroupRequestProtocol(
            name=ASSIGNOR, metadata=PROTOCOL_VERSION.to_bytes(2, "big") + wanted
        )
        request = JoinGroupRequest(
            group_id=self._group,
            session_timeout_ms=SESSION_TIMEOUT_MS,
            rebalance_timeout_ms=REBALANCE_TIMEOUT_MS,
            member_id=self._member_id,
            protocol_type=PROTOCOL,
            protocols=[protocol],
        )
        return await self._link.ask(request, JoinGroupResponse, JOIN)

    def _assignments(self, members: list[str]) -> list[SyncGroupRequest.SyncGroupRequestAssignment]:
        return [
            SyncGroupRequest.SyncGroupRequestAssignment(
                member_id=member, assignment=self._share(place, len(members))
            )
            for place, member in enumerate(members)
        ]

    def _share(self, place: int, members: int) -> bytes:
        mine = list(range(place, self._partitions, members))
        entries = [Entry(topic=self._topic, partitions=mine)] if mine else []
        assignment = ConsumerProtocolAssignment(assigned_partitions=entries)
        return PROTOCOL_VERSION.to_bytes(2, "big") + encode(assignment, PROTOCOL_VERSION)

    async def _may_stay(self) -> bool:
        if self.epoch == 0:
            return False
        request = HeartbeatRequest(
            group_id=self._group, generation_id=self.epoch, member_id=self._member_id
        )
        answer = await self._link.ask(request, HeartbeatResponse, HEARTBEAT)
        expect(answer.error_code, *AGAIN)
        return answer.error_code == 0
