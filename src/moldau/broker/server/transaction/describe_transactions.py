"""DescribeTransactions: where each of these transactional ids stands (KIP-664).

Version 0. The coordinator of each id answers; one that is elsewhere, forbidden or unknown has its
own error code. Topics that the caller may not describe are left out.
"""

from __future__ import annotations

from functools import partial

from moldau.broker.coordinator.transaction.describe import Described, undescribed
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.slices import Pace
from moldau.broker.server.transaction.asking import ask_transaction, may_use
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.describe_transactions import (
    DescribeTransactionsRequest,
    DescribeTransactionsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode


async def handle(
    call: Call[DescribeTransactionsRequest], broker: Broker
) -> DescribeTransactionsResponse:
    request = call.request
    names = request.transactional_ids
    states = await Pace(broker).each(partial(_describe, call, broker), names)
    return DescribeTransactionsResponse(throttle_time_ms=0, transaction_states=states)


async def _describe(call: Call, broker: Broker, name: str) -> Described:
    if not may_use(call, broker, name, Operation.DESCRIBE):
        return undescribed(name, ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED)
    if not name:
        return undescribed(name, ErrorCode.INVALID_REQUEST)
    one = DescribeTransactionsRequest(transactional_ids=[name])
    try:
        answer = await ask_transaction(call, broker, name, DescribeTransactionsResponse, one)
    except KafkaError as error:
        return undescribed(name, error.code)
    [state] = answer.transaction_states
    allows = broker.authorizer.allows
    state.topics = [
        topic
        for topic in state.topics
        if allows(call, Operation.DESCRIBE, Resource.TOPIC, topic.topic)
    ]
    return state
