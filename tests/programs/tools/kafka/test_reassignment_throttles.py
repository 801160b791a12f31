"""Throttles are set where something moves from and to, and lifted everywhere."""

from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest

from moldau.client import TopicPartition
from moldau.client.admin import ConfigResource, Outcomes, Reassignment
from moldau.errors import MoldauError
from moldau.programs.tools.kafka.flags import parse
from moldau.programs.tools.kafka.reassign_partitions import FLAGS
from moldau.programs.tools.kafka.reassignment_plans import Plan
from moldau.programs.tools.kafka.reassignment_throttles import (
    Move,
    all_moves,
    clear_throttles,
    set_throttles,
)

PART, OTHER = TopicPartition("a", 0), TopicPartition("b", 10)
LEADERS, FOLLOWERS = (
    "leader.replication.throttled.replicas",
    "follower.replication.throttled.replicas",
)


class Settings:
    """An admin that keeps what is changed; one broker may be down."""

    def __init__(self, down: int | None = None) -> None:
        self.changes: dict[ConfigResource, dict[str, str | None]] = {}
        self._down = ConfigResource.broker(down) if down is not None else None

    def describe_cluster(self):
        return SimpleNamespace(nodes=[SimpleNamespace(node_id=number) for number in (1, 2)])

    def incremental_alter_configs(self, changes):
        errors = {one: MoldauError("it is down") for one in changes if one == self._down}
        made = {one: settings for one, settings in changes.items() if one not in errors}
        self.changes |= made
        return Outcomes(dict.fromkeys(made), errors)


def test_sources_and_destinations_are_throttled():
    admin: Any = Settings()
    world: Any = SimpleNamespace(out=StringIO())
    given = parse(FLAGS, ["--throttle", "1000"])
    plan, now = Plan({PART: (2, 3)}, {}), Plan({PART: (1, 2)}, {})
    set_throttles(given, plan, all_moves({}, plan, now), admin, world)
    assert admin.changes[ConfigResource.topic("a")] == {LEADERS: "0:1,0:2", FOLLOWERS: "0:3"}
    assert [one for one in admin.changes if one.name == "3"] == [ConfigResource.broker(3)]
    assert "The inter-broker throttle limit was set to 1000 B/s" in world.out.getvalue()


def test_where_nothing_is_copied_no_follower_stays_throttled():
    admin: Any = Settings()
    world: Any = SimpleNamespace(out=StringIO())
    given = parse(FLAGS, ["--throttle", "1000"])
    plan, now = Plan({PART: (2, 1)}, {}), Plan({PART: (1, 2)}, {})
    set_throttles(given, plan, all_moves({}, plan, now), admin, world)
    assert admin.changes[ConfigResource.topic("a")] == {LEADERS: "0:1,0:2", FOLLOWERS: ""}


def test_moves_that_go_on_are_throttled_anew_with_those_of_a_plan():
    moving = {
        PART: Reassignment(replicas=(1, 2, 3), adding=(3,), removing=(1,)),
        OTHER: Reassignment(replicas=(4, 2), adding=(4,), removing=(2,)),
    }
    plan, now = Plan({PART: (2, 5)}, {}), Plan({PART: (1, 2, 3)}, {})
    assert all_moves(moving, plan, now) == {
        PART: Move(frozenset({1, 2}), frozenset({5})),
        OTHER: Move(frozenset({2}), frozenset({4})),
    }


def test_throttles_are_lifted_from_brokers_and_topics():
    admin: Any = Settings()
    world: Any = SimpleNamespace(out=StringIO())
    clear_throttles(Plan({PART: (3,)}, {}), admin, world)
    assert set(admin.changes[ConfigResource.topic("a")].values()) == {None}
    assert world.out.getvalue().splitlines() == [
        "Clearing broker-level throttles on brokers 1,2,3",
        "Clearing topic-level throttles on topic a",
    ]


def test_a_broker_that_is_down_keeps_no_other_throttle_from_being_lifted():
    admin: Any = Settings(down=3)
    world: Any = SimpleNamespace(out=StringIO())
    with pytest.raises(MoldauError, match=r"it is down; .* when broker 3 can be reached"):
        clear_throttles(Plan({PART: (3,)}, {}), admin, world)
    assert [*admin.changes] == [
        ConfigResource.broker(1), ConfigResource.broker(2), ConfigResource.topic("a")
    ]  # fmt: skip


def test_where_a_throttle_cannot_be_set_the_error_says_what_stays():
    admin: Any = Settings(down=3)
    given = parse(FLAGS, ["--throttle", "1000"])
    plan, now = Plan({PART: (2, 3)}, {}), Plan({PART: (1, 2)}, {})
    with pytest.raises(MoldauError, match="it is down; nothing was moved, and throttles that"):
        set_throttles(
            given,
            plan,
            all_moves({}, plan, now),
            admin,
            SimpleNamespace(out=StringIO()),  # type: ignore[arg-type]
        )
