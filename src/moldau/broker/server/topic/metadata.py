"""Metadata: brokers, topics, leaders, out of this broker's image.

Versions 0-13. Version 0 asks for all topics with an empty list, later ones with null. From
version 12 on topics may be asked for by id; if any is, those with names alone are left out, as in
Kafka. Versions 10 and 11 have a field for the id but refuse it.

A topic that is not there is created in the background if broker and client allow it, and shown as
UNKNOWN_TOPIC_OR_PARTITION meanwhile; a client that may not create it is refused. Brokers that are
fenced, or have no address on the listener that was asked through, are left out; a partition whose
leader is one of them is LEADER_NOT_AVAILABLE, or LISTENER_NOT_FOUND since version 6. What is shown
of brokers whose process has just ended stands in `server.topic.lost_brokers`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from functools import partial
from typing import Final

from moldau.broker.metadata.cluster import BrokerState
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import TopicState
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.security.authorizer import AllowAll
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call, Slices, Unanswered
from moldau.broker.server.later import answer_later
from moldau.broker.server.slices import at_once, each, in_slices, run_slice
from moldau.broker.server.spliced import SplicedAnswer
from moldau.broker.server.topic.answers import Topic, TopicAnswers
from moldau.broker.server.topic.creation import INTERNAL_TOPICS, is_legal_name
from moldau.broker.server.topic.metadata_reader import MetadataAnswer, ReadMetadata
from moldau.errors import KafkaError
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

IDS_SINCE: Final = 12
NOT_ASKED: Final = -(2**31)
NO_LEADER: Final = -1
STEP: Final = 64
"""Topics between two places where others may go on: most are known, and take a look-up."""

TOPICS_FEW: Final = 4
PARTITIONS_FEW: Final = 64
"""So many topics, of so many partitions each, are encoded in a millisecond."""
Found = TopicState | Topic
"""A topic that is there, or why it is not shown."""


def handle(
    call: Call[MetadataRequest], broker: Broker
) -> bytes | MetadataAnswer | Generator[None, None, MetadataAnswer] | Unanswered:
    """An answer to the same question is given again, as long as nothing has changed."""
    read = call.read
    if isinstance(read, ReadMetadata):
        return read.kept.draw(broker.random) if read.kept else _answer_and_keep(call, broker, read)
    lost = broker.lost_brokers
    if lost is not None and (lost.are_unsettled or lost.may_come_first(call)):
        return answer_later(call, broker, _answer_when_settled(call, broker))
    return _answer_now(call, broker)


def _answer_and_keep(
    call: Call[MetadataRequest], broker: Broker, read: ReadMetadata
) -> MetadataAnswer | Generator[None, None, MetadataAnswer]:
    """Keep it for the next request, unless it takes longer than a slice to make."""
    answer = _answer_now(call, broker)
    if isinstance(answer, Slices):
        is_done, found = run_slice(broker.clock, answer)
        if not is_done or found is None:
            return answer
        answer = found
    read.keep(answer)
    return answer


def _answer_now(
    call: Call[MetadataRequest], broker: Broker
) -> MetadataAnswer | Generator[None, None, MetadataAnswer]:
    """The part of a topic is the same for all clients, and kept in its encoded form."""
    work = _answer(call, broker)
    return at_once(work) if _is_short(call, broker.metadata.image) else work


async def _answer_when_settled(call: Call[MetadataRequest], broker: Broker) -> MetadataAnswer:
    lost = broker.lost_brokers
    assert lost is not None, "something may be unsettled"
    await lost.settled_soon()
    return await in_slices(broker, _answer(call, broker))


def _is_short(call: Call[MetadataRequest], image: Image) -> bool:
    """Whether it asks for a few topics of a few partitions."""
    asked = call.request.topics
    if not asked or len(asked) > TOPICS_FEW:
        return False
    for one in asked:
        topic = image.topics.by_name.get(one.name or "") or image.topics.by_id.get(one.topic_id)
        if topic is not None and len(topic.partitions) > PARTITIONS_FEW:
            return False
    return True


def _answer(call: Call[MetadataRequest], broker: Broker) -> Generator[None, None, MetadataAnswer]:
    request = call.request
    image = broker.metadata.image
    answers = broker.topic_answers.of(image, call.listener, call.version)
    response = _without_topics(call, broker, answers)
    if request.include_topic_authorized_operations:
        response.topics = yield from _plain_topics(call, broker, image, answers)
        return response
    if _wants_all(request, call.version) and type(broker.authorizer) is AllowAll:
        count = len(image.topics.by_name)
        return SplicedAnswer(
            response, answers.splice, count, [(yield from answers.all(image.topics))]
        )
    found = yield from _Asked(call, broker, image).topics(request)
    return SplicedAnswer(
        response, answers.splice, len(found), (yield from _encoded(answers, found))
    )


def _plain_topics(
    call: Call[MetadataRequest], broker: Broker, image: Image, answers: TopicAnswers
) -> Generator[None, None, list[Topic]]:
    """The topics' part, and what the caller may do with them."""
    request = call.request
    topics = []
    for one in (yield from _Asked(call, broker, image).topics(request)):
        topic = one if isinstance(one, Topic) else answers.plain(one)
        if topic.name is not None and topic.error_code != ErrorCode.TOPIC_AUTHORIZATION_FAILED:
            topic.topic_authorized_operations = broker.authorizer.allowed(
                call, Resource.TOPIC, topic.name
            )
        topics.append(topic)
        yield
    return topics


def _encoded(answers: TopicAnswers, found: list[Found]) -> Generator[None, None, list[bytes]]:
    parts: list[bytes] = []
    missing: list[Topic] = []
    for one in found:
        if isinstance(one, Topic):
            missing.append(one)
            if len(missing) < STEP:
                continue
        if missing:
            parts.append(answers.splice.elements(missing))
            missing = []
        if isinstance(one, TopicState):
            parts.append(answers.encoded(one))
        yield
    if missing:
        parts.append(answers.splice.elements(missing))
    return parts


def _without_topics(
    call: Call[MetadataRequest], broker: Broker, answers: TopicAnswers
) -> MetadataResponse:
    request = call.request
    return MetadataResponse(
        brokers=[_broker(state, call.listener) for state in _listed(call, broker, answers)],
        cluster_id=broker.cluster_id,
        controller_id=_some_broker(broker, list(answers.alive)),
        topics=[],
        cluster_authorized_operations=_cluster_operations(call, broker, request),
    )


def _listed(call: Call, broker: Broker, answers: TopicAnswers) -> list[BrokerState]:
    lost, alive = broker.lost_brokers, list(answers.alive.values())
    if lost is None:
        return alive
    return [*alive, *lost.fenced_lately(broker.metadata.image, call.listener)]


def _broker(state: BrokerState, listener: str) -> MetadataResponse.MetadataResponseBroker:
    endpoint = state.endpoints[listener]
    return MetadataResponse.MetadataResponseBroker(
        node_id=state.broker_id, host=endpoint.host, port=endpoint.port, rack=state.rack
    )


def _some_broker(broker: Broker, alive: list[int]) -> int:
    """Any live broker forwards to the controller; Kafka draws one, so that all get their share."""
    if not alive:
        return NO_LEADER
    if len(alive) == 1:
        return alive[0]  # a number from the system costs more than all the rest of the answer
    return alive[broker.random.randrange(0, len(alive))]


def _cluster_operations(call: Call, broker: Broker, request: MetadataRequest) -> int:
    if not request.include_cluster_authorized_operations:
        return NOT_ASKED
    if not broker.authorizer.allows(call, Operation.DESCRIBE, Resource.CLUSTER, CLUSTER_NAME):
        return 0
    return broker.authorizer.allowed(call, Resource.CLUSTER, CLUSTER_NAME)


def _wants_all(request: MetadataRequest, version: int) -> bool:
    return request.topics is None or (not request.topics and version == 0)


class _Asked:
    """One request's way through the topics."""

    def __init__(self, call: Call, broker: Broker, image: Image) -> None:
        self._call = call
        self._broker = broker
        self._image = image

    def topics(self, request: MetadataRequest) -> Generator[None, None, list[Found]]:
        if _wants_all(request, self._call.version):
            topics = self._image.topics.by_name.values()
            return (yield from self._visible(topics))
        asked = request.topics or []
        if self._call.version < IDS_SINCE:
            _refuse_ids(asked)
        ids = dict.fromkeys(one.topic_id for one in asked if one.topic_id != NULL_UUID)
        if ids:
            return (yield from each(self._by_id, ids))
        return (yield from self._by_names(request, [_name(one.name) for one in asked]))

    def _visible(self, topics: Iterable[TopicState]) -> Generator[None, None, list[Found]]:
        found: list[Found] = []
        for topic in topics:
            if self._may_see(topic.name):
                found.append(topic)
            yield
        return found

    def _by_id(self, topic_id: bytes) -> Found:
        topic = self._image.topics.by_id.get(topic_id)
        if topic is None:
            return _missing(ErrorCode.UNKNOWN_TOPIC_ID, None, topic_id)
        if not self._may_see(topic.name):
            return _missing(ErrorCode.TOPIC_AUTHORIZATION_FAILED, None, topic_id)
        return topic

    def _by_names(
        self, request: MetadataRequest, names: list[str]
    ) -> Generator[None, None, list[Found]]:
        wanted: list[str] | None = [] if self._creates(request) else None
        found = yield from each(partial(self._by_name, wanted), dict.fromkeys(names))
        if wanted:
            self._broker.topic_creation.begin(self._broker, wanted, self._call)
        return found

    def _by_name(self, wanted: list[str] | None, name: str) -> Found:
        """`wanted` takes the topics to be created, where that is asked for."""
        known = self._image.topics.by_name.get(name)
        if not self._may_see(name):
            return _missing(ErrorCode.TOPIC_AUTHORIZATION_FAILED, name)
        if known is not None:
            return known
        if wanted is not None and not self._may_create(name):
            return _missing(ErrorCode.TOPIC_AUTHORIZATION_FAILED, name)
        if not is_legal_name(name):
            return _missing(ErrorCode.INVALID_TOPIC_EXCEPTION, name)
        if wanted is not None:
            wanted.append(name)
        return _missing(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, name)

    def _may_see(self, name: str) -> bool:
        authorizer = self._broker.authorizer
        return authorizer.allows(self._call, Operation.DESCRIBE, Resource.TOPIC, name)

    def _creates(self, request: MetadataRequest) -> bool:
        settings = self._broker.settings
        return request.allow_auto_topic_creation and bool(settings.auto_create_topics_enable)

    def _may_create(self, name: str) -> bool:
        authorizer = self._broker.authorizer
        return authorizer.allows(
            self._call, Operation.CREATE, Resource.CLUSTER, CLUSTER_NAME
        ) or authorizer.allows(self._call, Operation.CREATE, Resource.TOPIC, name)


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
