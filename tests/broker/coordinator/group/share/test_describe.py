"""Share groups are described with what their members have."""

from __future__ import annotations

from moldau.protocol.messages.share.share_group_describe import ShareGroupDescribeRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.coordinator import Asked
from tests.broker.coordinator.group.share.conversation import ShareGroupCoordinator


def describe(coordinator, group_id):
    request = ShareGroupDescribeRequest(group_ids=[group_id], include_authorized_operations=False)
    (group,) = (coordinator >> Asked(request, 1)).answer.groups
    return group


def test_members_are_reported_with_their_partitions():
    coordinator = ShareGroupCoordinator()
    coordinator.add_topics(t=2)
    coordinator.joined("a")
    group = describe(coordinator, "g")
    (member,) = group.members
    assert (group.group_state, group.assignor_name) == ("Stable", "simple")
    assert group.group_epoch == group.assignment_epoch == member.member_epoch
    assert member.assignment.topic_partitions[0].partitions == [0, 1]


def test_a_group_that_is_not_there_has_an_error():
    assert describe(ShareGroupCoordinator(), "g").error_code == ErrorCode.GROUP_ID_NOT_FOUND
