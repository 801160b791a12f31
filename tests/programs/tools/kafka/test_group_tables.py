"""Groups are described in Kafka's columns, which grow with what stands in them."""

from types import SimpleNamespace
from typing import Any

from moldau.client import TopicPartition
from moldau.client.admin import GroupMember, GroupType, GroupView, OffsetView
from moldau.client.core.admin.group_offsets import CommittedOffset
from moldau.client.core.admin.outcomes import Outcomes
from moldau.programs.tools.kafka.group_tables import print_members, print_offsets, print_states

READ, LEFT = TopicPartition("orders", 0), TopicPartition("orders", 1)
MEMBER = GroupMember(
    member_id="m" * 20, client_id="me", host="/127.0.0.1", assignment=(READ,), epoch=3
)
VIEW = GroupView(group_id="g", type=GroupType.CONSUMER, state="Stable", members=(MEMBER,))


def test_members_come_before_partitions_that_no_member_reads(world):
    admin: Any = SimpleNamespace(
        list_consumer_group_offsets=lambda name: {
            name: {READ: CommittedOffset(4, 1), LEFT: CommittedOffset(2, None)}
        },
        list_offsets=lambda wanted: Outcomes({READ: OffsetView(10, None, None)}),
    )
    print_offsets(admin, {"g": VIEW}, world, verbose=False)
    heads, read, left = world.out.getvalue().strip().splitlines()
    assert heads.split()[:3] == ["GROUP", "TOPIC", "PARTITION"]
    assert read.split() == ["g", "orders", "0", "4", "10", "6", "m" * 20, "/127.0.0.1", "me"]
    assert left.split() == ["g", "orders", "1", "2", "-", "-", "-", "-", "-"]
    assert heads.index("HOST") == read.index("/127")


def test_members_show_what_they_read(world):
    print_members({"g": VIEW}, world, verbose=True)
    heads, row = world.out.getvalue().strip().splitlines()
    assert heads.split()[-1] == "TARGET-ASSIGNMENT"
    assert row.split() == ["g", "m" * 20, "/127.0.0.1", "me", "1", "3", "orders:0", "-", "-"]


def test_a_group_without_members_is_remarked_on(world):
    empty = GroupView(group_id="g", type=GroupType.CLASSIC, state="Empty")
    print_states({"g": empty}, world, verbose=False)
    printed = world.out.getvalue()
    assert "Consumer group 'g' has no active members." in printed
    assert printed.splitlines()[-1].split() == ["g", "-", "-", "Empty", "0"]
