"""ListTransactions: the transactional ids that this broker coordinates (KIP-664).

Versions 0-2: 1 filters by the time a transaction is open (KIP-994), 2 by a pattern for the whole
id (KIP-1152). Ids that the caller may not describe are left out. While a coordinator here is still
loading the response is an error, as half an answer would look like a whole one.
"""

from __future__ import annotations

from typing import cast

from moldau.broker.coordinator.transaction.describe import unknown_states, wanted_pattern
from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.transaction.asking import may_use
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.list_transactions import (
    ListTransactionsRequest,
    ListTransactionsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode


async def handle(call: Call[ListTransactionsRequest], broker: Broker) -> ListTransactionsResponse:
    request = call.request
    if broker.transactions is None:
        raise KafkaError(
            ErrorCode.COORDINATOR_NOT_AVAILABLE, "this node coordinates no transactions"
        )
    wanted_pattern(request)
    answers = await broker.transactions.ask_each(request, version=call.version)
    return ListTransactionsResponse(
        throttle_time_ms=0,
        error_code=ErrorCode.NONE,
        unknown_state_filters=unknown_states(request),
        transaction_states=[
            state
            for answer in answers
            for state in cast("ListTransactionsResponse", answer).transaction_states
            if may_use(call, broker, state.transactional_id, Operation.DESCRIBE)
        ],
    )
