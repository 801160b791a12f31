"""DeleteRecords: let a partition begin later, and answer when every living replica does.

Nothing is rewritten: records below the start cannot be read from then on, and segments go when all
of theirs lie below it. -1 stands for the high watermark. Only topics whose policy is to delete may
lose records this way; internal ones belong to their coordinators.

Versions 0-2. Deviations: none.
"""

from __future__ import annotations

from moldau.broker.metadata.topics import INTERNAL_TOPICS
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.refusals import code_of
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.slices import Pace
from moldau.errors import KafkaError, MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.data.delete_records import DeleteRecordsRequest, DeleteRecordsResponse
from moldau.protocol.wire.error_codes import ErrorCode

TopicAnswer = DeleteRecordsResponse.DeleteRecordsTopicResult
PartitionAnswer = TopicAnswer.DeleteRecordsPartitionResult
Asked = DeleteRecordsRequest.DeleteRecordsTopic.DeleteRecordsPartition

UP_TO_HIGH_WATERMARK = -1
NO_WATERMARK = -1


@dataclass(slots=True)
class Deletion:
    """A partition whose replicas are to begin later."""

    partition: Partition
    start_offset: int
    answer: PartitionAnswer


async def handle(call: Call[DeleteRecordsRequest], broker: Broker) -> DeleteRecordsResponse:
    request = call.request
    deletions: list[Deletion] = []
    response = DeleteRecordsResponse(throttle_time_ms=0, topics=[])
    pace = Pace(broker)
    for name, partitions in (await _by_topic(request, pace)).items():
        answers = []
        for asked in partitions.values():
            answer = PartitionAnswer(
                partition_index=asked.partition_index, low_watermark=NO_WATERMARK, error_code=0
            )
            answers.append(answer)
            try:
                deletions.append(await _delete(call, broker, name, asked, answer))
            except MoldauError as error:
                answer.error_code = code_of(error)
            if pace.is_over:
                await pace.rest()
        response.topics.append(TopicAnswer(name=name, partitions=answers))
    await _wait(broker, deletions, request.timeout_ms)
    for one in deletions:
        _end(broker, one)
    return response


def _end(broker: Broker, deletion: Deletion) -> None:
    """A broker that leads no more does not know how far the replicas are."""
    answer = deletion.answer
    if not deletion.partition.is_leader:
        answer.error_code = ErrorCode.NOT_LEADER_OR_FOLLOWER
        return
    answer.low_watermark = low_watermark(broker, deletion.partition)
    if answer.low_watermark < deletion.start_offset:
        answer.error_code = ErrorCode.REQUEST_TIMED_OUT


async def _by_topic(request: DeleteRecordsRequest, pace: Pace) -> dict[str, dict[int, Asked]]:
    """Each partition once, the last word counts; topics without any are left out, as in Kafka."""
    topics: dict[str, dict[int, Asked]] = {}
    for topic in request.topics:
        for one in topic.partitions:
            topics.setdefault(topic.name, {})[one.partition_index] = one
            if pace.is_over:
                await pace.rest()
    return topics


async def _delete(
    call: Call, broker: Broker, topic: str, asked: Asked, answer: PartitionAnswer
) -> Deletion:
    if not broker.authorizer.allows(call, Operation.DELETE, Resource.TOPIC, topic):
        raise KafkaError(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
    if topic not in broker.metadata.image.topics.by_name:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    if topic in INTERNAL_TOPICS:
        raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION)
    await broker.replicas.settled([(topic, asked.partition_index)])
    partition: Partition = broker.replicas.leader(topic, asked.partition_index)
    start_offset = await delete_records(broker, partition, asked.offset)
    return Deletion(partition, start_offset, answer)


async def delete_records(broker: Broker, partition: Partition, offset: int) -> int:
    """Move the start of a log that is led here; where it is to begin now."""
    if not partition.log.settings.deletes:
        raise KafkaError(
            ErrorCode.POLICY_VIOLATION, f"{partition.name}: cleanup.policy is not to delete"
        )
    start_offset = partition.high_watermark if offset == UP_TO_HIGH_WATERMARK else offset
    if start_offset < 0:
        raise KafkaError(ErrorCode.OFFSET_OUT_OF_RANGE)
    if start_offset > partition.log_start_offset:
        await broker.replicas.in_turn(
            partition, lambda: partition.log.advance_start_offset(start_offset)
        )
        partition.wake()
    return start_offset


def low_watermark(broker: Broker, partition: Partition) -> int:
    """The earliest start among the replicas on living brokers."""
    brokers = broker.metadata.image.cluster.brokers
    starts = [
        progress.log_start_offset
        for broker_id, progress in partition.followers.items()
        if broker_id in brokers and not brokers[broker_id].fenced
    ]
    return min([partition.log_start_offset, *starts])


async def _wait(broker: Broker, deletions: list[Deletion], timeout_ms: int) -> None:
    """For followers, as long as the caller's timeout allows."""

    def is_done() -> bool:
        return all(_is_done(broker, one) for one in deletions)

    if is_done():
        return
    promise = broker.tasks.promise()
    broker.purgatory.hold(
        "DeleteRecords",
        dict.fromkeys(one.partition for one in deletions),
        until=lambda _: is_done(),
        then=promise.keep,
        timeout_ms=timeout_ms,
    )
    await promise.wait()


def _is_done(broker: Broker, deletion: Deletion) -> bool:
    """Whether every replica begins where it is to, or this broker leads no more."""
    partition = deletion.partition
    return not partition.is_leader or low_watermark(broker, partition) >= deletion.start_offset
