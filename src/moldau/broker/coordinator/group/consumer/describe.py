"""ConsumerGroupDescribe: a group with its members, what they have and what they shall have.

What a member has not let go of yet is shown as its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.broker.coordinator.group.consumer.context import ConsumerContext
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.member import ConsumerMember
from moldau.broker.coordinator.group.consumer.subscriptions import preferred_assignor
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext
from moldau.broker.metadata.image import Image
from moldau.errors import KafkaError
from moldau.protocol.messages.group.consumer_group_describe import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

CLASSIC_MEMBER, CONSUMER_MEMBER = 0, 1
_Group = ConsumerGroupDescribeResponse.DescribedGroup
_Assignment = ConsumerGroupDescribeResponse.Assignment


class Descriptions:
    """Answers ConsumerGroupDescribe."""

    def __init__(self, context: ConsumerContext) -> None:
        self._context = context

    def describe(
        self, request: ConsumerGroupDescribeRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        groups = [self._describe(group_id) for group_id in request.group_ids]
        response = ConsumerGroupDescribeResponse(throttle_time_ms=0, groups=groups)
        return Decision(replies=[Reply(asking.ticket, response)])

    def _describe(self, group_id: str) -> _Group:
        group = self._context.group(group_id)
        if group is None:
            return refused(group_id, self._context.groups.missing(group_id, "consumer"))
        image = self._context.image
        default = self._context.settings.group_consumer_assignors[0]
        return _Group(
            error_code=ErrorCode.NONE,
            group_id=group_id,
            group_state=group.state_name,
            group_epoch=group.epoch,
            assignment_epoch=group.assignment_epoch,
            assignor_name=preferred_assignor(group.members.values(), default),
            members=[_member(group, member, image) for member in group.members.values()],
        )


def refused(group_id: str, error: KafkaError) -> _Group:
    """The entry of a group that cannot be described."""
    return _Group(
        error_code=error.code,
        error_message=error.message,
        group_id=group_id,
        group_state="",
        group_epoch=0,
        assignment_epoch=0,
        assignor_name="",
        members=[],
    )


def _member(group: ConsumerGroup, member: ConsumerMember, image: Image) -> _Group.Member:
    owned: dict[bytes, list[int]] = {}
    for part in (member.assigned, member.to_revoke):
        for topic_id, partitions in part.items():
            owned.setdefault(topic_id, []).extend(partitions)
    return _Group.Member(
        member_id=member.member_id,
        instance_id=member.instance_id,
        rack_id=member.rack_id,
        member_epoch=member.epoch,
        client_id=member.client_id,
        client_host=member.client_host,
        subscribed_topic_names=list(member.topic_names),
        subscribed_topic_regex=member.topic_pattern,
        assignment=_assignment(owned, image),
        target_assignment=_assignment(group.target_of(member.member_id), image),
        member_type=CLASSIC_MEMBER if member.is_classic else CONSUMER_MEMBER,
    )


def _assignment(assignment: Mapping[bytes, Iterable[int]], image: Image) -> _Assignment:
    """By names too; topics that are gone are left out."""
    by_id = image.topics.by_id
    return _Assignment(
        topic_partitions=[
            ConsumerGroupDescribeResponse.TopicPartitions(
                topic_id=topic_id, topic_name=by_id[topic_id].name, partitions=list(partitions)
            )
            for topic_id, partitions in assignment.items()
            if topic_id in by_id
        ]
    )
