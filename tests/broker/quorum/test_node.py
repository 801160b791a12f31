"""Events find their handlers, and time passes."""

from __future__ import annotations

from typing import get_args

import pytest

from moldau.broker.quorum import node
from moldau.broker.quorum.effects import AskVote, Fetch
from moldau.broker.quorum.election import START_JITTER_MS, START_WAIT_MS
from moldau.broker.quorum.events import Event, Flushed, TimePassed, Unreachable
from moldau.broker.quorum.node import LATE_MS, MOMENT_MS
from moldau.broker.quorum.state_file import ElectionState
from tests.broker.quorum.simulated_member import SECOND, Member, voters

FOLLOWS = ElectionState(5, SECOND)


def test_every_event_has_a_handler():
    assert set(node._HANDLERS) == set(get_args(Event))


def test_a_member_always_knows_when_it_acts_next():
    member = Member(1)
    for _ in range(100):
        before_ms = member.now_ms
        member.wait()
        assert member.node.wake_at_ms > before_ms


def test_who_votes_alone_and_leads_needs_no_time():
    member = Member(among=voters(1))
    member.append("leads")
    assert member.node.wake_at_ms == float("inf")
    assert member.node.high_watermark == 1


def test_who_knows_no_leader_asks_any_node():
    assert Member(1).find(Fetch).to is None


@pytest.mark.parametrize("state", [None, ElectionState(5, 1)], ids=["blank", "led before"])
def test_a_member_that_starts_without_a_leader_soon_asks_for_pre_votes(state):
    member = Member(1, state=state)
    before_ms = member.now_ms
    asked = member.wait_for(AskVote)
    assert asked.pre_vote
    assert asked.epoch == (5 if state else 0)
    assert START_WAIT_MS <= member.now_ms - before_ms < START_WAIT_MS + START_JITTER_MS


def test_a_member_that_starts_behind_a_leader_waits_for_it():
    member = Member(1, state=ElectionState(5, SECOND))
    before_ms = member.now_ms
    member.wait_for(AskVote)
    assert member.now_ms - before_ms >= member.node.settings.fetch_timeout_ms


def test_a_question_without_answer_is_asked_again_soon():
    member = Member(1, state=ElectionState(5, SECOND))
    member.take(Unreachable(SECOND))
    before_ms = member.now_ms
    member.wait_for(Fetch)
    assert member.now_ms - before_ms <= 30


@pytest.mark.parametrize(("state", "after"), [(None, "resigned"), (FOLLOWS, "prospective")])
def test_a_member_whose_deadline_is_handled_late_waits_for_the_others_once(state, after):
    member = Member(1, state=state)
    if state is None:
        member.lead()
    before = member.role
    member.now_ms = int(member.node.role_deadline_ms) + LATE_MS
    member.take(TimePassed())
    assert member.role == before
    assert member.node.role_deadline_ms == member.now_ms + MOMENT_MS
    member.now_ms += 10 * MOMENT_MS
    member.take(TimePassed())
    assert member.role == after


def test_a_member_whose_deadline_is_handled_in_time_acts_at_once():
    member = Member(1, state=FOLLOWS)
    member.now_ms = int(member.node.role_deadline_ms) + LATE_MS - 1
    member.take(TimePassed())
    assert member.role == "prospective"


def test_a_removed_leader_that_has_resigned_watches_from_outside():
    member = Member(1, state=ElectionState(5, 1), among=voters(2, 3))
    assert member.role == "resigned"
    member.take(Flushed(1))
    assert member.role == "resigned"
