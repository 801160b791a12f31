"""ShareFetch: acquire records, and acknowledge those of earlier fetches.

Versions 1-2 (KIP-932; 2: acquire modes, KIP-1206, and renewal, KIP-1222). A member's session has
the partitions that it fetches. Acknowledgements come first; then records are acquired, or waited
for. A fetch that ends the session, or renews locks, fetches nothing.

Deviations: `min_bytes` above 1 is taken for 1; a partition gives at most one mebibyte at a time;
what a quota keeps back is not acquired, and what was taken of other partitions is answered.
"""

from __future__ import annotations

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.leaders import SENDS_LEADER, address_of, leader_hint
from moldau.broker.server.monitoring.gauges import SHARE_FETCH_REQUESTS
from moldau.broker.server.share.acknowledging import (
    Acknowledged,
    Outcome,
    acknowledge,
    check_member,
    release,
)
from moldau.broker.server.share.counting import count_requests
from moldau.broker.server.share.fetching import ShareFetching, Taken
from moldau.broker.server.share.sessions import (
    FINAL_EPOCH,
    FIRST_EPOCH,
    PartitionKey,
    ShareSession,
    forgotten,
    listed,
)
from moldau.errors import KafkaError
from moldau.protocol.messages.share.share_fetch import ShareFetchRequest, ShareFetchResponse
from moldau.protocol.wire.error_codes import ErrorCode

Topic = ShareFetchResponse.ShareFetchableTopicResponse
Partition = Topic.PartitionData
NO_VALUE = 0
"""What Kafka sends for the leader where it is not needed."""


async def handle(call: Call[ShareFetchRequest], broker: Broker) -> ShareFetchResponse:
    request = call.request
    group_id = check_member(call, broker, request.group_id, request.member_id)
    acknowledged = _acknowledged(request)
    session = _session(call, broker, request, group_id, acknowledged)
    outcome = await acknowledge(call, broker, session, acknowledged)
    taken: dict[PartitionKey, Taken] = {}
    if request.share_session_epoch == FINAL_EPOCH:
        await release(broker, session)
    elif not request.is_renew_ack:
        fetching = ShareFetching(call, broker, session)
        taken = await fetching.run(request.share_session_epoch)
        if request.share_session_epoch == FIRST_EPOCH:
            taken = {key: taken.get(key, Taken()) for key in session.partitions}
        refused = [key for key, one in taken.items() if one.error is not None]
        count_requests(broker, SHARE_FETCH_REQUESTS, session.partitions, refused)
    return _answer(call, broker, group_id, taken, outcome)


def _session(
    call: Call,
    broker: Broker,
    request: ShareFetchRequest,
    group_id: str,
    acknowledged: Acknowledged,
) -> ShareSession:
    epoch, sessions = request.share_session_epoch, broker.share_sessions
    if request.is_renew_ack and any(
        (request.max_wait_ms, request.min_bytes, request.max_bytes, request.max_records)
    ):
        raise KafkaError(ErrorCode.INVALID_REQUEST, "a fetch that renews locks fetches nothing")
    if epoch == FIRST_EPOCH:
        if acknowledged:
            raise KafkaError(
                ErrorCode.INVALID_REQUEST, "a session that begins has nothing to acknowledge"
            )
        return sessions.begin(request, call.connection_id)
    if epoch == FINAL_EPOCH:
        return sessions.get(group_id, request.member_id)
    session: ShareSession = sessions.go_on(group_id, request.member_id, epoch, call.connection_id)
    session.update(listed(request), forgotten(request))
    return session


def _acknowledged(request: ShareFetchRequest) -> Acknowledged:
    """By partition, for all that are named if one is acknowledged."""
    acknowledged: Acknowledged = {
        (topic.topic_id, one.partition_index): list(one.acknowledgement_batches)
        for topic in request.topics
        for one in topic.partitions
    }
    return acknowledged if any(acknowledged.values()) else {}


def _answer(
    call: Call,
    broker: Broker,
    group_id: str,
    taken: dict[PartitionKey, Taken],
    outcome: Outcome,
) -> ShareFetchResponse:
    topics: dict[bytes, list[Partition]] = {}
    for key in dict.fromkeys([*taken, *outcome]):
        answer = _partition(broker, key, taken.get(key, Taken()), outcome.get(key))
        topics.setdefault(key[0], []).append(answer)
    response = ShareFetchResponse(
        throttle_time_ms=0,
        error_code=ErrorCode.NONE,
        acquisition_lock_timeout_ms=broker.shares.settings_of(group_id).record_lock_duration_ms,
        responses=[Topic(topic_id=one, partitions=some) for one, some in topics.items()],
        node_endpoints=[],
    )
    answers = [one for some in topics.values() for one in some]
    leaders = {
        one.current_leader.leader_id
        for one in answers
        if {one.error_code, one.acknowledge_error_code} & SENDS_LEADER
    }
    for broker_id in sorted(leaders):
        address = address_of(broker.metadata.image, broker_id, call.listener)
        if address is not None:
            response.node_endpoints.append(ShareFetchResponse.NodeEndpoint(**address._asdict()))
    return response


def _partition(
    broker: Broker, key: PartitionKey, taken: Taken, refusal: KafkaError | None
) -> Partition:
    error = taken.error
    topic = broker.metadata.image.topics.by_id.get(key[0])
    codes = {one.code for one in (error, refusal) if one is not None}
    leader = Partition.LeaderIdAndEpoch(leader_id=NO_VALUE, leader_epoch=NO_VALUE)
    if codes & SENDS_LEADER and topic is not None:
        hint = leader_hint(broker.metadata.image, topic.name, key[1])
        leader = Partition.LeaderIdAndEpoch(
            leader_id=hint.leader_id, leader_epoch=hint.leader_epoch
        )
    return Partition(
        partition_index=key[1],
        error_code=ErrorCode.NONE if error is None else error.code,
        error_message=None if error is None else error.message,
        acknowledge_error_code=ErrorCode.NONE if refusal is None else refusal.code,
        acknowledge_error_message=None if refusal is None else refusal.message,
        current_leader=leader,
        records=taken.records,
        acquired_records=[Partition.AcquiredRecords(**one._asdict()) for one in taken.acquired],
    )
