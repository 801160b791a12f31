"""Partitions move to other brokers (KIP-455).

A move is written into the partition: replicas that come are *adding*, replicas that go are
*removing*, and both kinds are replicas meanwhile. It is over when all that come are in sync; until
then it can be given up, which restores what was before.

Where a move is changed while it is under way, a replica that was coming and is still wanted stays
one that comes.
"""

from __future__ import annotations

from functools import partial

from moldau.broker.controller.configs.effective import allows_unclean_election
from moldau.broker.controller.decision import Call, Deciding, Decision
from moldau.broker.controller.partitions.assignment import check_replicas
from moldau.broker.controller.partitions.change import change_record
from moldau.broker.controller.partitions.leaders import rules_for, usual_election
from moldau.broker.controller.partitions.target import PartitionChange
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.topics import PartitionState, TopicState
from moldau.errors import KafkaError
from moldau.platform.slices import each
from moldau.protocol.messages.stored.metadata_topics import PartitionChangeRecord
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
)
from moldau.protocol.messages.topic.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

AskedPartition = AlterPartitionReassignmentsRequest.ReassignableTopic.ReassignablePartition
TopicAnswer = AlterPartitionReassignmentsResponse.ReassignableTopicResponse
PartitionAnswer = TopicAnswer.ReassignablePartitionResponse
Ongoing = ListPartitionReassignmentsResponse.OngoingTopicReassignment


def alter_moves(
    request: AlterPartitionReassignmentsRequest, situation: Situation, call: Call
) -> Deciding:
    """Begin, change or give up the move of each partition that is named."""
    records: list[PartitionChangeRecord] = []
    answers = []
    same_count = not request.allow_replication_factor_change
    for asked in request.topics:
        alter = partial(_alter, asked.name, same_count, situation, records)
        results = yield from each(alter, asked.partitions)
        answers.append(TopicAnswer(name=asked.name, partitions=results))
        yield
    reply = AlterPartitionReassignmentsResponse(
        throttle_time_ms=0,
        allow_replication_factor_change=request.allow_replication_factor_change,
        error_code=0,
        error_message=None,
        responses=answers,
    )
    return Decision(records, reply)


def _alter(
    name: str,
    same_count: bool,
    situation: Situation,
    records: list[PartitionChangeRecord],
    asked: AskedPartition,
) -> PartitionAnswer:
    code, message = int(ErrorCode.NONE), None
    try:
        record = _record(name, asked, same_count, situation)
        records.extend([record] if record else [])
    except KafkaError as error:
        code, message = error.code, error.message
    return PartitionAnswer(
        partition_index=asked.partition_index, error_code=code, error_message=message
    )


def _record(
    name: str, asked: AskedPartition, same_count: bool, situation: Situation
) -> PartitionChangeRecord | None:
    topic = situation.image.topics.by_name.get(name)
    state = None if topic is None else topic.partitions.get(asked.partition_index)
    if topic is None or state is None:
        text = f"there is no partition {asked.partition_index} of a topic {name!r}"
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, text)
    if asked.replicas is None:
        change = _giving_up(topic, state, situation)
    else:
        change = _moving_to(tuple(asked.replicas), state, same_count, situation)
    rules = rules_for(situation, topic, state)
    return change_record(topic.topic_id, asked.partition_index, state, change, rules)


def _moving_to(
    wanted: tuple[int, ...], state: PartitionState, same_count: bool, situation: Situation
) -> PartitionChange:
    check_replicas(wanted, situation)
    settled = set(state.replicas) | set(state.adding_replicas)
    settled -= set(state.removing_replicas)
    if same_count and len(wanted) != len(settled):
        text = f"The replication factor is changed from {len(settled)} to {len(wanted)}"
        raise KafkaError(ErrorCode.INVALID_REPLICATION_FACTOR, text)
    coming = (set(wanted) - set(state.replicas)) | (set(wanted) & set(state.adding_replicas))
    going = tuple(sorted(set(state.replicas) - set(wanted)))
    return PartitionChange(replicas=wanted + going, removing=going, adding=tuple(sorted(coming)))


def _giving_up(topic: TopicState, state: PartitionState, situation: Situation) -> PartitionChange:
    if not is_moving(state):
        raise KafkaError(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, "the partition is not moving")
    coming = set(state.adding_replicas)
    replicas = tuple(replica for replica in state.replicas if replica not in coming)
    isr = tuple(replica for replica in state.isr if replica not in coming)
    if not replicas:
        text = "all replicas are new ones, so there is nothing to go back to"
        raise KafkaError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, text)
    if not isr and not allows_unclean_election(situation, topic.name):
        text = "no replica of before is in sync, so records would be lost; allow unclean elections"
        raise KafkaError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, text)
    return PartitionChange(
        isr=isr or replicas[:1],
        replicas=replicas,
        removing=(),
        adding=(),
        election=usual_election(situation, topic.name),
    )


def is_moving(state: PartitionState) -> bool:
    return bool(state.adding_replicas or state.removing_replicas)


def list_moves(
    request: ListPartitionReassignmentsRequest, situation: Situation, call: Call
) -> Decision:
    """The moves that are under way, of all topics or of those named."""
    by_name = situation.image.topics.by_name
    if request.topics is None:
        asked = [(topic, tuple(topic.partitions)) for topic in by_name.values()]
    else:
        asked = [
            (by_name[one.name], tuple(one.partition_indexes))
            for one in request.topics
            if one.name in by_name
        ]
    found = [ongoing for topic, indexes in asked if (ongoing := _ongoing(topic, indexes))]
    reply = ListPartitionReassignmentsResponse(
        throttle_time_ms=0, error_code=0, error_message=None, topics=found
    )
    return Decision((), reply)


def _ongoing(topic: TopicState, indexes: tuple[int, ...]) -> Ongoing | None:
    moving = [
        Ongoing.OngoingPartitionReassignment(
            partition_index=index,
            replicas=list(state.replicas),
            adding_replicas=list(state.adding_replicas),
            removing_replicas=list(state.removing_replicas),
        )
        for index in indexes
        if (state := topic.partitions.get(index)) is not None and is_moving(state)
    ]
    return Ongoing(name=topic.name, partitions=moving) if moving else None
