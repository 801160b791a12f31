"""What all calls that describe groups have in common, whatever their kind of groups.

Each group is asked about at its coordinator and has its own error. What the caller may do is shown
for every group that is answered without one. A group with a topic that the caller may not know of
is not shown at all.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, Protocol, TypeAlias, TypeVar, cast

from moldau.broker.coordinator.group.request_checks import check_group_id
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group, check_group, may_read_topic
from moldau.broker.server.group.protocols import GroupProtocol, check_protocol
from moldau.broker.server.slices import Pace, each
from moldau.errors import KafkaError
from moldau.protocol.messages.group.consumer_group_describe import ConsumerGroupDescribeRequest
from moldau.protocol.messages.group.describe_groups import DescribeGroupsRequest
from moldau.protocol.messages.share.share_group_describe import ShareGroupDescribeRequest
from moldau.protocol.messages.streams.streams_group_describe import StreamsGroupDescribeRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

__all__ = ["DescribedGroup", "check_topics", "describe_groups", "describe_groups_of"]


class DescribedGroup(Protocol):
    """What an answer of any of these calls has of a group."""

    group_id: str
    error_code: int
    authorized_operations: int


NewDescribeRequest: TypeAlias = (
    ConsumerGroupDescribeRequest | ShareGroupDescribeRequest | StreamsGroupDescribeRequest
)

Group = TypeVar("Group", bound=DescribedGroup)


async def describe_groups(
    call: Call[DescribeGroupsRequest | NewDescribeRequest],
    broker: Broker,
    group_ids: Iterable[str],
    ask: Callable[[str], Awaitable[Group]],
    refuse: Callable[[str, KafkaError], Group],
    *,
    takes_no_name: bool = False,
) -> list[Group]:
    """Each as `ask` finds it, or as `refuse` words its error.

    DescribeGroups takes an empty name for one more group that is not there; the others refuse it.
    """

    async def describe(group_id: str) -> Group:
        try:
            check_group(call, broker, group_id, Operation.DESCRIBE)
            if not takes_no_name:
                check_group_id(group_id)
            return await ask(group_id)
        except KafkaError as error:
            return refuse(group_id, error)

    pace = Pace(broker)
    groups = await pace.each(describe, group_ids)
    if call.request.include_authorized_operations:
        await pace.run(each(partial(_add_operations, call, broker), groups))
    return groups


async def describe_groups_of(
    protocol: GroupProtocol,
    call: Call[NewDescribeRequest],
    broker: Broker,
    answer_type: type[Message],
    topics_of: Callable[[Group], Iterable[str]],
    refuse: Callable[[str, KafkaError], Group],
) -> list[Group]:
    """Those of one protocol of KIP-848, KIP-932 or KIP-1071; `topics_of` has all that are shown."""
    check_protocol(broker, protocol)
    asked = call.request

    async def ask(group_id: str) -> Group:
        question = type(asked)(group_ids=[group_id], include_authorized_operations=False)
        answer = await ask_group(call, broker, group_id, answer_type, request=question)
        (group,) = cast("Any", answer).groups
        check_topics(call, broker, group_id, topics_of(group))
        return cast("Group", group)

    return await describe_groups(call, broker, asked.group_ids, ask, refuse)


def _add_operations(call: Call, broker: Broker, group: DescribedGroup) -> None:
    if not group.error_code:
        group.authorized_operations = broker.authorizer.allowed(
            call, Resource.GROUP, group.group_id
        )


def check_topics(call: Call, broker: Broker, group_id: str, topics: Iterable[str]) -> None:
    """Refuse a group with one of these topics that is hidden from the caller."""
    if not all(may_read_topic(call, broker, topic, Operation.DESCRIBE) for topic in topics):
        raise KafkaError(
            ErrorCode.TOPIC_AUTHORIZATION_FAILED,
            f"Group {group_id} has topics that the caller may not describe.",
        )
