"""What a dry run of deleting groups shows; `tests/programs/tools/cluster` has it at a node."""

from __future__ import annotations

from io import StringIO

from moldau.client import TopicPartition
from moldau.client.admin import GroupType, ListedGroup
from moldau.programs.tools.kafka.group_dry_runs import show_deletion, show_forgetting


def group(name: str, state: str) -> ListedGroup:
    return ListedGroup(group_id=name, protocol_type="consumer", state=state, type=GroupType.CLASSIC)


def test_what_stands_against_a_deletion_is_named(world):
    listed = {"idle": group("idle", "Empty"), "busy": group("busy", "Stable")}
    show_deletion(["idle", "busy", "gone"], listed, world, "consumer")
    assert isinstance(world.out, StringIO)
    assert world.out.getvalue().splitlines() == [
        "DRY RUN of deleting consumer group 'idle' with its offsets",
        "DRY RUN of deleting consumer group 'busy': it would fail, for the group is Stable",
        "DRY RUN of deleting consumer group 'gone': it would fail, for there is no such group",
    ]


def test_each_place_that_would_be_forgotten_is_named(world):
    show_forgetting("g", [TopicPartition("t", 1)], world)
    assert isinstance(world.out, StringIO)
    assert world.out.getvalue() == "DRY RUN of deleting the offsets of group 'g' in t-1\n"
