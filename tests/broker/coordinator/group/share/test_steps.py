"""What share coordinators are asked says where to begin, and in which epoch."""

from __future__ import annotations

from moldau.broker.coordinator.group.share.prepared import TopicShare
from moldau.broker.coordinator.group.share.steps import preparation, preparation_from

T = b"t" * 16


def partitions_in(request):
    (topic,) = request.topics
    return [(one.partition, one.state_epoch, one.start_offset) for one in topic.partitions]


def test_a_new_subscription_begins_anywhere():
    request = preparation("g", 3, {T: TopicShare("t", frozenset({1, 0}))})
    assert partitions_in(request) == [(0, 3, -1), (1, 3, -1)]


def test_a_group_that_is_moved_begins_there():
    assert partitions_in(preparation_from("g", 4, {T: {2: 77}})) == [(2, 4, 77)]
