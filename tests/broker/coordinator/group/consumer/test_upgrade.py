"""Classic groups become consumer groups when a member of the new protocol comes."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.coordinator.group.consumer.upgrade import Upgrade
from moldau.broker.coordinator.group.group import GroupType
from moldau.broker.coordinator.group.share.group import ShareGroup
from moldau.errors import KafkaError
from tests.broker.coordinator.group.classic.conversation import enter, join, leave
from tests.broker.coordinator.group.consumer.conversation import (
    beat,
    group_of,
    id_of,
    member_of,
    stage,
)
from tests.broker.coordinator.group.consumer.conversation import join as join_modern
from tests.broker.coordinator.group.consumer.migrating import classic_group

NOT_FOUND, REBALANCING = 69, 27


def test_an_empty_classic_group_gives_way():
    coordinator, member_id = classic_group()
    coordinator >> leave(member_id)
    assert (coordinator >> join_modern()).code == 0
    assert coordinator.shard.groups.by_id["g"].group_type is GroupType.CONSUMER
    assert coordinator.restarted().state() == "Stable"


def test_members_are_carried_over_with_what_they_have():
    coordinator, member_id = classic_group()
    reply = coordinator >> join_modern("new")
    assert (reply.code, reply.answer.assignment.topic_partitions) == (0, [])
    carried = member_of(coordinator, member_id)
    assert (carried.epoch, carried.is_classic, carried.topic_names) == (1, True, ("t",))
    assert carried.assigned == {id_of("t"): dict.fromkeys(range(4), 1)}
    assert group_of(coordinator.restarted()).members == group_of(coordinator).members


def test_members_that_wait_for_the_others_are_called_back():
    coordinator, _ = classic_group()
    _, waiting = enter(coordinator)
    coordinator >> join_modern("new")
    assert waiting.code == REBALANCING


def test_the_policy_may_forbid_it():
    coordinator, _ = classic_group()
    coordinator.settings.group_consumer_migration_policy = "downgrade"
    refused = coordinator >> join_modern()
    assert (refused.code, refused.answer.error_message) == (
        NOT_FOUND,
        "Cannot upgrade classic group g to consumer group because online upgrade is disabled.",
    )
    assert coordinator.shard.groups.by_id["g"].group_type is GroupType.CLASSIC


def test_groups_of_others_than_consumers_stay_as_they_are():
    coordinator = stage()
    enter(coordinator, protocol_type="connect", protocols=(("x", b""),))
    coordinator.pass_ms(3_000)
    refused = coordinator >> join_modern()
    assert (refused.code, refused.answer.error_message) == (
        NOT_FOUND,
        "Cannot upgrade classic group g to consumer group because the group does not use the "
        "consumer embedded protocol.",
    )


def test_what_cannot_be_read_is_not_carried_over():
    coordinator = stage()
    enter(coordinator, protocols=(("range", b"?"),))
    refused = coordinator >> join_modern()
    assert (refused.code, refused.answer.error_message) == (
        NOT_FOUND,
        "Cannot upgrade classic group g to consumer group because the embedded consumer protocol "
        "is malformed.",
    )


def test_a_member_that_is_not_joining_converts_nothing():
    coordinator, _ = classic_group()
    assert (coordinator >> beat("m", 3)).code == NOT_FOUND
    assert (coordinator >> join("x")).code == 25


def test_a_group_of_another_type_is_no_consumer_group():
    nothing: Any = None
    with pytest.raises(KafkaError) as refused:
        Upgrade(nothing, nothing).upgrade(ShareGroup("g"), nothing, 0)
    expected = (NOT_FOUND, "Group g is not a consumer group.")
    assert (refused.value.code, refused.value.message) == expected
