"""OffsetFetch: how far groups have come.

Versions 1-10. From version 8 on for many groups at once (KIP-709), each answered by itself, so
that one that is elsewhere does not spoil the others; up to 7 for one group, whose error is that of
the answer, or in version 1, which has none, of every partition. Version 10 names topics by id.
Topics that the caller may not see are refused, and left out where all are asked for.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial

from moldau.broker.metadata.image import Image
from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group, check_group, may_read_topic
from moldau.broker.server.slices import Pace, each
from moldau.errors import KafkaError
from moldau.protocol.messages.group.offset_fetch import OffsetFetchRequest, OffsetFetchResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

MANY_GROUPS_SINCE = 8
TOPIC_IDS_SINCE = 10
GROUP_ERROR_SINCE = 2
NO_OFFSET = -1
PART_PARTITIONS = 1_000
"""In one question to a coordinator, which takes 5 ms for them."""

AskedGroup = OffsetFetchRequest.OffsetFetchRequestGroup
AskedTopic = AskedGroup.OffsetFetchRequestTopics
Group = OffsetFetchResponse.OffsetFetchResponseGroup
Topic = Group.OffsetFetchResponseTopics
Partition = Topic.OffsetFetchResponsePartitions
OldTopic = OffsetFetchResponse.OffsetFetchResponseTopic


async def handle(call: Call[OffsetFetchRequest], broker: Broker) -> OffsetFetchResponse:
    request = call.request
    if call.version >= MANY_GROUPS_SINCE:
        groups = await Pace(broker).each(partial(_fetch, call, broker), request.groups)
        return OffsetFetchResponse(throttle_time_ms=0, topics=[], groups=groups)
    return _as_one(await _fetch(call, broker, _only_group(request)), call.version)


def _only_group(request: OffsetFetchRequest) -> AskedGroup:
    """The question of versions that ask for one group, in today's form."""
    topics = request.topics
    asked = (
        None
        if topics is None
        else [
            AskedTopic(name=one.name, topic_id=NULL_UUID, partition_indexes=one.partition_indexes)
            for one in topics
        ]
    )
    return AskedGroup(group_id=request.group_id, topics=asked)


def _as_one(group: Group, version: int) -> OffsetFetchResponse:
    """The answer of these versions."""
    topics = [
        OldTopic(
            name=topic.name,
            partitions=[
                OldTopic.OffsetFetchResponsePartition(
                    partition_index=one.partition_index,
                    committed_offset=one.committed_offset,
                    committed_leader_epoch=one.committed_leader_epoch,
                    metadata=one.metadata,
                    error_code=one.error_code
                    if version >= GROUP_ERROR_SINCE
                    else one.error_code or group.error_code,
                )
                for one in topic.partitions
            ],
        )
        for topic in group.topics
    ]
    has_group_error = version >= GROUP_ERROR_SINCE
    return OffsetFetchResponse(
        throttle_time_ms=0,
        topics=[] if has_group_error and group.error_code else topics,
        error_code=group.error_code if has_group_error else 0,
        groups=[],
    )


async def _fetch(call: Call[OffsetFetchRequest], broker: Broker, asked: AskedGroup) -> Group:
    """One group's answer; its error stands in it."""
    try:
        check_group(call, broker, asked.group_id, Operation.DESCRIBE)
        if asked.topics is None:
            return await _fetch_all(call, broker, asked)
        return await _fetch_these(call, broker, asked, asked.topics)
    except KafkaError as error:
        has_group_error = call.version >= GROUP_ERROR_SINCE
        code = _known_to_consumers(error.code, broker)
        topics = [] if has_group_error else await _all_refused(broker, asked, code)
        return Group(group_id=asked.group_id, topics=topics, error_code=code)


def _known_to_consumers(code: int, broker: Broker) -> int:
    """Consumers before Kafka 3.9 give up where none is available, so it is not the coordinator."""
    if code == ErrorCode.COORDINATOR_NOT_AVAILABLE and broker.groups is not None:
        return ErrorCode.NOT_COORDINATOR
    return code


async def _fetch_all(call: Call[OffsetFetchRequest], broker: Broker, asked: AskedGroup) -> Group:
    group = await _ask(call, broker, asked, None)
    image = broker.metadata.image
    group.topics = [
        topic
        for topic in group.topics
        if may_read_topic(call, broker, topic.name, Operation.DESCRIBE)
        if call.version < TOPIC_IDS_SINCE or _identify(topic, image)
    ]
    return group


def _identify(topic: Topic, image: Image) -> bool:
    """Name the topic by its id, if it still has one."""
    known = image.topics.by_name.get(topic.name)
    if known is None:
        return False
    topic.topic_id, topic.name = known.topic_id, ""
    return True


async def _fetch_these(
    call: Call[OffsetFetchRequest], broker: Broker, asked: AskedGroup, topics: list[AskedTopic]
) -> Group:
    by_id = broker.metadata.image.topics.by_id
    known: list[AskedTopic] = []
    refused: list[Topic] = []
    pace = Pace(broker)
    for topic in topics:
        if pace.is_over:
            await pace.rest()
        state = by_id.get(topic.topic_id) if call.version >= TOPIC_IDS_SINCE else None
        topic.name = state.name if state is not None else topic.name
        if state is None and call.version >= TOPIC_IDS_SINCE:
            refused.append(await pace.run(_refused(topic, ErrorCode.UNKNOWN_TOPIC_ID)))
        elif not may_read_topic(call, broker, topic.name, Operation.DESCRIBE):
            code = ErrorCode.TOPIC_AUTHORIZATION_FAILED
            refused.append(await pace.run(_refused(topic, code)))
        else:
            known.append(topic)
    group = await _ask_in_parts(call, broker, asked, known)
    group.topics += refused
    if call.version >= TOPIC_IDS_SINCE:
        for answer in group.topics:
            answer.name = ""
    return group


async def _ask_in_parts(
    call: Call[OffsetFetchRequest], broker: Broker, asked: AskedGroup, topics: list[AskedTopic]
) -> Group:
    """A coordinator answers a question at one go, so a long one is put to it in parts."""
    answer: Group | None = None
    pace = Pace(broker)
    for part, goes_on in _parts(topics):
        group = await _ask(call, broker, asked, part)
        if answer is None or group.error_code:
            answer = group
        else:
            if goes_on:
                answer.topics[-1].partitions += group.topics.pop(0).partitions
            answer.topics += group.topics
        if answer.error_code:
            break
        if pace.is_over:
            await pace.rest()
    return answer or await _ask(call, broker, asked, [])


def _parts(topics: list[AskedTopic]) -> Iterator[tuple[list[AskedTopic], bool]]:
    """The same in questions about `PART_PARTITIONS` each; whether one begins within a topic."""
    part: list[AskedTopic] = []
    room, goes_on = PART_PARTITIONS, False
    for topic in topics:
        indexes = topic.partition_indexes
        for start in range(0, len(indexes) or 1, PART_PARTITIONS):
            some = indexes[start : start + PART_PARTITIONS]
            if part and len(some) >= room:
                yield part, goes_on
                part, room, goes_on = [], PART_PARTITIONS, start > 0
            part.append(_some(topic, some))
            room -= len(some) or 1
    if part:
        yield part, goes_on


def _some(topic: AskedTopic, indexes: list[int]) -> AskedTopic:
    return AskedTopic(name=topic.name, topic_id=topic.topic_id, partition_indexes=indexes)


async def _all_refused(broker: Broker, asked: AskedGroup, code: int) -> list[Topic]:
    pace = Pace(broker)
    return [await pace.run(_refused(one, code)) for one in asked.topics or ()]


def _refused(topic: AskedTopic, code: int) -> Generator[None, None, Topic]:
    def refuse(index: int) -> Partition:
        return Partition(
            partition_index=index,
            committed_offset=NO_OFFSET,
            committed_leader_epoch=NO_OFFSET,
            metadata="",
            error_code=code,
        )

    partitions = yield from each(refuse, topic.partition_indexes)
    return Topic(name=topic.name, topic_id=topic.topic_id, partitions=partitions)


async def _ask(
    call: Call[OffsetFetchRequest],
    broker: Broker,
    asked: AskedGroup,
    topics: list[AskedTopic] | None,
) -> Group:
    """Put the question for one group to its coordinator."""
    question = OffsetFetchRequest(
        group_id="",
        topics=[],
        groups=[
            AskedGroup(
                group_id=asked.group_id,
                member_id=asked.member_id,
                member_epoch=asked.member_epoch,
                topics=topics,
            )
        ],
        require_stable=call.request.require_stable,
    )
    answer = await ask_group(call, broker, asked.group_id, OffsetFetchResponse, request=question)
    (group,) = answer.groups
    return group
