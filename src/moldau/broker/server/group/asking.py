"""How handlers put a request to the group coordinator, and check the rights of its sender."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from moldau.broker.coordinator.group.request_checks import check_request
from moldau.broker.log.producers.transaction_verification import VerificationGuard
from moldau.broker.runtime.shard_loop import ShardRuntime
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

__all__ = [
    "ask_group",
    "check_group",
    "client_host",
    "groups_of",
    "may",
    "may_read_topic",
    "with_message",
    "worded",
]

Answer = TypeVar("Answer", bound=Message)


async def ask_group(
    call: Call,
    broker: Broker,
    group_id: str,
    answer_type: type[Answer],
    *,
    request: Message | None = None,
    guard: VerificationGuard | None = None,
) -> Answer:
    """The coordinator's answer to the call's request, or to another one in its place."""
    request = call.request if request is None else request
    check_request(request, call.version, broker.settings)
    answer = await groups_of(broker).ask(
        group_id,
        request,
        version=call.version,
        client_id=call.client_id or "",
        client_host=client_host(call),
        guard=guard,
        correlation=call,
    )
    assert isinstance(answer, answer_type), f"{answer!r} is no {answer_type.__name__}"
    return answer


@contextmanager
def with_message() -> Iterator[None]:
    """An error without a message gets that of its code, as calls about share groups do."""
    try:
        yield
    except KafkaError as error:
        raise worded(error) from None


def worded(error: KafkaError) -> KafkaError:
    """With the message of its code where it has none of its own."""
    if error.message is not None:
        return error
    return KafkaError(error.code, ErrorCode.read(error.code).message)


def groups_of(broker: Broker) -> ShardRuntime:
    """The group coordinator of this node."""
    groups: ShardRuntime | None = broker.groups
    if groups is None:
        raise KafkaError(ErrorCode.COORDINATOR_NOT_AVAILABLE, "this node coordinates no groups")
    return groups


def client_host(call: Call) -> str:
    """As Kafka shows it to tools."""
    return f"/{call.peer.host}"


def check_group(
    call: Call, broker: Broker, group_id: str, operation: Operation = Operation.READ
) -> None:
    """Refuse a sender that may not do this to the group."""
    if not may(call, broker, operation, group_id):
        raise KafkaError(ErrorCode.GROUP_AUTHORIZATION_FAILED, f"no access to group {group_id}")


def may(call: Call, broker: Broker, operation: Operation, group_id: str) -> bool:
    """Whether the caller may do this to the group."""
    return broker.authorizer.allows(call, operation, Resource.GROUP, group_id)


def may_read_topic(
    call: Call, broker: Broker, topic: str, operation: Operation = Operation.READ
) -> bool:
    """Whether the caller may commit or see offsets of the topic."""
    return broker.authorizer.allows(call, operation, Resource.TOPIC, topic)
