"""EndTxn: commit the transaction, or abort it.

Versions 0-5; from 5 on the answer has the identity to go on with (KIP-890). It leaves when the
decision is replicated; markers follow by themselves (`runtime.marker_delivery`), and until they are
all there the next transaction gets CONCURRENT_TRANSACTIONS.
"""

from __future__ import annotations

from moldau.broker.coordinator.transaction.end_txn import BUMPS_FROM
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.transaction.asking import (
    ask_transaction,
    check_transactional_id,
    known_to,
)
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest, EndTxnResponse

FENCED_FROM = 2


async def handle(call: Call[EndTxnRequest], broker: Broker) -> EndTxnResponse:
    request = call.request
    check_transactional_id(call, broker, request.transactional_id)
    if call.version >= BUMPS_FROM and broker.producer_ids is not None:
        await broker.producer_ids.ready()
    try:
        return await ask_transaction(call, broker, request.transactional_id, EndTxnResponse)
    except KafkaError as error:
        raise known_to(call, error, FENCED_FROM) from error
