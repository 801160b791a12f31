"""How handlers put a request to the transaction coordinator, and check the rights of its sender."""

from __future__ import annotations

from typing import TypeVar

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

__all__ = ["ask_transaction", "check_transactional_id", "known_to", "may_use"]

Answer = TypeVar("Answer", bound=Message)


async def ask_transaction(
    call: Call,
    broker: Broker,
    transactional_id: str,
    answer_type: type[Answer],
    request: Message | None = None,
) -> Answer:
    """The coordinator's answer to the call's request, or to another one in its place."""
    if broker.transactions is None:
        raise KafkaError(
            ErrorCode.COORDINATOR_NOT_AVAILABLE, "this node coordinates no transactions"
        )
    answer = await broker.transactions.ask(
        transactional_id,
        call.request if request is None else request,
        version=call.version,
        client_id=call.client_id or "",
        client_host=f"/{call.peer.host}",
    )
    assert isinstance(answer, answer_type), f"{answer!r} is no {answer_type.__name__}"
    return answer


def known_to(call: Call, error: KafkaError, fenced_from: int) -> KafkaError:
    """The same refusal in words that the version of the caller has."""
    if error.code == ErrorCode.PRODUCER_FENCED and call.version < fenced_from:
        return KafkaError(ErrorCode.INVALID_PRODUCER_EPOCH, error.message)
    return error


def may_use(
    call: Call, broker: Broker, transactional_id: str, operation: Operation = Operation.WRITE
) -> bool:
    """Whether the caller may do this with the transactional id."""
    return broker.authorizer.allows(call, operation, Resource.TRANSACTIONAL_ID, transactional_id)


def check_transactional_id(
    call: Call, broker: Broker, transactional_id: str, operation: Operation = Operation.WRITE
) -> None:
    """Refuse a sender that may not do this with the transactional id."""
    if not may_use(call, broker, transactional_id, operation):
        raise KafkaError(
            ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
            f"no access to transactional id {transactional_id}",
        )
