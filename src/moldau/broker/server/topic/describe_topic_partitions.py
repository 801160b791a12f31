"""DescribeTopicPartitions: topics page by page, with their eligible replicas (KIP-966).

Version 0. Topics come in the order of their names, whatever the request's order. A page ends after
as many partitions as the request allows, or `max.request.partition.size.limit`; the cursor has
where the next begins, and asking with it skips all before. A topic that is not there takes no room
on the page, and is left out when all topics are asked for. One that is named and may not be seen is
refused, also behind the page's end.
"""

from __future__ import annotations

from moldau.broker.metadata.cluster import offline_replicas
from moldau.broker.metadata.topics import NO_LEADER, PartitionState, TopicState
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call, Slices
from moldau.broker.server.topic.creation import INTERNAL_TOPICS, is_legal_name
from moldau.errors import KafkaError
from moldau.platform.slices import in_order
from moldau.protocol.messages.topic.describe_topic_partitions import (
    DescribeTopicPartitionsRequest,
    DescribeTopicPartitionsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

Topic = DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponseTopic
Partition = Topic.DescribeTopicPartitionsResponsePartition
Cursor = DescribeTopicPartitionsResponse.Cursor


def handle(
    call: Call[DescribeTopicPartitionsRequest], broker: Broker
) -> Slices[None, None, DescribeTopicPartitionsResponse]:
    request = call.request
    cursor = request.cursor
    if cursor is not None and cursor.partition_index < 0:
        text = f"the page cannot begin at partition {cursor.partition_index}"
        raise KafkaError(ErrorCode.INVALID_REQUEST, text)
    if cursor is not None and not _names(request, cursor.topic_name):
        text = f"the page cannot begin at {cursor.topic_name!r}, which is not asked for"
        raise KafkaError(ErrorCode.INVALID_REQUEST, text)
    limit = min(
        int(broker.settings.max_request_partition_size_limit),
        max(request.response_partition_limit, 1),
    )
    return _Page(call, broker, limit).filled(request)


def _names(request: DescribeTopicPartitionsRequest, name: str) -> bool:
    return not request.topics or any(topic.name == name for topic in request.topics)


class _Page:
    """One answer on its way, and how much room it has left."""

    def __init__(self, call: Call, broker: Broker, limit: int) -> None:
        self._call = call
        self._broker = broker
        self._room = limit
        self._response = DescribeTopicPartitionsResponse(topics=[])
        self._alive = {
            broker_id: state
            for broker_id, state in broker.metadata.image.cluster.brokers.items()
            if not state.fenced and call.listener in state.endpoints
        }

    def filled(
        self, request: DescribeTopicPartitionsRequest
    ) -> Slices[None, None, DescribeTopicPartitionsResponse]:
        by_name = self._broker.metadata.image.topics.by_name
        begin, first = "", 0
        if request.cursor is not None:
            begin, first = request.cursor.topic_name, request.cursor.partition_index
        asked = [topic.name for topic in request.topics]
        for name in (yield from in_order(asked or by_name)):
            if name < begin:
                continue
            if self._sees(name):
                self._put(name, by_name.get(name), first if name == begin else 0)
            elif asked:
                self._response.topics.append(_hidden(name))
            if self._response.next_cursor is not None and not asked:
                break
            yield
        return self._response

    def _put(self, name: str, topic: TopicState | None, first: int) -> None:
        """On this page, if it has not ended."""
        if self._response.next_cursor is not None:
            return
        if self._room == 0:
            self._response.next_cursor = Cursor(topic_name=name, partition_index=0)
        else:
            self._response.topics.append(self._described(name, topic, first))

    def _described(self, name: str, topic: TopicState | None, first: int) -> Topic:
        if topic is not None:
            return self._known(topic, first)
        code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        missing = _missing(name, code if is_legal_name(name) else ErrorCode.INVALID_TOPIC_EXCEPTION)
        missing.topic_authorized_operations = self._operations(name)
        return missing

    def _sees(self, name: str) -> bool:
        """Whether the caller may; the next page does not begin at a topic that it may not see."""
        allows: bool = self._broker.authorizer.allows(
            self._call, Operation.DESCRIBE, Resource.TOPIC, name
        )
        return allows

    def _known(self, topic: TopicState, first: int) -> Topic:
        indexes = [index for index in sorted(topic.partitions) if index >= first]
        shown, left = indexes[: self._room], indexes[self._room :]
        self._room -= len(shown)
        if left:
            self._response.next_cursor = Cursor(topic_name=topic.name, partition_index=left[0])
        return Topic(
            error_code=ErrorCode.NONE,
            name=topic.name,
            topic_id=topic.topic_id,
            is_internal=topic.name in INTERNAL_TOPICS,
            partitions=[self._partition(index, topic.partitions[index]) for index in shown],
            topic_authorized_operations=self._operations(topic.name),
        )

    def _operations(self, name: str) -> int:
        return self._broker.authorizer.allowed(self._call, Resource.TOPIC, name)

    def _partition(self, index: int, state: PartitionState) -> Partition:
        return Partition(
            error_code=ErrorCode.NONE,
            partition_index=index,
            leader_id=state.leader if state.leader in self._alive else NO_LEADER,
            leader_epoch=state.leader_epoch,
            replica_nodes=list(state.replicas),
            isr_nodes=list(state.isr),
            eligible_leader_replicas=list(state.eligible_leader_replicas),
            last_known_elr=list(state.last_known_elr),
            offline_replicas=offline_replicas(state, self._alive),
        )


def _hidden(name: str) -> Topic:
    hidden = _missing(name, ErrorCode.TOPIC_AUTHORIZATION_FAILED)
    hidden.is_internal = False
    return hidden


def _missing(name: str, code: int) -> Topic:
    return Topic(
        error_code=code,
        name=name,
        topic_id=NULL_UUID,
        is_internal=name in INTERNAL_TOPICS,
        partitions=[],
    )
