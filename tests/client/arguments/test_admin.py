"""What calls of an admin client are given."""

from __future__ import annotations

from datetime import UTC, datetime

from moldau.client.arguments.admin import group_parts_of, offset_place_of, partitions_of
from moldau.client.core.admin.offsets import OffsetPlace
from moldau.client.topic_partition import TopicPartition


def test_a_place_is_one_or_a_time_that_is_none():
    assert offset_place_of(OffsetPlace.LATEST) == -1
    assert offset_place_of(-1) == 0
    assert offset_place_of(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)) == 1000


def test_partitions_are_some_or_all():
    assert partitions_of(None) is None
    assert partitions_of([("t", 1)]) == [TopicPartition("t", 1)]


def test_groups_are_named_with_or_without_partitions():
    assert group_parts_of("g") == {"g": None}
    assert group_parts_of(["g", "h"]) == {"g": None, "h": None}
    assert group_parts_of({"g": [("t", 0)], "h": None}) == {
        "g": [TopicPartition("t", 0)],
        "h": None,
    }
