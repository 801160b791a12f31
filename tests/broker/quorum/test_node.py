"""Events find their handlers, and time passes."""

from __future__ import annotations

from typing import get_args

from moldau.broker.quorum import node
from moldau.broker.quorum.effects import Fetch
from moldau.broker.quorum.events import Event, Flushed, Unreachable
from moldau.broker.quorum.state_file import ElectionState
from tests.broker.quorum.member_play import SECOND, Member, voters


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


def test_who_knows_no_leader_asks_anybody():
    assert Member(1).find(Fetch).to is None


def test_a_question_without_answer_is_asked_again_soon():
    member = Member(1, state=ElectionState(5, SECOND))
    member.tell(Unreachable(SECOND))
    before_ms = member.now_ms
    member.wait_for(Fetch)
    assert member.now_ms - before_ms <= 30


def test_a_removed_leader_that_has_resigned_watches_from_outside():
    member = Member(1, state=ElectionState(5, 1), among=voters(2, 3))
    assert member.role == "resigned"
    member.tell(Flushed(1))
    assert member.role == "resigned"
