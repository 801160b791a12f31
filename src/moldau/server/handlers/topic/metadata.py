"""Metadata: brokers, topics, leaders, out of this broker's image.

Versions 0-13. Version 0 asks for all topics with an empty list, later ones with null. From
version 12 on topics may be asked for by id; if any is, those with names alone are left out, as in
Kafka. Versions 10 and 11 have a field for the id but refuse it.

A topic that is not there is created in the background if broker and client allow it, and told as
UNKNOWN_TOPIC_OR_PARTITION meanwhile. Brokers that are fenced, or have no address on the listener
that was asked through, are not told; a partition whose leader is one of them is
LEADER_NOT_AVAILABLE, or LISTENER_NOT_FOUND since version 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from moldau.errors import KafkaError
from moldau.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.metadata.cluster import BrokerState
from moldau.metadata.image import Image
from moldau.metadata.topics import NO_LEADER, PartitionState, TopicState
from moldau.security.access import CLUSTER_NAME, Operation, Resource
from moldau.server.broker import Broker
from moldau.server.call import Call
from moldau.server.topic_creation import INTERNAL_TOPICS, is_legal_name
from moldau.wire.error_codes import ErrorCode
from moldau.wire.types import NULL_UUID

Topic = MetadataResponse.MetadataResponseTopic
Partition = Topic.MetadataResponsePartition

IDS_SINCE = 12
LISTENER_ERRORS_SINCE = 6
NOT_ASKED = -(2**31)
NOBODY = -1


def handle(call: Call, broker: Broker) -> MetadataResponse:
    request = cast("MetadataRequest", call.request)
    image = broker.metadata.image
    alive = {
        broker_id: state
        for broker_id, state in image.cluster.brokers.items()
        if not state.fenced and call.listener in state.endpoints
    }
    topics = list(_Asked(call, broker, image, alive).topics(request))
    if request.include_topic_authorized_operations:
        for topic in topics:
            if topic.name is not None and topic.error_code != ErrorCode.TOPIC_AUTHORIZATION_FAILED:
                topic.topic_authorized_operations = broker.authorizer.allowed(
                    call, Resource.TOPIC, topic.name
                )
    return MetadataResponse(
        brokers=[_told(state, call.listener) for state in alive.values()],
        cluster_id=broker.cluster_id,
        controller_id=_some_broker(broker, alive),
        topics=topics,
        cluster_authorized_operations=_cluster_operations(call, broker, request),
    )


def _told(state: BrokerState, listener: str) -> MetadataResponse.MetadataResponseBroker:
    endpoint = state.endpoints[listener]
    return MetadataResponse.MetadataResponseBroker(
        node_id=state.broker_id, host=endpoint.host, port=endpoint.port, rack=state.rack
    )


def _some_broker(broker: Broker, alive: dict[int, BrokerState]) -> int:
    """Whoever is alive forwards to the controller; Kafka draws one, so that all get their share."""
    if not alive:
        return NOBODY
    return list(alive)[broker.random.randrange(0, len(alive))]


def _cluster_operations(call: Call, broker: Broker, request: MetadataRequest) -> int:
    if not request.include_cluster_authorized_operations:
        return NOT_ASKED
    if not broker.authorizer.allows(call, Operation.DESCRIBE, Resource.CLUSTER, CLUSTER_NAME):
        return 0
    return broker.authorizer.allowed(call, Resource.CLUSTER, CLUSTER_NAME)


class _Asked:
    """One request's way through the topics."""

    def __init__(
        self, call: Call, broker: Broker, image: Image, alive: dict[int, BrokerState]
    ) -> None:
        self._call = call
        self._broker = broker
        self._image = image
        self._alive = alive

    def topics(self, request: MetadataRequest) -> Iterator[Topic]:
        asked = request.topics
        by_name = self._image.topics.by_name
        if asked is None or (not asked and self._call.version == 0):
            return (self._known(topic) for topic in by_name.values() if self._may_see(topic.name))
        if self._call.version < IDS_SINCE:
            _refuse_ids(asked)
        ids = dict.fromkeys(one.topic_id for one in asked if one.topic_id != NULL_UUID)
        if ids:
            return map(self._by_id, ids)
        return iter(self._by_names(request, [_name(one.name) for one in asked]))

    def _by_id(self, topic_id: bytes) -> Topic:
        topic = self._image.topics.by_id.get(topic_id)
        if topic is None:
            return _missing(ErrorCode.UNKNOWN_TOPIC_ID, None, topic_id)
        if not self._may_see(topic.name):
            return _missing(ErrorCode.TOPIC_AUTHORIZATION_FAILED, None, topic_id)
        return self._known(topic)

    def _by_names(self, request: MetadataRequest, names: list[str]) -> Iterable[Topic]:
        by_name = self._image.topics.by_name
        told: list[Topic] = []
        wanted: list[str] = []
        for name in dict.fromkeys(names):
            if not self._may_see(name):
                told.append(_missing(ErrorCode.TOPIC_AUTHORIZATION_FAILED, name))
            elif name in by_name:
                told.append(self._known(by_name[name]))
            elif not is_legal_name(name):
                told.append(_missing(ErrorCode.INVALID_TOPIC_EXCEPTION, name))
            else:
                told.append(_missing(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, name))
                wanted.append(name)
        if wanted and self._may_create(request):
            creatable = (name for name in wanted if self._may_create_topic(name))
            self._broker.topic_creation.begin(self._broker, creatable, self._call)
        return told

    def _may_see(self, name: str) -> bool:
        authorizer = self._broker.authorizer
        return authorizer.allows(self._call, Operation.DESCRIBE, Resource.TOPIC, name)

    def _may_create(self, request: MetadataRequest) -> bool:
        settings = self._broker.settings
        return request.allow_auto_topic_creation and bool(settings.auto_create_topics_enable)

    def _may_create_topic(self, name: str) -> bool:
        authorizer = self._broker.authorizer
        return authorizer.allows(
            self._call, Operation.CREATE, Resource.CLUSTER, CLUSTER_NAME
        ) or authorizer.allows(self._call, Operation.CREATE, Resource.TOPIC, name)

    def _known(self, topic: TopicState) -> Topic:
        return Topic(
            error_code=ErrorCode.NONE,
            name=topic.name,
            topic_id=topic.topic_id,
            is_internal=topic.name in INTERNAL_TOPICS,
            partitions=[self._partition(index, state) for index, state in topic.partitions.items()],
        )

    def _partition(self, index: int, state: PartitionState) -> Partition:
        return Partition(
            error_code=self._error(state),
            partition_index=index,
            leader_id=state.leader if state.leader in self._alive else NO_LEADER,
            leader_epoch=state.leader_epoch,
            replica_nodes=self._reachable(state.replicas),
            isr_nodes=self._reachable(state.isr),
            offline_replicas=[one for one in state.replicas if one not in self._alive],
        )

    def _error(self, state: PartitionState) -> ErrorCode:
        if state.leader in self._alive:
            return ErrorCode.NONE
        leader = self._image.cluster.brokers.get(state.leader)
        if leader is None or leader.fenced or self._call.version < LISTENER_ERRORS_SINCE:
            return ErrorCode.LEADER_NOT_AVAILABLE
        return ErrorCode.LISTENER_NOT_FOUND

    def _reachable(self, replicas: tuple[int, ...]) -> list[int]:
        """Version 0 left out whom its clients could not reach."""
        if self._call.version > 0:
            return list(replicas)
        return [one for one in replicas if one in self._alive]


def _missing(error: ErrorCode, name: str | None, topic_id: bytes = NULL_UUID) -> Topic:
    return Topic(
        error_code=error,
        name=name,
        topic_id=topic_id,
        is_internal=name in INTERNAL_TOPICS,
        partitions=[],
    )


def _name(name: str | None) -> str:
    if name is None:
        raise KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR, "a topic has neither name nor id")
    return name


def _refuse_ids(asked: list[MetadataRequest.MetadataRequestTopic]) -> None:
    for topic in asked:
        if topic.name is None or topic.topic_id != NULL_UUID:
            raise KafkaError(ErrorCode.INVALID_REQUEST, "this version asks for topics by name only")
