"""Members of share groups come, share, and go."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.share.prepared import Prepared
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.share.conversation import SharePlay, assigned


def play_with(**topics: int) -> SharePlay:
    play = SharePlay()
    play.add_topics(**topics)
    return play


def test_a_member_gets_partitions_when_their_state_is_there():
    play = play_with(t=2)
    first = play.beat("a", 0, "t")
    assert (first.code, first.answer.member_epoch, assigned(first)) == (0, 2, {})
    assert play.group.prepared.asked
    play.answer_effects()
    second = play.beat("a", 2)
    assert (second.answer.member_epoch, assigned(second)) == (3, {"t": [0, 1]})
    assert assigned(play.beat("a", 3)) is None


def test_state_that_could_not_be_made_is_asked_for_again():
    play = play_with(t=1)
    play.beat("a", 0, "t")
    play.answer_effects(is_made=False)
    assert play.group.prepared == Prepared()
    play.beat("a", 2)
    play.answer_effects()
    assert assigned(play.beat("a", 2)) == {"t": [0]}


def test_what_was_asked_for_is_not_asked_for_again_at_once():
    play = play_with(t=1)
    play.beat("a", 0, "t")
    play.effects = []
    play.beat("a", 2)
    assert play.effects == []
    play.pass_ms(30_000)
    play.beat("a", 2)
    assert len(play.effects) == 1


def test_more_members_than_partitions_share_them():
    play = play_with(t=1)
    play.joined("a", "b")
    targets = [dict(play.group.target[one]) for one in ("a", "b")]
    assert targets[0] == targets[1] != {}


def test_partitions_that_are_added_are_prepared_and_given_out():
    play = play_with(t=1)
    play.joined("a")
    play.add_topics(t=2)
    play.beat("a", play.group.members["a"].epoch)
    play.answer_effects()
    assert assigned(play.beat("a", play.group.members["a"].epoch)) == {"t": [0, 1]}


def test_a_member_that_leaves_makes_room():
    play = play_with(t=2)
    play.joined("a", "b")
    epoch = play.group.epoch
    assert play.beat("b", -1).answer.member_epoch == -1
    assert (play.group.epoch, list(play.group.members)) == (epoch + 1, ["a"])
    assert assigned(play.beat("a", play.group.members["a"].epoch)) == {"t": [0, 1]}


def test_a_silent_member_is_taken_out():
    play = play_with(t=1)
    play.joined("a")
    play.pass_ms(44_999)
    assert play.state() == "Stable"
    play.pass_ms(1)
    assert play.state() == "Empty"


def test_a_new_coordinator_gives_members_their_full_time():
    play = play_with(t=1)
    play.joined("a")
    play.pass_ms(40_000)
    later = play.restarted()
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
    play = play_with(t=1)
    play.joined("a")
    assert play.beat(member_id, epoch, *topics).code == code


def test_a_member_that_missed_an_answer_may_go_on():
    play = play_with(t=1)
    play.joined("a")
    assert play.beat("a", play.group.members["a"].previous_epoch).code == 0


def test_a_group_that_is_not_there_cannot_be_gone_on_with():
    assert play_with(t=1).beat("a", 1).code == ErrorCode.GROUP_ID_NOT_FOUND


def test_a_full_group_takes_no_other():
    play = play_with(t=1)
    play.joined("a", "b", "c")
    refused = play.beat("d", 0, "t")
    assert (refused.code, refused.answer.error_message) == (
        ErrorCode.GROUP_MAX_SIZE_REACHED,
        "The share group has reached its maximum capacity of 3 members.",
    )
    assert play.beat("c", play.group.members["c"].epoch).code == 0


def test_assignments_do_not_follow_each_other_too_fast():
    play = play_with(t=1)
    play.settings.group_share_assignment_interval_ms = 1_000
    play.beat("a", 0, "t")
    play.answer_effects()
    noted = len(play.log)
    assert assigned(play.beat("a", 2)) is None
    assert len(play.log) == noted  # not even another epoch
    play.pass_ms(1_000)
    assert assigned(play.beat("a", 2)) == {"t": [0]}


def test_a_subscription_that_changes_is_followed_at_once():
    play = play_with(t=1, u=1)
    play.joined("a")
    reply = play.beat("a", play.group.members["a"].epoch, "u")
    assert assigned(reply) == {}
    play.answer_effects()
    assert assigned(play.beat("a", reply.answer.member_epoch)) == {"u": [0]}
