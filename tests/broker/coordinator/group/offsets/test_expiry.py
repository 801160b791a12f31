"""Offsets that will not be fetched again."""

from __future__ import annotations

from tests.broker.coordinator.group.classic.conversation import heartbeat, leave, meet, subscription
from tests.broker.coordinator.group.offsets.words import commit, commit_pending, offsets
from tests.broker.coordinator.group.play import Play

RETENTION_MS = 10_080 * 60_000
SWEEP_MS = 600_000


def started() -> Play:
    """A shard that was loaded, so that it sweeps."""
    return Play().restarted()


def test_an_offset_from_outside_goes_after_its_retention_and_its_group_with_it():
    play = started()
    play >> commit(7)
    play.pass_ms(RETENTION_MS - SWEEP_MS)
    assert offsets(play) == {("t", 0): 7}
    play.pass_ms(2 * SWEEP_MS)
    assert (offsets(play), play.state()) == ({}, "Dead")
    assert play.restarted().state() == "Dead"


def test_an_offset_with_a_time_of_its_own_goes_at_that_time():
    play = started()
    play >> commit(7, retention_ms=1_000, version=4)
    play.pass_ms(SWEEP_MS)
    assert offsets(play) == {}


def test_the_offsets_of_a_group_of_members_age_from_when_it_is_empty():
    meeting = meet(1, started())
    play = meeting.play
    play >> commit(7, meeting.leader, 1)
    for _ in range(RETENTION_MS // 9_000):
        play.pass_ms(9_000)
        play >> heartbeat(meeting.leader)
    assert offsets(play) == {("t", 0): 7}
    play >> leave(meeting.leader)
    play.pass_ms(RETENTION_MS - SWEEP_MS)
    assert offsets(play) == {("t", 0): 7}
    play.pass_ms(2 * SWEEP_MS)
    assert offsets(play) == {}


def test_in_a_living_group_offsets_go_that_no_member_reads():
    meeting = meet(1, started(), protocols=(("range", subscription("t")),), session_ms=1_800_000)
    play = meeting.play
    for topic in "tu":
        play >> commit(7, meeting.leader, 1, topic=topic)
    for _ in range(RETENTION_MS // SWEEP_MS + 2):
        play.pass_ms(SWEEP_MS)
        play >> heartbeat(meeting.leader)
    assert offsets(play) == {("t", 0): 7}


def test_what_a_transaction_may_change_stays():
    play = started()
    play >> commit(7)
    play >> commit_pending(8)
    play.pass_ms(RETENTION_MS + SWEEP_MS)
    assert offsets(play) == {("t", 0): 7}
    play.end_transaction(9, is_commit=False)
    play.pass_ms(SWEEP_MS)
    assert (offsets(play), play.state()) == ({}, "Dead")


def test_an_empty_group_without_offsets_goes_at_the_next_sweep():
    meeting = meet(1, started())
    meeting.play >> leave(meeting.leader)
    meeting.play.pass_ms(SWEEP_MS)
    assert meeting.play.state() == "Dead"
