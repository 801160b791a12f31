"""Directories of a broker: which failed, which are closed to new replicas, which replica is where.

KIP-858: a broker with several directories reports where each replica lies, so that the controller
can move exactly the leaders whose directory fails. KIP-1066: a directory may be cordoned.
"""

from __future__ import annotations

from collections.abc import Sequence

from moldau.broker.controller.brokers.standing import known_broker
from moldau.broker.controller.decision import Call, Decision
from moldau.broker.controller.partitions.change import change_record
from moldau.broker.controller.partitions.leaders import (
    rules_for,
    when_directories_fail,
    without_broker,
)
from moldau.broker.controller.partitions.target import PartitionChange
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.cluster import BrokerState, is_online
from moldau.broker.metadata.topics import NO_LEADER, TopicState, changed_partition
from moldau.errors import KafkaError
from moldau.protocol.messages.broker.assign_replicas_to_dirs import (
    AssignReplicasToDirsRequest,
    AssignReplicasToDirsResponse,
)
from moldau.protocol.messages.stored.metadata_brokers import BrokerRegistrationChangeRecord
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

AskedDirectory = AssignReplicasToDirsRequest.DirectoryData
AskedTopic = AskedDirectory.TopicData
DirectoryAnswer = AssignReplicasToDirsResponse.DirectoryData
TopicAnswer = DirectoryAnswer.TopicData
PartitionAnswer = TopicAnswer.PartitionData


def offline_records(
    broker: BrokerState, offline: Sequence[bytes], situation: Situation
) -> list[Message]:
    """Move what lies in directories that have just failed, then strike them off."""
    failed = frozenset(offline) & frozenset(broker.log_dirs)
    if not failed:
        return []
    left = [directory for directory in broker.log_dirs if directory not in failed]
    change = BrokerRegistrationChangeRecord(
        broker_id=broker.broker_id, broker_epoch=broker.epoch, fenced=0,
        in_controlled_shutdown=0, log_dirs=left,
    )  # fmt: skip
    return [*when_directories_fail(situation, broker.broker_id, failed), change]


def cordoned_records(broker: BrokerState, cordoned: Sequence[bytes] | None) -> list[Message]:
    """Note which directories get no new replicas, if that is news."""
    if cordoned is None or broker.cordoned_log_dirs == tuple(sorted(cordoned)):
        return []
    change = BrokerRegistrationChangeRecord(
        broker_id=broker.broker_id, broker_epoch=broker.epoch, fenced=0,
        in_controlled_shutdown=0, log_dirs=[], cordoned_log_dirs=list(cordoned),
    )  # fmt: skip
    return [change]


def assign_replicas(
    request: AssignReplicasToDirsRequest, situation: Situation, call: Call
) -> Decision:
    """Write down where the broker keeps its replicas."""
    if not situation.metadata_version.has_directory_assignment:
        text = "directories of replicas are kept from metadata.version 3.7-IV2 on"
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, text)
    broker = known_broker(request.broker_id, request.broker_epoch, situation)
    records: list[Message] = []
    answers = [_assign(asked, broker, situation, records) for asked in request.directories]
    reply = AssignReplicasToDirsResponse(throttle_time_ms=0, error_code=0, directories=answers)
    return Decision(records, reply, is_atomic=False)


def _assign(
    asked: AskedDirectory, broker: BrokerState, situation: Situation, records: list[Message]
) -> DirectoryAnswer:
    topics = []
    for topic in asked.topics:
        known = situation.image.topics.by_id.get(topic.topic_id)
        partitions = []
        for partition in topic.partitions:
            index = partition.partition_index
            code = _assign_one(asked.id, known, index, broker, situation, records)
            partitions.append(PartitionAnswer(partition_index=index, error_code=code))
        topics.append(TopicAnswer(topic_id=topic.topic_id, partitions=partitions))
    return DirectoryAnswer(id=asked.id, topics=topics)


def _assign_one(
    directory: bytes,
    topic: TopicState | None,
    index: int,
    broker: BrokerState,
    situation: Situation,
    records: list[Message],
) -> int:
    if topic is None:
        return ErrorCode.UNKNOWN_TOPIC_ID
    state = topic.partitions.get(index)
    if state is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if broker.broker_id not in state.replicas:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    rules = rules_for(situation, topic, state)
    change = PartitionChange(directories={broker.broker_id: directory})
    record = change_record(topic.topic_id, index, state, change, rules)
    if record is not None:
        records.append(record)
        state = changed_partition(state, record)
    if not is_online(broker, directory):
        moved = without_broker(situation, topic, index, state, broker.broker_id)
        records.extend([moved] if moved else [])
    elif state.leader == NO_LEADER:  # no replica could lead where the directory was not known
        rules = rules_for(situation, topic, state)
        elected = change_record(topic.topic_id, index, state, PartitionChange(), rules)
        records.extend([elected] if elected else [])
    return ErrorCode.NONE
