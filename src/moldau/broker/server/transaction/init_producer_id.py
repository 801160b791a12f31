"""InitProducerId: an identity under which batches are deduplicated, and transactions made.

Versions 0-6; version 6 (two-phase commit, KIP-939) with `unstable.api.versions.enable`, or with
`transaction.two.phase.commit.enable`, and `keep_prepared_txn` works, which Kafka 4.3 refuses.

Without a transactional id any broker answers, with epoch 0. With one, its coordinator does
(`coordinator.transaction.init_producer_id`). Errors carry the id -1 and the epoch -1; versions
below 4 get INVALID_PRODUCER_EPOCH where later ones get PRODUCER_FENCED.

Deviations: while the first block of producer ids is on its way the answer waits, where Kafka sends
COORDINATOR_LOAD_IN_PROGRESS at once.
"""

from __future__ import annotations

from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.transaction.asking import (
    ask_transaction,
    check_transactional_id,
    known_to,
)
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.init_producer_id import (
    InitProducerIdRequest,
    InitProducerIdResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

FENCED_FROM = 4
NOTHING = -1


async def handle(call: Call[InitProducerIdRequest], broker: Broker) -> InitProducerIdResponse:
    request = call.request
    try:
        _check_access(call, broker, request)
        if (request.producer_id == NOTHING) != (request.producer_epoch == NOTHING):
            raise KafkaError(
                ErrorCode.INVALID_REQUEST, "A producer id comes with an epoch, or without both."
            )
        return await _give(call, broker, request)
    except KafkaError as error:
        return _refused(known_to(call, error, FENCED_FROM).code)


async def _give(
    call: Call, broker: Broker, request: InitProducerIdRequest
) -> InitProducerIdResponse:
    if broker.producer_ids is None:
        raise KafkaError(ErrorCode.COORDINATOR_NOT_AVAILABLE, "this node has no producer ids")
    await broker.producer_ids.ready()
    if request.transactional_id is not None:
        return await ask_transaction(call, broker, request.transactional_id, InitProducerIdResponse)
    return InitProducerIdResponse(
        error_code=ErrorCode.NONE, producer_id=broker.producer_ids.take(), producer_epoch=0
    )


def _check_access(call: Call, broker: Broker, request: InitProducerIdRequest) -> None:
    name = request.transactional_id
    if name is not None:
        check_transactional_id(call, broker, name)
        if request.enable2_pc or request.keep_prepared_txn:
            check_transactional_id(call, broker, name, Operation.TWO_PHASE_COMMIT)
    elif not _may_write_anything(call, broker):
        raise KafkaError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED)


def _may_write_anything(call: Call, broker: Broker) -> bool:
    """A client that may write to any topic may do so as an idempotent producer (KIP-679)."""
    authorizer = broker.authorizer
    return authorizer.allows(
        call, Operation.IDEMPOTENT_WRITE, Resource.CLUSTER, CLUSTER_NAME
    ) or authorizer.allows_any(call, Operation.WRITE, Resource.TOPIC)


def _refused(code: int) -> InitProducerIdResponse:
    return InitProducerIdResponse(error_code=code, producer_epoch=NOTHING)
