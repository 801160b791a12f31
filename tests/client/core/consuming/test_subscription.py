"""What a consumer reads by the will of its user."""

from __future__ import annotations

import math
import re

import pytest

from moldau.client.core.cluster import Topic
from moldau.client.core.consuming.group_state import GroupState
from moldau.client.core.consuming.subscription import Subscription
from moldau.client.errors import InvalidArgumentError
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition

PART = TopicPartition("t", 0)


def made(**settings: str) -> tuple[Subscription, GroupState]:
    given = {name.replace("_", "."): value for name, value in settings.items()}
    state = GroupState("g", None)
    chosen = ConsumerSettings.of({"bootstrap.servers": "b1:9092", **given})
    return Subscription(chosen, state, 0), state


def listed(*names: str) -> list[Topic]:
    return [Topic(name, bytes(16), name.startswith("_"), {}, 0) for name in names]


def test_a_pattern_takes_whole_names_and_no_internal_topics():
    subscription, state = made()
    subscription.subscribe((), re.compile(r"_?or.*s"), None)
    subscription.take_matches(listed("orders", "orders-2", "_orders", "others"))
    assert state.topics == {"orders"}


def test_topics_and_partitions_by_hand_do_not_go_together():
    subscription, _ = made()
    subscription.assign([PART], is_member=False)
    with pytest.raises(InvalidArgumentError, match="unsubscribe"):
        subscription.subscribe(["t"], None, None)
    subscription.clear()
    subscription.subscribe(["t"], None, None)
    with pytest.raises(InvalidArgumentError, match="unsubscribe"):
        subscription.assign([PART], is_member=True)


def test_who_reads_nothing_is_refused_until_there_is_something():
    subscription, _ = made()
    with pytest.raises(InvalidArgumentError, match="reads nothing"):
        subscription.ensure_reads()
    subscription.assign([PART], is_member=False)
    subscription.ensure_reads()
    subscription.assign([], is_member=False)
    with pytest.raises(InvalidArgumentError, match="reads nothing"):
        subscription.ensure_reads()


def test_what_is_consumed_is_committed_once_in_an_interval():
    subscription, _ = made(group_id="g", auto_commit_interval_ms="100")
    due = [subscription.commit_is_due(now_ms) for now_ms in (50, 100, 150, 199, 200)]
    assert due == [False, True, False, False, True]


@pytest.mark.parametrize("settings", [{}, {"group_id": "g", "enable_auto_commit": "false"}])
def test_nothing_is_committed_without_a_group_or_the_wish(settings):
    subscription, _ = made(**settings)
    assert not subscription.commit_is_due(1_000_000)


def test_topics_are_looked_for_again_when_what_is_known_is_old():
    subscription, _ = made(metadata_max_age_ms="1000")
    subscription.assign([PART], is_member=False)
    assert not subscription.look_is_due(5000)
    subscription.clear()
    subscription.subscribe((), re.compile("t"), None)
    subscription.looks(5000)
    assert [subscription.look_is_due(now_ms) for now_ms in (5999, 6000)] == [False, True]


def test_topics_that_are_absent_are_looked_for_again_after_the_longest_backoff():
    subscription, _ = made(retry_backoff_max_ms="700")
    subscription.subscribe(["t", "u"], None, None)
    subscription.looks(5000)
    subscription.lack({"u", "another"})
    assert [subscription.look_is_due(now_ms) for now_ms in (5699, 5700)] == [False, True]
    subscription.lack({"another"})
    assert not subscription.look_is_due(5700)


def test_a_poll_may_rest_until_the_next_look():
    subscription, _ = made(metadata_max_age_ms="1500")
    subscription.subscribe(["t"], None, None)
    subscription.looks(0)
    assert subscription.idle_ms(500) == 1000
    assert subscription.idle_ms(1500) == 100  # whatever the interval is


def test_a_poll_without_topics_has_nothing_to_look_for():
    assert made()[0].idle_ms(500) == math.inf


def test_who_has_no_group_learns_how_to_have_one():
    with pytest.raises(InvalidArgumentError, match="group_id="):
        assert made()[0].group
