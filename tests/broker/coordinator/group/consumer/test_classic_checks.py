"""Classic requests that do not fit a consumer group."""

from __future__ import annotations

import pytest

from tests.broker.coordinator.group.classic.conversation import (
    RANGE,
    heartbeat,
    join,
    subscription,
    sync,
)
from tests.broker.coordinator.group.consumer.conversation import group_of, stage
from tests.broker.coordinator.group.consumer.conversation import join as join_modern
from tests.broker.coordinator.group.consumer.migrating import mixed

INCONSISTENT, BAD_SESSION, UNKNOWN, FENCED = 23, 26, 25, 82


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"protocol_type": "connect"}, INCONSISTENT),
        ({"protocols": (("other", subscription("t")),)}, INCONSISTENT),
        ({"protocols": ()}, INCONSISTENT),
        ({"session_ms": 1}, BAD_SESSION),
        ({"protocols": RANGE}, 79),
    ],
)
def test_a_join_has_to_fit_the_group(how, code):
    assert (mixed().coordinator >> join(**how)).code == code


def test_without_migration_no_member_joins_in_the_old_way():
    coordinator = stage()
    coordinator >> join_modern()
    coordinator.settings.group_consumer_migration_policy = "disabled"
    assert (coordinator >> join()).code == INCONSISTENT


def test_a_sync_names_the_protocol_of_its_join():
    scene = mixed()
    epoch = group_of(scene.coordinator).members[scene.classic].epoch
    other = sync(scene.classic, epoch, protocol_name="other")
    assert (scene.coordinator >> other).code == INCONSISTENT
    assert (
        scene.coordinator >> sync(scene.classic, epoch, protocol_name=None, version=4)
    ).code == 0


def test_instances_have_to_be_right():
    scene = mixed()
    assert (scene.coordinator >> heartbeat(scene.classic, 1, instance="i")).code == UNKNOWN
