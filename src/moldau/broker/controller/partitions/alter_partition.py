"""A leader proposes who is in sync, or that it has recovered (KIP-497, KIP-841, KIP-903).

Only the leader may, against exactly the state that it has seen. A replica that it adds must be
alive, unfenced, staying, and in the very life in which the leader saw it, with the directory of its
replica. A proposal may complete a move; if the proposer does not lead any more after that, it is
refused.
"""

from __future__ import annotations

from moldau.broker.controller.brokers.standing import known_broker
from moldau.broker.controller.decision import Call, Decision
from moldau.broker.controller.partitions.change import change_record
from moldau.broker.controller.partitions.leaders import rules_for, usual_election
from moldau.broker.controller.partitions.target import PartitionChange
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.cluster import is_online
from moldau.broker.metadata.topics import (
    RECOVERED,
    RECOVERING,
    PartitionState,
    TopicState,
    changed_partition,
)
from moldau.errors import KafkaError
from moldau.protocol.messages.broker.alter_partition import (
    AlterPartitionRequest,
    AlterPartitionResponse,
)
from moldau.protocol.messages.stored.metadata_topics import PartitionChangeRecord
from moldau.protocol.wire.error_codes import ErrorCode

UNKNOWN_EPOCH = -1
EPOCHS_SINCE_VERSION = 3

AskedTopic = AlterPartitionRequest.TopicData
AskedPartition = AskedTopic.PartitionData
TopicAnswer = AlterPartitionResponse.TopicData
PartitionAnswer = TopicAnswer.PartitionData


def alter_partitions(request: AlterPartitionRequest, situation: Situation, call: Call) -> Decision:
    """Change each partition whose proposal is sound."""
    if not request.topics:
        return Decision((), AlterPartitionResponse(throttle_time_ms=0, error_code=0, topics=[]))
    known_broker(request.broker_id, request.broker_epoch, situation)
    if call.version < EPOCHS_SINCE_VERSION:
        _take_old_form(request)
    records: list[PartitionChangeRecord] = []
    answers = []
    for asked in request.topics:
        topic = situation.image.topics.by_id.get(asked.topic_id)
        results = [
            _answer(request.broker_id, topic, partition, situation, records)
            for partition in asked.partitions
        ]
        answers.append(TopicAnswer(topic_id=asked.topic_id, partitions=results))
    reply = AlterPartitionResponse(throttle_time_ms=0, error_code=0, topics=answers)
    return Decision(records, reply)


def _take_old_form(request: AlterPartitionRequest) -> None:
    for topic in request.topics:
        for partition in topic.partitions:
            partition.new_isr_with_epochs = [
                AskedPartition.BrokerState(broker_id=broker_id, broker_epoch=UNKNOWN_EPOCH)
                for broker_id in partition.new_isr
            ]


def _answer(
    broker_id: int,
    topic: TopicState | None,
    asked: AskedPartition,
    situation: Situation,
    records: list[PartitionChangeRecord],
) -> PartitionAnswer:
    try:
        state = _change(broker_id, topic, asked, situation, records)
    except KafkaError as error:
        return _refusal(asked.partition_index, error.code)
    if state.leader != broker_id:
        return _refusal(asked.partition_index, ErrorCode.NEW_LEADER_ELECTED)
    return PartitionAnswer(
        partition_index=asked.partition_index,
        error_code=ErrorCode.NONE,
        leader_id=state.leader,
        leader_epoch=state.leader_epoch,
        isr=list(state.isr),
        leader_recovery_state=state.recovery_state,
        partition_epoch=state.partition_epoch,
    )


def _refusal(index: int, code: int) -> PartitionAnswer:
    return PartitionAnswer(
        partition_index=index, error_code=code, leader_id=0, leader_epoch=0, isr=[],
        partition_epoch=0,
    )  # fmt: skip


def _change(
    broker_id: int,
    topic: TopicState | None,
    asked: AskedPartition,
    situation: Situation,
    records: list[PartitionChangeRecord],
) -> PartitionState:
    """The partition after the proposal; its record is added to the others."""
    if topic is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_ID, "no topic has this id")
    state = topic.partitions.get(asked.partition_index)
    if state is None:
        text = f"topic {topic.name!r} has no partition {asked.partition_index}"
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, text)
    _check_epochs(broker_id, state, asked)
    _check_set(state, asked)
    _check_members(state, asked, situation)
    change = PartitionChange(
        isr=tuple(member.broker_id for member in asked.new_isr_with_epochs),
        recovery_state=asked.leader_recovery_state,
        election=usual_election(situation, topic.name),
    )
    rules = rules_for(situation, topic, state)
    record = change_record(topic.topic_id, asked.partition_index, state, change, rules)
    if record is None:
        return state
    records.append(record)
    return changed_partition(state, record)


def _check_epochs(broker_id: int, state: PartitionState, asked: AskedPartition) -> None:
    newer = asked.leader_epoch > state.leader_epoch
    if newer or asked.partition_epoch > state.partition_epoch:
        text = "the leader is ahead of this node, which cannot be the active controller"
        raise KafkaError(ErrorCode.NOT_CONTROLLER, text)
    if asked.leader_epoch < state.leader_epoch:
        text = f"the leader epoch is {state.leader_epoch} now"
        raise KafkaError(ErrorCode.FENCED_LEADER_EPOCH, text)
    if broker_id != state.leader:
        text = f"broker {broker_id} does not lead the partition; {state.leader} does"
        raise KafkaError(ErrorCode.INVALID_REQUEST, text)
    if asked.partition_epoch < state.partition_epoch:
        text = f"the partition epoch is {state.partition_epoch} now"
        raise KafkaError(ErrorCode.INVALID_UPDATE_VERSION, text)


def _check_set(state: PartitionState, asked: AskedPartition) -> None:
    members = [member.broker_id for member in asked.new_isr_with_epochs]
    recovery_state = asked.leader_recovery_state
    if len(set(members)) != len(members) or not set(members) <= set(state.replicas):
        reason = "an in-sync set has replicas of the partition, each once"
    elif state.leader not in members:
        reason = "a leader cannot leave its own in-sync set"
    elif recovery_state not in (RECOVERED, RECOVERING):
        reason = f"{recovery_state} is no state of recovery"
    elif recovery_state == RECOVERING and len(members) > 1:
        reason = "no replica can be in sync with a leader that recovers"
    elif recovery_state == RECOVERING and state.recovery_state == RECOVERED:
        reason = "a leader that has recovered cannot begin again"
    else:
        return
    raise KafkaError(ErrorCode.INVALID_REQUEST, reason)


def _check_members(state: PartitionState, asked: AskedPartition, situation: Situation) -> None:
    for member in asked.new_isr_with_epochs:
        broker = situation.broker(member.broker_id)
        directory = state.directory_of(member.broker_id)
        if broker is None or not situation.is_active(member.broker_id):
            reason = "is not alive, or shutting down"
        elif member.broker_epoch not in (UNKNOWN_EPOCH, broker.epoch):
            reason = f"has epoch {broker.epoch} now, and was seen in {member.broker_epoch}"
        elif directory is not None and not is_online(broker, directory):
            reason = "has lost the directory of its replica"
        else:
            continue
        text = f"broker {member.broker_id} cannot be in sync: it {reason}"
        raise KafkaError(ErrorCode.INELIGIBLE_REPLICA, text)
