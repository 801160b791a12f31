"""ShareAcknowledge: accept, release, reject or renew records, without fetching more.

Versions 1-2 (KIP-932; 2: renewal, KIP-1222). The session must be there; epoch -1 ends it and what
its member still has goes back. The response comes when the acknowledgements are stored.
"""

from __future__ import annotations

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.leaders import SENDS_LEADER, address_of, leader_hint
from moldau.broker.server.share.acknowledging import (
    Acknowledged,
    Outcome,
    acknowledge,
    check_member,
    release,
)
from moldau.broker.server.share.sessions import FINAL_EPOCH, FIRST_EPOCH
from moldau.errors import KafkaError
from moldau.protocol.messages.share.share_acknowledge import (
    ShareAcknowledgeRequest,
    ShareAcknowledgeResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

Topic = ShareAcknowledgeResponse.ShareAcknowledgeTopicResponse
Partition = Topic.PartitionData
NO_VALUE = 0
"""What Kafka sends for the leader where it is not needed."""


async def handle(call: Call[ShareAcknowledgeRequest], broker: Broker) -> ShareAcknowledgeResponse:
    request = call.request
    group_id = check_member(call, broker, request.group_id, request.member_id)
    epoch, sessions = request.share_session_epoch, broker.share_sessions
    if epoch == FIRST_EPOCH:
        raise KafkaError(ErrorCode.INVALID_SHARE_SESSION_EPOCH)
    if epoch == FINAL_EPOCH:
        session = sessions.get(group_id, request.member_id)
    else:
        session = sessions.go_on(group_id, request.member_id, epoch, call.connection_id)
    outcome = await acknowledge(call, broker, session, _acknowledged(request))
    if epoch == FINAL_EPOCH:
        await release(broker, session)
    return _answer(call, broker, group_id, outcome)


def _acknowledged(request: ShareAcknowledgeRequest) -> Acknowledged:
    return {
        (topic.topic_id, one.partition_index): list(one.acknowledgement_batches)
        for topic in request.topics
        for one in topic.partitions
    }


def _answer(
    call: Call, broker: Broker, group_id: str, outcome: Outcome
) -> ShareAcknowledgeResponse:
    topics: dict[bytes, list[Partition]] = {}
    for (topic_id, index), error in outcome.items():
        topics.setdefault(topic_id, []).append(_partition(broker, topic_id, index, error))
    response = ShareAcknowledgeResponse(
        throttle_time_ms=0,
        error_code=ErrorCode.NONE,
        acquisition_lock_timeout_ms=broker.shares.settings_of(group_id).record_lock_duration_ms,
        responses=[Topic(topic_id=one, partitions=some) for one, some in topics.items()],
        node_endpoints=[],
    )
    leaders = {
        one.current_leader.leader_id
        for some in topics.values()
        for one in some
        if one.error_code in SENDS_LEADER
    }
    for broker_id in sorted(leaders):
        address = address_of(broker.metadata.image, broker_id, call.listener)
        if address is not None:
            endpoint = ShareAcknowledgeResponse.NodeEndpoint(**address._asdict())
            response.node_endpoints.append(endpoint)
    return response


def _partition(broker: Broker, topic_id: bytes, index: int, error: KafkaError | None) -> Partition:
    leader = Partition.LeaderIdAndEpoch(leader_id=NO_VALUE, leader_epoch=NO_VALUE)
    topic = broker.metadata.image.topics.by_id.get(topic_id)
    if error is not None and error.code in SENDS_LEADER and topic is not None:
        hint = leader_hint(broker.metadata.image, topic.name, index)
        leader = Partition.LeaderIdAndEpoch(
            leader_id=hint.leader_id, leader_epoch=hint.leader_epoch
        )
    return Partition(
        partition_index=index,
        error_code=ErrorCode.NONE if error is None else error.code,
        error_message=None if error is None else error.message,
        current_leader=leader,
    )
