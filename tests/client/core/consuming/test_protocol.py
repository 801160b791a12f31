"""What members of a classic group say to each other."""

from __future__ import annotations

import pytest

from moldau.client.core.consuming.protocol import (
    read_assignment,
    read_member,
    write_assignment,
    write_subscription,
)
from moldau.client.topic_partition import TopicPartition
from moldau.errors import DecodeError

OWNED = [TopicPartition("t", 1), TopicPartition("t", 3), TopicPartition("u", 0)]


@pytest.mark.parametrize("assignor", ["sticky", "cooperative-sticky", "range"])
def test_a_member_is_read_as_it_was_written(assignor):
    data = write_subscription(assignor, {"u", "t"}, OWNED, 9, "rack")
    member = read_member("m", "i", data)
    assert member.topics == {"t", "u"}
    assert (member.owned, member.generation) == (tuple(OWNED), 9)
    assert (member.member_id, member.instance_id) == ("m", "i")


def test_an_assignment_is_read_as_it_was_written():
    assert read_assignment(write_assignment(OWNED)) == set(OWNED)
    assert read_assignment(b"") == set()


def test_another_assignors_memory_means_nothing():
    data = bytearray(write_subscription("sticky", {"t"}, OWNED, 9, ""))
    start = data.index(b"\x00\x00\x00\x02\x00\x01t")
    data[start : start + 4] = b"\x7f\xff\xff\xff"
    assert read_member("m", None, bytes(data)).owned == ()


def test_what_has_no_version_is_refused():
    with pytest.raises(DecodeError):
        read_member("m", None, b"\x00")
