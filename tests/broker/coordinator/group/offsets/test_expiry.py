"""Offsets that will not be fetched again."""

from __future__ import annotations

from tests.broker.coordinator.group.classic.conversation import heartbeat, leave, meet, subscription
from tests.broker.coordinator.group.coordinator import Coordinator
from tests.broker.coordinator.group.offsets.words import commit, commit_pending, offsets

RETENTION_MS = 10_080 * 60_000
SWEEP_MS = 600_000


def started() -> Coordinator:
    """A shard that was loaded, so that it sweeps."""
    return Coordinator().restarted()


def test_an_offset_from_outside_goes_after_its_retention_and_its_group_with_it():
    coordinator = started()
    coordinator >> commit(7)
    coordinator.pass_ms(RETENTION_MS - SWEEP_MS)
    assert offsets(coordinator) == {("t", 0): 7}
    coordinator.pass_ms(2 * SWEEP_MS)
    assert (offsets(coordinator), coordinator.state()) == ({}, "Dead")
    assert coordinator.restarted().state() == "Dead"


def test_an_offset_with_a_time_of_its_own_goes_at_that_time():
    coordinator = started()
    coordinator >> commit(7, retention_ms=1_000, version=4)
    coordinator.pass_ms(SWEEP_MS)
    assert offsets(coordinator) == {}


def test_the_offsets_of_a_group_of_members_age_from_when_it_is_empty():
    meeting = meet(1, started())
    coordinator = meeting.coordinator
    coordinator >> commit(7, meeting.leader, 1)
    for _ in range(RETENTION_MS // 9_000):
        coordinator.pass_ms(9_000)
        coordinator >> heartbeat(meeting.leader)
    assert offsets(coordinator) == {("t", 0): 7}
    coordinator >> leave(meeting.leader)
    coordinator.pass_ms(RETENTION_MS - SWEEP_MS)
    assert offsets(coordinator) == {("t", 0): 7}
    coordinator.pass_ms(2 * SWEEP_MS)
    assert offsets(coordinator) == {}


def test_in_a_living_group_offsets_go_that_no_member_reads():
    meeting = meet(1, started(), protocols=(("range", subscription("t")),), session_ms=1_800_000)
    coordinator = meeting.coordinator
    for topic in "tu":
        coordinator >> commit(7, meeting.leader, 1, topic=topic)
    for _ in range(RETENTION_MS // SWEEP_MS + 2):
        coordinator.pass_ms(SWEEP_MS)
        coordinator >> heartbeat(meeting.leader)
    assert offsets(coordinator) == {("t", 0): 7}


def test_what_a_transaction_may_change_stays():
    coordinator = started()
    coordinator >> commit(7)
    coordinator >> commit_pending(8)
    coordinator.pass_ms(RETENTION_MS + SWEEP_MS)
    assert offsets(coordinator) == {("t", 0): 7}
    coordinator.end_transaction(9, is_commit=False)
    coordinator.pass_ms(SWEEP_MS)
    assert (offsets(coordinator), coordinator.state()) == ({}, "Dead")


def test_an_empty_group_without_offsets_goes_at_the_next_sweep():
    meeting = meet(1, started())
    meeting.coordinator >> leave(meeting.leader)
    meeting.coordinator.pass_ms(SWEEP_MS)
    assert meeting.coordinator.state() == "Dead"
