"""DeleteShareGroupOffsets: let an empty share group forget topics.

Version 0 (KIP-932). When it comes back to them it begins as a new group would.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.coordinator.group.request_checks import check_group_id
from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import (
    ask_group,
    check_group,
    may_read_topic,
    with_message,
)
from moldau.broker.server.group.protocols import SHARE, check_protocol
from moldau.broker.server.share.preparation import forget
from moldau.protocol.messages.share.delete_share_group_offsets import (
    DeleteShareGroupOffsetsRequest,
    DeleteShareGroupOffsetsResponse,
)
from moldau.protocol.messages.share.delete_share_group_state import DeleteShareGroupStateRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

Topic = DeleteShareGroupOffsetsResponse.DeleteShareGroupOffsetsResponseTopic
Codes = dict[bytes, int]
NOTHING_TO_DELETE = "There is no offset information to delete."


async def handle(
    call: Call[DeleteShareGroupOffsetsRequest], broker: Broker
) -> DeleteShareGroupOffsetsResponse:
    with with_message():
        return await _delete(call, broker)


async def _delete(
    call: Call[DeleteShareGroupOffsetsRequest], broker: Broker
) -> DeleteShareGroupOffsetsResponse:
    request = call.request
    check_protocol(broker, SHARE)
    check_group(call, broker, request.group_id, Operation.DELETE)
    check_group_id(request.group_id)
    names = [topic.topic_name for topic in request.topics]
    allowed = {name for name in names if may_read_topic(call, broker, name)}
    codes = await _forget(call, broker, allowed)
    responses = [_answer(broker, name, codes, name in allowed) for name in names]
    return DeleteShareGroupOffsetsResponse(
        throttle_time_ms=0, error_code=0, responses=_each_once(responses)
    )


def _each_once(answers: list[Topic]) -> list[Topic]:
    """Without those that are repeated; what has nothing to delete stays as often as named."""
    deleted: set[bytes] = set()
    kept = []
    for answer in answers:
        if answer.topic_id not in deleted:
            kept.append(answer)
        if answer.topic_id != NULL_UUID:
            deleted.add(answer.topic_id)
    return kept


async def _forget(
    call: Call[DeleteShareGroupOffsetsRequest], broker: Broker, names: Iterable[str]
) -> Codes:
    """The worst error of each topic's partitions."""
    group_id = call.request.group_id
    form = DeleteShareGroupOffsetsRequest.DeleteShareGroupOffsetsRequestTopic
    asked = DeleteShareGroupOffsetsRequest(
        group_id=group_id, topics=[form(topic_name=name) for name in names]
    )
    question = await ask_group(call, broker, group_id, DeleteShareGroupStateRequest, request=asked)
    if not question.topics:
        return {}
    broker.shares.drop_group(group_id)
    gone = await forget(broker, question)
    return {
        topic.topic_id: max(one.error_code for one in topic.partitions)
        for topic in (gone.results if gone is not None else ())
    }


def _answer(broker: Broker, name: str, codes: Codes, is_allowed: bool) -> Topic:
    if not is_allowed:
        return _topic(name, NULL_UUID, ErrorCode.TOPIC_AUTHORIZATION_FAILED)
    known = broker.metadata.image.topics.by_name.get(name)
    if known is None:
        return _topic(name, NULL_UUID, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    if known.topic_id not in codes:
        answer = _topic(name, NULL_UUID, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        answer.error_message = NOTHING_TO_DELETE
        return answer
    return _topic(name, known.topic_id, codes[known.topic_id])


def _topic(name: str, topic_id: bytes, code: int) -> Topic:
    message = ErrorCode.read(code).message if code else None
    return Topic(topic_name=name, topic_id=topic_id, error_code=code, error_message=message)
