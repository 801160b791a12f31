"""ShareGroupDescribe: a share group as its coordinator sees it."""

from __future__ import annotations

from moldau.broker.coordinator.group.share.context import ShareContext
from moldau.broker.coordinator.group.share.group import ShareGroup
from moldau.broker.coordinator.group.share.member import ShareMember
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext
from moldau.broker.metadata.image import Image
from moldau.errors import KafkaError
from moldau.protocol.messages.share.share_group_describe import (
    ShareGroupDescribeRequest,
    ShareGroupDescribeResponse,
)

ASSIGNOR = "simple"
DEAD = ""
"""What Kafka calls the state of a group that is not there, in this answer."""

_Described = ShareGroupDescribeResponse.DescribedGroup
_TopicPartitions = ShareGroupDescribeResponse.TopicPartitions


class Descriptions:
    """Answers ShareGroupDescribe for the groups of a shard."""

    def __init__(self, context: ShareContext) -> None:
        self._context = context

    def describe(
        self, request: ShareGroupDescribeRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        described = [self._describe(group_id) for group_id in request.group_ids]
        response = ShareGroupDescribeResponse(throttle_time_ms=0, groups=described)
        return Decision(replies=[Reply(asking.ticket, response)])

    def _describe(self, group_id: str) -> _Described:
        try:
            return described(self._context.group(group_id), self._context.image)
        except KafkaError as error:
            return refused(group_id, error)


def described(group: ShareGroup, image: Image) -> _Described:
    return _Described(
        error_code=0,
        group_id=group.group_id,
        group_state=group.state_name,
        group_epoch=group.epoch,
        assignment_epoch=group.assignment_epoch,
        assignor_name=ASSIGNOR,
        members=[_member(member, image) for member in group.members.values()],
    )


def refused(group_id: str, error: KafkaError) -> _Described:
    return _Described(
        error_code=error.code,
        error_message=error.message,
        group_id=group_id,
        group_state=DEAD,
        group_epoch=0,
        assignment_epoch=0,
        assignor_name="",
        members=[],
    )


def _member(member: ShareMember, image: Image) -> _Described.Member:
    topics = image.topics.by_id
    return _Described.Member(
        member_id=member.member_id,
        rack_id=member.rack_id,
        member_epoch=member.epoch,
        client_id=member.client_id,
        client_host=member.client_host,
        subscribed_topic_names=list(member.topic_names),
        assignment=ShareGroupDescribeResponse.Assignment(
            topic_partitions=[
                _TopicPartitions(
                    topic_id=topic_id,
                    topic_name=topics[topic_id].name,
                    partitions=sorted(partitions),
                )
                for topic_id, partitions in member.assigned.items()
                if topic_id in topics
            ]
        ),
    )
