"""Votes, given and asked for."""

from __future__ import annotations

from moldau.broker.quorum.effects import Answer, AskVote, BeginEpoch, Persist
from moldau.broker.quorum.election import AFTER_GRANT_MS, LOST_JITTER_MS
from moldau.broker.quorum.events import LeaderAnnounced, Unreachable, VoteAnswered, VoteRequested
from moldau.broker.quorum.log_view import LogEnd
from moldau.broker.quorum.state_file import ElectionState
from moldau.broker.quorum.voters import ReplicaKey
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.quorum.simulated_member import MY_ID, SECOND, THIRD, Member, voters

ONE_RECORD = LogEnd(1, 1)


def vote(epoch: int, log_end: LogEnd = ONE_RECORD, who: int = SECOND, **fields) -> VoteRequested:
    return VoteRequested(7, ReplicaKey(who), epoch, log_end, **fields)


def test_a_vote_is_on_the_disk_before_its_answer():
    member = Member(1)
    member.take(vote(5))
    kinds = [type(effect) for effect in member.wanted]
    assert max(i for i, kind in enumerate(kinds) if kind is Persist) < kinds.index(Answer)
    last = [effect for effect in member.wanted if isinstance(effect, Persist)][-1]
    assert last.state == ElectionState(5, None, ReplicaKey(SECOND))
    assert member.replied().granted


def test_there_is_one_vote_in_an_epoch():
    member = Member(1)
    member.take(vote(5))
    member.take(vote(5, who=THIRD))
    assert not member.replied().granted
    member.take(vote(5))
    assert member.replied().granted


def test_a_vote_survives_a_restart():
    member = Member(1, state=ElectionState(5, None, ReplicaKey(SECOND)))
    member.take(vote(5, who=THIRD))
    assert not member.replied().granted


def test_who_lacks_something_gets_no_vote_and_still_raises_the_epoch():
    member = Member(1, 2, 2)
    for end in (LogEnd(1, 9), LogEnd(2, 2)):
        member.take(vote(5, end))
        assert not member.replied().granted
    assert member.node.epoch == 5
    member.take(vote(5, LogEnd(2, 3)))
    assert member.replied().granted


def test_an_old_epoch_is_refused_as_such():
    member = Member(1, state=ElectionState(5))
    member.take(vote(4))
    assert member.replied().error is ErrorCode.FENCED_LEADER_EPOCH
    assert member.replied().epoch == 5


def test_a_candidate_of_no_later_epoch_than_its_log_makes_no_sense():
    member = Member(1)
    member.take(vote(5, LogEnd(5, 9)))
    assert member.replied().error is ErrorCode.INVALID_REQUEST


def test_a_request_meant_for_another_voter_is_refused():
    member = Member(1)
    member.take(vote(5, asked=ReplicaKey(MY_ID)))
    assert member.replied().granted
    member.take(vote(6, asked=ReplicaKey(THIRD)))
    assert member.replied().error is ErrorCode.INVALID_VOTER_KEY


def test_a_leader_that_has_resigned_grants_pre_votes_alone_and_where_nothing_lacks():
    """Of three only it can grant one to the first successor: the other has just fetched."""
    member = Member(1, state=ElectionState(5, MY_ID))
    assert member.role == "resigned"
    member.take(vote(5, pre_vote=True))
    assert member.replied().granted
    member.take(vote(5, LogEnd(1, 0), pre_vote=True))
    assert not member.replied().granted
    member.take(vote(5))
    assert not member.replied().granted


def test_a_leader_grants_no_pre_vote():
    member = Member(1)
    member.lead()
    member.take(vote(member.node.epoch, LogEnd(1, 9), pre_vote=True))
    assert not member.replied().granted


def test_an_opinion_promises_and_stores_nothing():
    member = Member(1, state=ElectionState(5))
    member.take(vote(5, pre_vote=True))
    assert member.replied().granted
    assert member.find(Persist) is None


def test_a_follower_whose_leader_answers_has_no_other_wish():
    member = Member(1)
    member.take(LeaderAnnounced(1, SECOND, 5))
    member.take(vote(5, who=THIRD, pre_vote=True))
    assert member.replied().granted
    member.node.role.has_fetched = True
    member.take(vote(5, who=THIRD, pre_vote=True))
    assert not member.replied().granted


def test_who_would_vote_for_another_lets_it_try_first():
    member = Member(1)
    member.take(LeaderAnnounced(1, SECOND, 5))
    member.take(Unreachable(SECOND, is_refused=True))
    member.take(vote(5, who=THIRD, pre_vote=True))
    assert member.replied().granted
    assert member.node.role_deadline_ms == member.now_ms + AFTER_GRANT_MS
    member.take(Unreachable(SECOND, is_refused=True))
    assert member.node.role_deadline_ms == member.now_ms + AFTER_GRANT_MS


def test_a_candidate_that_has_lost_without_doubt_tries_again_soon():
    member = Member(1, state=ElectionState(5))
    member.wait_for_role("prospective")
    member.answer_votes(SECOND)
    member.answer_votes(SECOND, granted=False)
    assert member.node.role_deadline_ms > member.now_ms + LOST_JITTER_MS
    member.take(Unreachable(THIRD))
    assert member.node.role_deadline_ms > member.now_ms + LOST_JITTER_MS
    member.take(Unreachable(THIRD, is_refused=True))
    assert member.role == "candidate"
    assert member.node.role_deadline_ms <= member.now_ms + LOST_JITTER_MS


def test_opinions_come_first_and_votes_in_the_next_epoch():
    member = Member(1, state=ElectionState(5))
    asked = member.wait_for(AskVote)
    assert (asked.epoch, asked.pre_vote) == (5, True)
    member.answer_votes(SECOND)
    asked = member.wait_for(AskVote)
    assert (asked.epoch, asked.pre_vote) == (6, False)
    assert member.find(Persist).state == ElectionState(6, None, ReplicaKey(MY_ID))


def test_a_majority_of_votes_makes_a_leader_that_begins_its_epoch():
    member = Member(1, state=ElectionState(5))
    member.wait_for_role("prospective")
    member.answer_votes(SECOND)
    member.answer_votes(THIRD)
    assert member.find(BeginEpoch) == BeginEpoch(6, voters(1, 2, 3), (MY_ID, THIRD), None)
    assert member.find(Persist).state == ElectionState(6, MY_ID)


def test_who_loses_the_opinions_waits_without_having_raised_the_epoch():
    member = Member(1, state=ElectionState(5))
    member.wait_for_role("prospective")
    member.answer_votes(SECOND, THIRD, granted=False)
    assert (member.role, member.node.epoch) == ("unattached", 5)


def test_a_later_epoch_in_an_answer_ends_the_election():
    member = Member(1, state=ElectionState(5))
    member.wait_for_role("prospective")
    member.take(VoteAnswered(SECOND, True, 5, 9, THIRD, False))
    assert (member.role, member.node.leader_id, member.node.epoch) == ("follower", THIRD, 9)


def test_an_answer_to_an_earlier_question_counts_for_nothing():
    member = Member(1, state=ElectionState(5))
    member.wait_for_role("prospective")
    member.take(VoteAnswered(SECOND, True, 4, 5, None, True))
    member.take(VoteAnswered(SECOND, False, 5, 5, None, True))
    assert member.role == "prospective"


def test_a_voter_too_old_for_opinions_counts_as_a_yes():
    member = Member(1, state=ElectionState(5))
    member.wait_for_role("prospective")
    member.take(VoteAnswered(SECOND, True, 5, 5, None, False, knows_pre_votes=False))
    assert member.role == "candidate"


def test_who_votes_alone_leads_at_once():
    member = Member(among=voters(MY_ID))
    assert (member.role, member.node.epoch) == ("leader", 1)
