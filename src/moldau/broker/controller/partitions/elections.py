"""Leaders are elected anew because a client asks for it (KIP-183, KIP-460), or because it is time.

Preferred: the first replica takes over. Unclean: partitions without a leader get any live replica.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from moldau.broker.controller.decision import Call, Deciding, Decision
from moldau.broker.controller.partitions.change import change_record
from moldau.broker.controller.partitions.leaders import rules_for, usual_election
from moldau.broker.controller.partitions.target import Election, PartitionChange
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.topics import NO_LEADER, PartitionState, TopicState
from moldau.errors import KafkaError
from moldau.platform.slices import each
from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest, ElectLeadersResponse
from moldau.protocol.messages.stored.metadata_topics import PartitionChangeRecord
from moldau.protocol.wire.error_codes import ErrorCode

ELECTIONS_MAX = 1000
"""By one round of balancing: the next one comes soon if more are left."""
ELECTIONS = {0: Election.PREFERRED, 1: Election.UNCLEAN}

TopicAnswer = ElectLeadersResponse.ReplicaElectionResult
PartitionAnswer = TopicAnswer.PartitionResult


def elect_leaders(request: ElectLeadersRequest, situation: Situation, call: Call) -> Deciding:
    """Hold each election that is asked for; null asks for all that are needed.

    Where none is asked for, none is refused, of whatever kind.
    """
    election = ELECTIONS.get(request.election_type)
    if request.topic_partitions == []:
        return Decision([], _reply([]))
    if election is None:
        text = f"{request.election_type} is no kind of election; 0 is preferred, 1 unclean"
        raise KafkaError(ErrorCode.INVALID_REQUEST, text)
    records: list[PartitionChangeRecord] = []
    answers = []
    for topic, indexes in _asked(request, situation):
        elect = partial(_elect, topic, election, situation, records)
        results = yield from each(elect, indexes)
        if request.topic_partitions is None:
            not_needed = ErrorCode.ELECTION_NOT_NEEDED
            results = [result for result in results if result.error_code != not_needed]
        answers.append(TopicAnswer(topic=topic, partition_result=results))
        yield
    return Decision(records, _reply(answers))


def _reply(answers: list[TopicAnswer]) -> ElectLeadersResponse:
    return ElectLeadersResponse(throttle_time_ms=0, error_code=0, replica_election_results=answers)


def _asked(request: ElectLeadersRequest, situation: Situation) -> list[tuple[str, Iterable[int]]]:
    if request.topic_partitions is not None:
        return [(asked.topic, asked.partitions) for asked in request.topic_partitions]
    topics = situation.image.topics.by_name
    return [(name, topic.partitions) for name, topic in topics.items()]


def _elect(
    name: str,
    election: Election,
    situation: Situation,
    records: list[PartitionChangeRecord],
    index: int,
) -> PartitionAnswer:
    try:
        records.append(_election_record(name, index, election, situation))
    except KafkaError as error:
        return PartitionAnswer(
            partition_id=index, error_code=error.code, error_message=error.message
        )
    return PartitionAnswer(partition_id=index, error_code=ErrorCode.NONE, error_message=None)


def _election_record(
    name: str, index: int, election: Election, situation: Situation
) -> PartitionChangeRecord:
    topic = situation.image.topics.by_name.get(name)
    state = None if topic is None else topic.partitions.get(index)
    if topic is None or state is None:
        text = f"there is no partition {index} of a topic {name!r}"
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, text)
    is_preferred = election is Election.PREFERRED
    if state.leader == state.replicas[0] if is_preferred else state.leader != NO_LEADER:
        text = f"partition {index} of topic {name!r} has the leader it should have"
        raise KafkaError(ErrorCode.ELECTION_NOT_NEEDED, text)
    record = _change(situation, topic, index, state, election)
    if record is not None:
        return record
    if is_preferred:
        text = f"the preferred leader {state.replicas[0]} is not alive or not in sync"
        raise KafkaError(ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE, text)
    raise KafkaError(ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE, "no replica is alive")


def balance_records(situation: Situation) -> list[PartitionChangeRecord]:
    """Give leadership back to preferred replicas, where they are ready for it."""
    return _round(
        situation,
        Election.PREFERRED,
        situation.replicas.moved(),
    )


def unclean_records(situation: Situation) -> list[PartitionChangeRecord]:
    """Give partitions without a leader any that is alive, where their topics allow it."""
    return _round(
        situation,
        Election.UNCLEAN,
        (place for place in situation.replicas.leaderless()
         if usual_election(situation, place[0].name) is Election.UNCLEAN),
    )  # fmt: skip


def _round(
    situation: Situation,
    election: Election,
    candidates: Iterable[tuple[TopicState, int, PartitionState]],
) -> list[PartitionChangeRecord]:
    records: list[PartitionChangeRecord] = []
    for topic, index, state in candidates:
        if len(records) == ELECTIONS_MAX:
            break
        record = _change(situation, topic, index, state, election)
        records.extend([record] if record else [])
    return records


def _change(
    situation: Situation, topic: TopicState, index: int, state: PartitionState, election: Election
) -> PartitionChangeRecord | None:
    rules = rules_for(situation, topic, state)
    return change_record(topic.topic_id, index, state, PartitionChange(election=election), rules)
