"""AddOffsetsToTxn: the offsets of a group become part of the transaction.

Versions 0-4, for clients before KIP-890, which call it before TxnOffsetCommit. The coordinator adds
the group's partition of `__consumer_offsets`, so that it gets the transaction's marker.
"""

from __future__ import annotations

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import check_group
from moldau.broker.server.transaction.asking import (
    ask_transaction,
    check_transactional_id,
    known_to,
)
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.add_offsets_to_txn import (
    AddOffsetsToTxnRequest,
    AddOffsetsToTxnResponse,
)

FENCED_FROM = 2


async def handle(call: Call[AddOffsetsToTxnRequest], broker: Broker) -> AddOffsetsToTxnResponse:
    request = call.request
    check_transactional_id(call, broker, request.transactional_id)
    check_group(call, broker, request.group_id)
    try:
        return await ask_transaction(
            call, broker, request.transactional_id, AddOffsetsToTxnResponse
        )
    except KafkaError as error:
        raise known_to(call, error, FENCED_FROM) from error
