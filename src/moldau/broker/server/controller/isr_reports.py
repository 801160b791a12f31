"""A leader's reports of its in-sync replicas to the controller (AlterPartition, KIP-497, 841, 903).

    proposed ──► gathered while a question is under way ──► asked, again until there is an answer
       answered: yes, or the partition has changed meanwhile ──► stands until the metadata come
       answered: no                                          ──► taken back

While a proposal stands, both in-sync sets count for the high watermark. So it may not be taken back
while the controller could have agreed: a question that got no answer is asked again, and if the
first one arrived after all, the answer is that the partition has changed.

Each member is named in the life in which it last fetched, so that one that has come back without
its disk is not let in for what it had before.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import cast

from moldau.broker.controller.decision import Call as ControllerCall
from moldau.broker.replica.partition import Partition
from moldau.broker.server.broker import Broker
from moldau.errors import KafkaError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.broker.alter_partition import (
    AlterPartitionRequest,
    AlterPartitionResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["IsrReports"]

log = logging.getLogger(__name__)

ALTER_VERSION = 3
PARTITIONS_MAX = 2_250
"""In one question."""
RETRY_MS = 50
ANY_EPOCH = -1
FAILED = "FailedIsrUpdatesPerSec"
HAS_CHANGED = frozenset(
    {
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.INVALID_UPDATE_VERSION,
        ErrorCode.NEW_LEADER_ELECTED,
    }
)
"""The controller knows a newer state, which may be what was proposed; the metadata will show it."""

Topic = AlterPartitionRequest.TopicData
Member = Topic.PartitionData.BrokerState
Answer = AlterPartitionResponse.TopicData.PartitionData
Key = tuple[bytes, int]


@dataclass(slots=True)
class _Proposal:
    """Another in-sync set, built on one state of the partition."""

    partition: Partition
    isr: tuple[int, ...]
    members: list[Member]
    leader_epoch: int
    partition_epoch: int

    @property
    def stands(self) -> bool:
        """Whether nothing has come in between."""
        partition = self.partition
        return partition.proposed_isr == self.isr and (
            partition.leader_epoch,
            partition.partition_epoch,
        ) == (self.leader_epoch, self.partition_epoch)

    def take_back(self) -> None:
        """Both sets are one again."""
        if self.stands:
            self.partition.proposed_isr = None


class IsrReports:
    """A broker's proposals of in-sync replicas, sent to the controller (AlterPartition)."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._waiting: dict[Key, _Proposal] = {}
        self._is_asking = False
        self._failed = broker.metrics.meter("kafka.server", "ReplicaManager", FAILED)

    def __repr__(self) -> str:
        return f"IsrReports({len(self._waiting)} proposals)"

    def proposed(self, partition: Partition, isr: tuple[int, ...]) -> None:
        """Ask for this in-sync set, built on what is known of the partition now."""
        self._waiting[partition.topic_id, partition.index] = _Proposal(
            partition,
            isr,
            [self._member(partition, broker_id) for broker_id in isr],
            partition.leader_epoch,
            partition.partition_epoch,
        )
        if not self._is_asking:
            self._is_asking = True
            self._broker.tasks.spawn("in-sync replicas", self._ask_all())

    def _member(self, partition: Partition, broker_id: int) -> Member:
        if broker_id == self._broker.node_id:
            return Member(broker_id=broker_id, broker_epoch=self._broker.epoch)
        progress = partition.followers.get(broker_id)
        epoch = ANY_EPOCH if progress is None else progress.broker_epoch
        return Member(broker_id=broker_id, broker_epoch=epoch)

    async def _ask_all(self) -> None:
        while asked := self._next():
            answers = await self._ask(asked.values())
            if answers is None:
                await self._broker.tasks.sleep(RETRY_MS)
                continue
            for key, proposal in asked.items():
                if key in answers:
                    self._failed.count += answers[key].error_code != ErrorCode.NONE
                    _settle(proposal, answers[key])
                if self._waiting.get(key) is proposal:
                    del self._waiting[key]
        self._is_asking = False

    def _next(self) -> dict[Key, _Proposal]:
        """Those that still stand, as many as fit into a question."""
        self._waiting = {key: one for key, one in self._waiting.items() if one.stands}
        return dict(islice(self._waiting.items(), PARTITIONS_MAX))

    async def _ask(self, proposals: Iterable[_Proposal]) -> Mapping[Key, Answer] | None:
        """The controller's answers; None where there is none, or not yet."""
        broker = self._broker
        request = AlterPartitionRequest(
            broker_id=broker.node_id,
            broker_epoch=broker.epoch,
            topics=_by_topic(proposals),
        )
        try:
            response = cast(
                AlterPartitionResponse,
                await broker.metadata.ask(request, ControllerCall(version=ALTER_VERSION)),
            )
        except KafkaError as error:
            log.info("The controller could not be asked for other in-sync replicas: %s", error)
            return None
        if response.error_code != ErrorCode.NONE:
            code = ErrorCode.read(response.error_code)
            log.info("The controller takes no in-sync replicas from here: %s", code.message)
            return None
        return {
            (topic.topic_id, one.partition_index): one
            for topic in response.topics
            for one in topic.partitions
        }


def _settle(proposal: _Proposal, answer: Answer) -> None:
    code = ErrorCode.read(answer.error_code)
    if code in HAS_CHANGED:
        return
    if code is not ErrorCode.NONE:
        name = proposal.partition.name
        log.info("%s: the controller refuses the ISR %s: %s", name, proposal.isr, code.message)
        proposal.take_back()
    elif answer.partition_epoch <= proposal.partition_epoch:
        proposal.take_back()  # nothing has changed, so no metadata will come


def _by_topic(proposals: Iterable[_Proposal]) -> list[Topic]:
    topics: dict[bytes, Topic] = {}
    for one in proposals:
        topic_id = one.partition.topic_id
        topic = topics.setdefault(topic_id, Topic(topic_id=topic_id, partitions=[]))
        topic.partitions.append(
            Topic.PartitionData(
                partition_index=one.partition.index,
                leader_epoch=one.leader_epoch,
                new_isr_with_epochs=one.members,
                partition_epoch=one.partition_epoch,
            )
        )
    return list(topics.values())
