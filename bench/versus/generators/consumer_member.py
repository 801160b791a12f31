"""A member of a group of the consumer protocol (KIP-848): one heartbeat after the other.

What an answer takes away is given up at once, what it gives is owned at once, and either is
reported with the next heartbeat, which then does not wait.
"""

from __future__ import annotations

import asyncio
from uuid import uuid4

from bench.versus.generators.conversation import Conversation, expect
from moldau.protocol.messages.group.consumer_group_heartbeat import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
)

VERSION = 1
REBALANCE_TIMEOUT_MS = 300_000
"""The default of Kafka's consumer."""
JOINING, LEAVING = 0, -1
"""Epochs."""
Entry = ConsumerGroupHeartbeatRequest.TopicPartitions


class ConsumerMember:
    """`epoch` and `owned` tell where it stands."""

    def __init__(self, group: str, topic: str, partitions: int, heartbeat_s: float) -> None:
        self._group, self._topic = group, topic
        self._heartbeat_s = heartbeat_s
        self._member_id = str(uuid4())
        self._topic_id = bytes(16)
        self._link: Conversation
        self.epoch = JOINING
        self.owned: frozenset[int] = frozenset()

    async def run(self, port: int) -> None:
        """Until it is cancelled."""
        self._link = await Conversation.open(port)
        await self._beat(
            rebalance_timeout_ms=REBALANCE_TIMEOUT_MS,
            subscribed_topic_names=[self._topic],
            topic_partitions=[],
        )
        while True:
            await asyncio.sleep(self._heartbeat_s)
            changed = await self._beat()
            while changed:
                changed = await self._beat(topic_partitions=self._owned_rows())

    async def leave(self, port: int) -> None:
        """When `run` has been cancelled; a request may be on its way there, so it needs a link."""
        self._link.close()
        self._link = await Conversation.open(port)
        self.epoch = LEAVING
        await self._beat()
        self._link.close()

    def _owned_rows(self) -> list[Entry]:
        return [Entry(topic_id=self._topic_id, partitions=sorted(self.owned))] * bool(self.owned)

    async def _beat(self, **fields: object) -> bool:
        """Whether what it owns has changed."""
        request = ConsumerGroupHeartbeatRequest(
            group_id=self._group,
            member_id=self._member_id,
            member_epoch=self.epoch,
            **fields,  # type: ignore[arg-type]  # fields of the request
        )
        answer = await self._link.ask(request, ConsumerGroupHeartbeatResponse, VERSION)
        expect(answer.error_code)
        self.epoch = answer.member_epoch
        if answer.assignment is None:
            return False
        before = self.owned
        for entry in answer.assignment.topic_partitions:
            self._topic_id = entry.topic_id
        self.owned = frozenset(
            index for entry in answer.assignment.topic_partitions for index in entry.partitions
        )
        return self.owned != before
