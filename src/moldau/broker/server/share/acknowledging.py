"""Acknowledgements, on their way from ShareFetch or ShareAcknowledge to share partitions."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Protocol

from moldau.broker.coordinator.share.partition.acknowledging import Acknowledgement, AcknowledgeType
from moldau.broker.coordinator.share.state import ShareKey
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.protocols import SHARE, check_protocol
from moldau.broker.server.monitoring.gauges import SHARE_ACKNOWLEDGE_REQUESTS
from moldau.broker.server.share.counting import (
    count_acknowledged,
    count_requests,
)
from moldau.broker.server.share.sessions import PartitionKey, ShareSession
from moldau.errors import KafkaError
from moldau.protocol.messages.share.share_acknowledge import ShareAcknowledgeRequest
from moldau.protocol.messages.share.share_fetch import ShareFetchRequest
from moldau.protocol.wire.error_codes import ErrorCode

log = logging.getLogger(__name__)

NO_OFFSET = -1
MEMBER_ID_MAX = 36
"""Of a UUID as Java writes it."""


class MessageBatch(Protocol):
    """A range, as both requests have it."""

    first_offset: int
    last_offset: int
    acknowledge_types: list[int]


Acknowledged = dict[PartitionKey, list[MessageBatch]]
Outcome = dict[PartitionKey, KafkaError | None]


def check_member(call: Call, broker: Broker, group_id: str | None, member_id: str | None) -> str:
    """Whether the caller may be this member of a share group; the group's id."""
    check_protocol(broker, SHARE)
    if not broker.authorizer.allows(call, Operation.READ, Resource.GROUP, group_id or ""):
        raise KafkaError(ErrorCode.GROUP_AUTHORIZATION_FAILED)
    if group_id is None:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "the group has no id")
    if not member_id or len(member_id) > MEMBER_ID_MAX:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST, f"a member id has 1 to {MEMBER_ID_MAX} characters"
        )
    return group_id


def topic_refusal(call: Call, broker: Broker, topic_id: bytes, index: int) -> KafkaError | None:
    """Why this partition cannot be fetched or acknowledged."""
    topic = broker.metadata.image.topics.by_id.get(topic_id)
    if topic is None:
        return KafkaError(ErrorCode.UNKNOWN_TOPIC_ID)
    if not broker.authorizer.allows(call, Operation.READ, Resource.TOPIC, topic.name):
        return KafkaError(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
    if index not in topic.partitions:
        return KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    return None


async def acknowledge(
    call: Call[ShareFetchRequest | ShareAcknowledgeRequest],
    broker: Broker,
    session: ShareSession,
    acknowledged: Mapping[PartitionKey, Sequence[MessageBatch]],
) -> Outcome:
    """The outcome of the acknowledgements, by partition."""
    may_renew = call.request.is_renew_ack
    outcome: Outcome = {}
    for (topic_id, index), batches in acknowledged.items():
        try:
            if topic_id not in broker.metadata.image.topics.by_id:
                raise KafkaError(ErrorCode.UNKNOWN_TOPIC_ID)
            words = checked_all(batches, may_renew=may_renew)
            refusal = topic_refusal(call, broker, topic_id, index)
            if refusal is not None:
                raise refusal
            if not words:
                continue
            led = broker.shares.loaded(ShareKey(session.group_id, topic_id, index))
            if led is None:
                raise KafkaError(
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "no record of it was handed out here"
                )
            await led.acknowledge(session.member_id, words)
            count_acknowledged(broker, words)
            outcome[topic_id, index] = None
        except KafkaError as error:
            outcome[topic_id, index] = error
    refused = [key for key, error in outcome.items() if error is not None]
    count_requests(broker, SHARE_ACKNOWLEDGE_REQUESTS, acknowledged, refused)
    return outcome


async def release(broker: Broker, session: ShareSession) -> None:
    """The session is over: what its member has goes back."""
    broker.share_sessions.end(session)
    for topic_id, index in session.partitions:
        led = broker.shares.loaded(ShareKey(session.group_id, topic_id, index))
        if led is None:
            continue
        try:
            await led.release(session.member_id)
        except KafkaError as error:
            log.info("%s is not given back at once: %s", led.key.text, error)
    if not broker.share_sessions.has_group(session.group_id):
        broker.shares.drop_group(session.group_id)


def end_sessions(broker: Broker, connection_id: int) -> None:
    """A connection is gone, and with it its members: what they have goes back."""
    for session in broker.share_sessions.of_connection(connection_id):
        broker.share_sessions.evicted_count += 1
        work = release(broker, session)
        broker.tasks.spawn(f"release of share member {session.member_id}", work)


def checked_all(batches: Sequence[MessageBatch], *, may_renew: bool) -> list[Acknowledgement]:
    """Ranges that make sense, in ascending order; one may begin where the one before it ends."""
    checked_ones: list[Acknowledgement] = []
    end_offset = NO_OFFSET
    for batch in batches:
        if batch.first_offset < end_offset:
            raise KafkaError(
                ErrorCode.INVALID_REQUEST, f"{batch.first_offset} is behind {end_offset}"
            )
        checked_ones.append(checked(batch, may_renew=may_renew))
        end_offset = batch.last_offset
    return checked_ones


def checked(batch: MessageBatch, *, may_renew: bool) -> Acknowledgement:
    """A range that makes sense by itself; a request has to say beforehand that it renews."""
    first, last, types = batch.first_offset, batch.last_offset, batch.acknowledge_types
    if first > last:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"{first} to {last} is no range")
    if len(types) not in (1, last - first + 1):
        raise KafkaError(
            ErrorCode.INVALID_REQUEST,
            f"{len(types)} acknowledge types for {last - first + 1} offsets",
        )
    highest = AcknowledgeType.RENEW if may_renew else AcknowledgeType.REJECT
    if any(not 0 <= kind <= highest for kind in types):
        raise KafkaError(ErrorCode.INVALID_REQUEST, "there is no such acknowledge type")
    return Acknowledgement(first, last, types)
