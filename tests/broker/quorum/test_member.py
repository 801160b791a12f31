"""What a member remembers from one role to the next."""

from __future__ import annotations

from moldau.broker.quorum.effects import BeginEpoch
from moldau.broker.quorum.events import VoteRequested
from moldau.broker.quorum.log_view import LogEnd
from moldau.broker.quorum.member import Member as PlainMember
from moldau.broker.quorum.state_file import ElectionState
from moldau.broker.quorum.voters import ReplicaKey
from tests.broker.quorum.simulated_member import MY_ID, SECOND, THIRD, Member, voter, voters


def test_a_leader_that_comes_back_does_not_vote_in_the_epoch_that_it_led():
    member = Member(1, state=ElectionState(5, MY_ID))
    assert member.role == "resigned"
    member.wait_for_role("prospective")
    member.take(VoteRequested(7, ReplicaKey(SECOND), 5, LogEnd(1, 1)))
    assert not member.replied().granted
    member.answer_votes(SECOND, THIRD, granted=False)
    assert member.role == "unattached"
    member.take(VoteRequested(7, ReplicaKey(SECOND), 5, LogEnd(1, 1)))
    assert not member.replied().granted


def test_a_follower_that_comes_back_follows_the_leader_it_knew():
    member = Member(1, state=ElectionState(5, SECOND))
    assert (member.role, member.node.leader_id) == ("follower", SECOND)


def test_a_candidate_that_comes_back_has_voted_for_itself():
    member = Member(1, state=ElectionState(5, None, ReplicaKey(MY_ID)))
    member.take(VoteRequested(7, ReplicaKey(SECOND), 5, LogEnd(1, 1)))
    assert not member.replied().granted


def test_voters_that_only_the_formatting_knew_are_written_by_the_first_leader():
    member = Member(among=voters(MY_ID), kraft_version=1)
    assert member.find(BeginEpoch).voters_to_write == voters(MY_ID)


def test_voters_that_the_log_holds_are_not_written_again():
    member = Member(1, among=voters(MY_ID), kraft_version=1, voters_at=0)
    assert member.find(BeginEpoch).voters_to_write is None


def test_a_leader_that_has_moved_writes_its_new_address():
    member = Member(1, among=voters(MY_ID, SECOND), kraft_version=1, voters_at=0)
    member.node.own = voter(MY_ID, b"d" * 16)
    member.wait_for_role("prospective")
    member.answer_votes(SECOND)
    member.answer_votes(SECOND)
    written = member.find(BeginEpoch).voters_to_write
    assert written == voters(MY_ID, SECOND).with_voter(voter(MY_ID, b"d" * 16))


def test_a_member_shows_itself_in_one_line():
    member = Member(1, state=ElectionState(5, SECOND))
    assert isinstance(member.node, PlainMember)
    assert repr(member.node) == "Member(1, follower in epoch 5, log LogEnd(epoch=1, offset=1))"


def test_an_observer_never_wants_to_be_elected():
    member = Member(1, among=voters(SECOND, THIRD))
    for _ in range(20):
        member.wait()
    assert member.role == "unattached"


def test_a_leader_that_crashed_while_removing_itself_may_come_back_with_the_others_vote():
    member = Member(1, 1, state=ElectionState(5, MY_ID), among=voters(MY_ID, SECOND))
    member.history.add(1, voters(SECOND))
    member.wait_for_role("prospective")
    assert member.role == "prospective"
    member.answer_votes(SECOND)
    assert member.role == "candidate"
    member.answer_votes(SECOND)
    assert member.role == "leader"


def test_a_committed_removal_ends_the_candidacy():
    member = Member(1, 1, state=ElectionState(5, SECOND), among=voters(MY_ID, SECOND))
    member.history.add(1, voters(SECOND))
    assert member.node.may_stand
    member.node.high_watermark = 2
    assert not member.node.may_stand
    for _ in range(20):
        member.wait()
        assert member.role in ("follower", "unattached")
