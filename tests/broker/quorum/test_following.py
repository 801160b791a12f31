"""Following a leader."""

from __future__ import annotations

import pytest

from moldau.broker.quorum.effects import AppendFetched, Committed, Fetch, FetchSnapshot, Truncate
from moldau.broker.quorum.events import (
    FetchAnswered,
    Flushed,
    LeaderAnnounced,
    LeaderResigned,
    SnapshotFetched,
    SnapshotPieceFetched,
    TimePassed,
    Unreachable,
)
from moldau.broker.quorum.following import REFUSED_JITTER_MS, REFUSED_STEP_MS
from moldau.broker.quorum.log_view import LogEnd, SnapshotId
from moldau.broker.quorum.state_file import ElectionState
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.quorum.simulated_member import MY_ID, SECOND, THIRD, Member, voters
from tests.simulation.quorum_log import Entry

RECORDS = b"records"


def follower(*epochs: int) -> Member:
    return Member(*epochs, state=ElectionState(5, SECOND))


def answered(member: Member, **fields) -> FetchAnswered:
    given = {"from_id": SECOND, "epoch": 5, "leader_id": SECOND, "succeeded": True} | fields
    return FetchAnswered(**{"asked": member.log.end, "number": member.node.fetch_number} | given)


def test_a_follower_asks_for_what_comes_after_its_log():
    member = follower(1, 3)
    assert member.find(Fetch) == Fetch(SECOND, 5, LogEnd(3, 2), -1, 1)


def test_the_next_fetch_waits_until_what_came_is_on_the_disk():
    member = follower(1)
    member.take(answered(member, records=RECORDS, high_watermark=2))
    assert member.wanted == [AppendFetched(RECORDS, 5)]
    member.log.entries.append(Entry(5, "new"))
    member.take(Unreachable(SECOND))
    assert member.find(Fetch) is None
    member.take(Flushed(2))
    assert member.find(Fetch).log_end == LogEnd(5, 2)


@pytest.mark.parametrize("of_the_former", [{}, {"succeeded": False}, {"from_id": SECOND}])
def test_only_the_answer_to_the_newest_fetch_leads_to_another(of_the_former):
    member = follower(1)
    former = member.node.fetch_number
    member.take(LeaderAnnounced(1, THIRD, 6))
    from_third = {"from_id": THIRD, "epoch": 6, "leader_id": THIRD}
    asks_again_ms = member.node.fetch_at_ms
    member.take(answered(member, number=former, **(from_third | of_the_former)))
    assert (member.find(Fetch), member.node.fetch_at_ms) == (None, asks_again_ms)
    member.take(answered(member, **from_third))
    assert member.find(Fetch).number == former + 2


def test_what_the_leader_has_committed_is_committed_as_far_as_the_log_goes():
    member = follower(1, 1)
    member.take(answered(member, high_watermark=9))
    assert member.find(Committed) == Committed(2)


def test_an_answer_is_good_only_for_the_end_that_was_asked_with():
    member = follower(1)
    late = answered(member, records=RECORDS)
    member.log.entries[0] = Entry(2, "other")
    assert AppendFetched(RECORDS, 5) not in member.take(late)


def test_records_of_a_node_that_does_not_lead_are_dropped():
    member = follower(1)
    member.take(answered(member, from_id=THIRD, records=RECORDS))
    assert member.find(AppendFetched) is None


def test_logs_that_part_are_cut_where_both_are_the_same():
    member = follower(1, 1, 3, 3)
    member.take(answered(member, diverging=LogEnd(2, 9)))
    assert member.find(Truncate) == Truncate(2)


def test_of_a_shared_epoch_the_shorter_part_is_kept():
    member = follower(1, 1, 3, 3)
    member.take(answered(member, diverging=LogEnd(1, 1)))
    assert member.find(Truncate) == Truncate(1)


def test_a_log_that_is_too_far_behind_gets_a_snapshot():
    member = follower(1)
    member.take(answered(member, snapshot=SnapshotId(9, 4)))
    assert member.find(FetchSnapshot) == FetchSnapshot(SECOND, 5, SnapshotId(9, 4))
    member.log.entries = [Entry(4, "in the snapshot")] * 9
    member.take(SnapshotFetched(SnapshotId(9, 4)))
    assert member.find(Committed) == Committed(9)
    assert member.find(Fetch).log_end == LogEnd(4, 9)


@pytest.mark.parametrize(("sender", "role"), [(SECOND, "follower"), (THIRD, "prospective")])
def test_a_leader_that_sends_pieces_of_a_snapshot_is_not_silent(sender, role):
    member = follower(1)
    member.take(answered(member, snapshot=SnapshotId(9, 4)))
    member.now_ms += member.node.settings.fetch_timeout_ms - 1
    member.take(SnapshotPieceFetched(sender, 5))
    member.now_ms += 1
    member.take(TimePassed())
    assert member.role == role


def test_an_announcement_is_accepted_unless_its_epoch_is_over():
    member = follower(1)
    member.take(LeaderAnnounced(1, THIRD, 6))
    assert (member.role, member.node.leader_id, member.node.epoch) == ("follower", THIRD, 6)
    member.take(LeaderAnnounced(2, SECOND, 5))
    assert member.replied().error is ErrorCode.FENCED_LEADER_EPOCH


def test_two_leaders_of_one_epoch_are_not_accepted():
    member = follower(1)
    member.take(LeaderAnnounced(1, THIRD, 5))
    assert member.replied().error is ErrorCode.INVALID_REQUEST
    member.take(LeaderAnnounced(1, MY_ID, 5))
    assert member.replied().error is ErrorCode.INVALID_REQUEST


def test_who_has_lost_its_leader_accepts_only_the_leader_itself():
    member = follower(1)
    member.wait_for_role("prospective")
    member.answer_votes(THIRD, granted=False)
    assert member.role == "prospective"
    member.take(LeaderAnnounced(1, SECOND, 5))
    assert member.role == "follower"


def test_the_first_successor_of_a_leader_that_resigns_tries_at_once():
    member = follower(1)
    member.take(LeaderResigned(1, SECOND, 5, (MY_ID, THIRD)))
    assert member.replied().error is ErrorCode.NONE
    assert member.node.wake_at_ms <= member.now_ms
    member.take(TimePassed())
    assert member.role == "prospective"


def test_the_second_successor_waits_a_little():
    member = follower(1)
    member.take(LeaderResigned(1, SECOND, 5, (THIRD, MY_ID)))
    assert member.role == "follower"
    before_ms = member.now_ms
    member.wait_for_role("prospective")
    assert member.now_ms - before_ms <= 150


def test_a_resignation_of_a_past_epoch_is_fenced():
    member = follower(1)
    member.take(LeaderResigned(1, SECOND, 4))
    assert member.replied().error is ErrorCode.FENCED_LEADER_EPOCH
    member.take(LeaderResigned(1, MY_ID, 5))
    assert member.replied().error is ErrorCode.INVALID_REQUEST


def test_silence_of_the_leader_makes_a_follower_ask_around():
    member = follower(1)
    before_ms = member.now_ms
    member.wait_for_role("prospective")
    assert member.now_ms - before_ms >= 2000


def test_a_follower_whose_leader_refuses_looks_for_another_at_once():
    member = follower(1)
    member.take(answered(member))
    member.take(Unreachable(SECOND, is_refused=True))
    assert member.node.role_deadline_ms - member.now_ms < REFUSED_JITTER_MS
    assert not member.node.role.has_fetched


def test_the_voters_that_are_left_stand_one_after_the_other():
    member = Member(1, state=ElectionState(5, SECOND), among=voters(0, 1, 2, 3))
    member.take(Unreachable(SECOND, is_refused=True))
    waited_ms = member.node.role_deadline_ms - member.now_ms
    assert REFUSED_STEP_MS <= waited_ms < REFUSED_STEP_MS + REFUSED_JITTER_MS


@pytest.mark.parametrize("event", [Unreachable(SECOND), Unreachable(THIRD, is_refused=True)])
def test_silence_of_the_leader_or_a_refusal_of_another_hastens_nothing(event):
    member = follower(1)
    member.take(answered(member))
    before_ms = member.node.role_deadline_ms
    member.take(event)
    assert member.node.role_deadline_ms == before_ms


def test_when_its_leader_answered_last_is_known():
    member = follower(1)
    before = member.node.leader_answered
    member.take(answered(member))
    at, answered_ms = member.node.leader_answered, member.now_ms
    member.wait_for_role("prospective")
    assert before is None
    assert at == (SECOND, answered_ms) == member.node.leader_answered
