"""Members of share groups come, share, and go."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.share.prepared import Prepared
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.share.conversation import ShareGroupCoordinator, assigned


def coordinator_with(**topics: int) -> ShareGroupCoordinator:
    coordinator = ShareGroupCoordinator()
    coordinator.add_topics(**topics)
    return coordinator


def test_a_member_gets_partitions_when_their_state_is_there():
    coordinator = coordinator_with(t=2)
    first = coordinator.beat("a", 0, "t")
    assert (first.code, first.answer.member_epoch, assigned(first)) == (0, 2, {})
    assert coordinator.group.prepared.asked
    coordinator.answer_effects()
    second = coordinator.beat("a", 2)
    assert (second.answer.member_epoch, assigned(second)) == (3, {"t": [0, 1]})
    assert assigned(coordinator.beat("a", 3)) is None


def test_state_that_could_not_be_made_is_asked_for_again():
    coordinator = coordinator_with(t=1)
    coordinator.beat("a", 0, "t")
    coordinator.answer_effects(is_made=False)
    assert coordinator.group.prepared == Prepared()
    coordinator.beat("a", 2)
    coordinator.answer_effects()
    assert assigned(coordinator.beat("a", 2)) == {"t": [0]}


def test_what_was_asked_for_is_not_asked_for_again_at_once():
    coordinator = coordinator_with(t=1)
    coordinator.beat("a", 0, "t")
    coordinator.effects = []
    coordinator.beat("a", 2)
    assert coordinator.effects == []
    coordinator.pass_ms(30_000)
    coordinator.beat("a", 2)
    assert len(coordinator.effects) == 1


def test_more_members_than_partitions_share_them():
    coordinator = coordinator_with(t=1)
    coordinator.joined("a", "b")
    targets = [dict(coordinator.group.target[one]) for one in ("a", "b")]
    assert targets[0] == targets[1] != {}


def test_partitions_that_are_added_are_prepared_and_given_out():
    coordinator = coordinator_with(t=1)
    coordinator.joined("a")
    coordinator.add_topics(t=2)
    coordinator.beat("a", coordinator.group.members["a"].epoch)
    coordinator.answer_effects()
    assert assigned(coordinator.beat("a", coordinator.group.members["a"].epoch)) == {"t": [0, 1]}


def test_a_member_that_leaves_makes_room():
    coordinator = coordinator_with(t=2)
    coordinator.joined("a", "b")
    epoch = coordinator.group.epoch
    assert coordinator.beat("b", -1).answer.member_epoch == -1
    assert (coordinator.group.epoch, list(coordinator.group.members)) == (epoch + 1, ["a"])
    assert assigned(coordinator.beat("a", coordinator.group.members["a"].epoch)) == {"t": [0, 1]}


def test_a_silent_member_is_taken_out():
    coordinator = coordinator_with(t=1)
    coordinator.joined("a")
    coordinator.pass_ms(44_999)
    assert coordinator.state() == "Stable"
    coordinator.pass_ms(1)
    assert coordinator.state() == "Empty"


def test_a_new_coordinator_gives_members_their_full_time():
    coordinator = coordinator_with(t=1)
    coordinator.joined("a")
    coordinator.pass_ms(40_000)
    later = coordinator.restarted()
    later.pass_ms(44_999)
    assert later.state() == "Stable"
    later.pass_ms(1)
    assert later.state() == "Empty"


@pytest.mark.parametrize(
    ("member_id", "epoch", "topics", "code"),
    [
        ("a", 0, (), ErrorCode.INVALID_REQUEST),
        ("", 0, ("t",), ErrorCode.INVALID_REQUEST),
        ("a", -2, (), ErrorCode.INVALID_REQUEST),
        ("z", 1, (), ErrorCode.UNKNOWN_MEMBER_ID),
        ("z", -1, (), ErrorCode.UNKNOWN_MEMBER_ID),
        ("a", 99, (), ErrorCode.FENCED_MEMBER_EPOCH),
        ("a", 1, (), ErrorCode.FENCED_MEMBER_EPOCH),
    ],
)
def test_what_makes_no_sense_is_refused(member_id, epoch, topics, code):
    coordinator = coordinator_with(t=1)
    coordinator.joined("a")
    assert coordinator.beat(member_id, epoch, *topics).code == code


def test_a_member_that_missed_an_answer_may_go_on():
    coordinator = coordinator_with(t=1)
    coordinator.joined("a")
    assert coordinator.beat("a", coordinator.group.members["a"].previous_epoch).code == 0


def test_a_group_that_is_not_there_cannot_be_gone_on_with():
    assert coordinator_with(t=1).beat("a", 1).code == ErrorCode.GROUP_ID_NOT_FOUND


def test_a_full_group_takes_no_other():
    coordinator = coordinator_with(t=1)
    coordinator.joined("a", "b", "c")
    refused = coordinator.beat("d", 0, "t")
    assert (refused.code, refused.answer.error_message) == (
        ErrorCode.GROUP_MAX_SIZE_REACHED,
        "The share group has reached its maximum capacity of 3 members.",
    )
    assert coordinator.beat("c", coordinator.group.members["c"].epoch).code == 0


def test_assignments_do_not_follow_each_other_too_fast():
    coordinator = coordinator_with(t=1)
    coordinator.settings.group_share_assignment_interval_ms = 1_000
    coordinator.beat("a", 0, "t")
    coordinator.answer_effects()
    noted = len(coordinator.log)
    assert assigned(coordinator.beat("a", 2)) is None
    assert len(coordinator.log) == noted  # not even another epoch
    coordinator.pass_ms(1_000)
    assert assigned(coordinator.beat("a", 2)) == {"t": [0]}


def test_a_subscription_that_changes_is_followed_at_once():
    coordinator = coordinator_with(t=1, u=1)
    coordinator.joined("a")
    reply = coordinator.beat("a", coordinator.group.members["a"].epoch, "u")
    assert assigned(reply) == {}
    coordinator.answer_effects()
    assert assigned(coordinator.beat("a", reply.answer.member_epoch)) == {"u": [0]}
