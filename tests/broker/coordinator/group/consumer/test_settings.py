"""What holds for a group: its own configs, within the broker's bounds."""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.settings import ConsumerGroupSettings
from moldau.broker.metadata.image import Image
from tests.broker.coordinator.group.consumer.conversation import (
    beat,
    join,
    stage,
    with_group_config,
)
from tests.broker.coordinator.group.coordinator import SomeSettings


def settings_of(**configs: str) -> ConsumerGroupSettings:
    image = with_group_config(Image(), "g", **configs).build()
    return ConsumerGroupSettings(SomeSettings(), image, "g")


def test_without_configs_the_brokers_settings_hold():
    found = settings_of()
    timeouts = found.session_timeout_ms, found.heartbeat_interval_ms, found.assignment_interval_ms
    assert timeouts == (45_000, 5_000, 1_000)


def test_a_groups_own_configs_win():
    found = settings_of(consumer_session_timeout_ms="50000", consumer_heartbeat_interval_ms="6000")
    assert (found.session_timeout_ms, found.heartbeat_interval_ms) == (50_000, 6_000)


def test_what_lies_outside_the_bounds_counts_as_the_nearest_bound():
    found = settings_of(consumer_session_timeout_ms="1", consumer_assignment_interval_ms="99999")
    assert (found.session_timeout_ms, found.assignment_interval_ms) == (45_000, 15_000)


def test_members_get_the_groups_interval():
    coordinator = stage()
    coordinator.image = with_group_config(
        coordinator.image, "g", consumer_heartbeat_interval_ms="7000"
    ).build()
    assert (coordinator >> join()).answer.heartbeat_interval_ms == 7_000
    assert (coordinator >> beat("m", 2)).answer.heartbeat_interval_ms == 7_000
