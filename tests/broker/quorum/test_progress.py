"""How far each voter is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.quorum.progress import OBSERVERS_MAX, Progress, majority_offset
from moldau.broker.quorum.voters import ReplicaKey, VoterSet
from tests.broker.quorum.simulated_member import voter, voters

ME = ReplicaKey(1)


def progress(*ends: int) -> Progress:
    made = Progress(ME)
    made.follow_voters(voters(*range(1, len(ends) + 1)))
    for node_id, end in enumerate(ends, 1):
        made.voters[node_id].end_offset = end
    return made


@given(st.lists(st.integers(-1, 20), min_size=1, max_size=9))
def test_the_majoritys_offset_is_the_largest_that_more_than_half_have(ends):
    plain = max(end for end in ends if sum(other >= end for other in ends) > len(ends) / 2)
    assert majority_offset(ends) == plain


def test_nothing_is_committed_before_the_epochs_own_first_record():
    assert progress(9, 9, 9).high_watermark(epoch_start=9) is None
    assert progress(10, 10, 3).high_watermark(epoch_start=9) == 10


def test_a_replica_is_caught_up_when_it_reaches_the_end_that_was_there_at_its_last_fetch():
    made = progress(0, 0, 0)
    replica = made.voters[2]
    made.fetched(ReplicaKey(2), 5, leader_end=10, now_ms=100)
    assert replica.last_caught_up_ms == -1
    made.fetched(ReplicaKey(2), 10, leader_end=12, now_ms=200)
    assert replica.last_caught_up_ms == 100
    made.fetched(ReplicaKey(2), 12, leader_end=12, now_ms=300)
    assert replica.last_caught_up_ms == 300


def test_the_quorum_is_alive_once_a_majority_has_fetched_since_the_last_time():
    made = progress(0, 0, 0, 0, 0)
    made.fetched(ReplicaKey(2), 0, 0, 1)
    assert not made.quorum_is_alive()
    made.fetched(ReplicaKey(3), 0, 0, 1)
    assert made.quorum_is_alive()
    assert not made.quorum_is_alive()


def test_observers_are_forgotten_after_a_silence():
    made = progress(0)
    made.fetched(ReplicaKey(7), 0, 0, now_ms=1000)
    made.forget_silent_observers(300_999)
    assert len(made.observers) == 1
    made.forget_silent_observers(301_001)
    assert made.observers == {}


def test_the_list_of_observers_has_a_bound():
    made = progress(0)
    for node_id in range(OBSERVERS_MAX + 5):
        made.fetched(ReplicaKey(100 + node_id), 0, 0, 1)
    assert len(made.observers) == OBSERVERS_MAX


def test_an_observer_that_becomes_a_voter_keeps_its_progress():
    made = progress(5, 5)
    made.fetched(ReplicaKey(3), 4, 5, 1)
    made.follow_voters(voters(1, 2, 3))
    assert made.voters[3].end_offset == 4
    made.follow_voters(voters(1, 2))
    assert made.observers[ReplicaKey(3)].end_offset == 4


def test_a_voter_keeps_its_progress_when_the_set_learns_its_disk_but_not_on_another_disk():
    made, disk, other = progress(5, 5), b"d" * 16, b"o" * 16
    made.fetched(ReplicaKey(2, disk), 7, 7, 1)
    made.follow_voters(voters(1, 2))
    assert made.voters[2].key == ReplicaKey(2, disk)
    made.follow_voters(VoterSet([voter(1), voter(2, disk)]))
    assert made.voters[2].end_offset == 7
    made.follow_voters(VoterSet([voter(1), voter(2, other)]))
    assert made.voters[2].end_offset == -1


def test_a_configured_voter_is_known_by_its_id_whatever_its_disk():
    made = progress(5, 5)
    made.fetched(ReplicaKey(2, b"d" * 16), 7, 7, 1)
    assert made.voters[2].end_offset == 7
    assert made.voters[2].key == ReplicaKey(2, b"d" * 16)


def test_another_disk_of_a_voter_is_an_observer():
    made = progress(5, 5)
    made.fetched(ReplicaKey(2, b"d" * 16), 5, 5, 1)
    made.fetched(ReplicaKey(2, b"e" * 16), 9, 9, 1)
    assert made.voters[2].end_offset == 5
    assert set(made.observers) == {ReplicaKey(2, b"e" * 16)}


def test_a_voter_that_fetches_from_another_disk_keeps_no_quorum_alive():
    made = progress(5, 5, 5)
    made.fetched(ReplicaKey(2, b"d" * 16), 5, 5, 1)
    assert made.quorum_is_alive()
    made.fetched(ReplicaKey(2, b"e" * 16), 9, 9, 2)
    assert not made.quorum_is_alive()


@pytest.mark.parametrize(("ends", "order"), [((9, 3, 7), [3, 2]), ((9, 7, 3), [2, 3])])
def test_successors_are_those_with_most(ends, order):
    assert [key.node_id for key in progress(*ends).successors()] == order
