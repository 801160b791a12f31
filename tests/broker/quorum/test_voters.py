"""Who votes, and where the log says so."""

from __future__ import annotations

from moldau.broker.quorum.voters import (
    ReplicaKey,
    VoterHistory,
    VoterSet,
    voters_of,
    voters_record,
)
from tests.broker.quorum.simulated_member import voter, voters

DISK, OTHER_DISK = b"1" * 16, b"2" * 16


def test_a_voter_is_a_node_and_its_disk():
    one = voter(1, DISK)
    assert one.is_key(ReplicaKey(1, DISK))
    assert not one.is_key(ReplicaKey(1, OTHER_DISK))
    assert one.is_key(ReplicaKey(1))
    assert str(one.key) == "1"


def test_a_majority_is_more_than_half():
    assert [voters(*range(count)).majority for count in (1, 2, 3, 4, 5)] == [1, 2, 2, 3, 3]


def test_a_set_is_replaced_never_changed():
    before = voters(1, 2)
    after = before.with_voter(voter(3))
    assert sorted(before.ids) == [1, 2]
    assert sorted(after.ids) == [1, 2, 3]
    assert after.without(1).ids == {2, 3}
    assert after != before
    assert after.without(3) == before
    assert hash(after.without(3)) == hash(before)
    assert [one.key.node_id for one in after.others(2)] == [1, 3]
    assert repr(after) == "VoterSet(1, 2, 3)"


def test_sets_that_differ_by_one_voter_have_majorities_that_overlap():
    assert voters(1, 2, 3).differs_by_one(voters(1, 2))
    assert not voters(1, 2, 3).differs_by_one(voters(1, 2, 4))


def test_a_set_comes_back_from_its_record():
    before = VoterSet([voter(1, DISK), voter(2, OTHER_DISK)])
    assert voters_of(voters_record(before)) == before


def test_cutting_the_log_brings_the_earlier_set_back():
    history = VoterHistory(voters(1))
    history.add(5, voters(1, 2))
    history.add(9, voters(1, 2, 3))
    assert (history.last, history.last_offset) == (voters(1, 2, 3), 9)
    assert history.at(9) == voters(1, 2)
    history.truncate(9)
    assert history.last == voters(1, 2)
    history.truncate(0)
    assert (history.last, history.last_offset) == (voters(1), -1)


def test_old_sets_are_forgotten_once_nothing_can_bring_them_back():
    history = VoterHistory(voters(1))
    for offset in (5, 9, 12):
        history.add(offset, voters(*range(offset)))
    history.trim(10)
    assert history.at(11) == voters(*range(9))
    assert history.last_offset == 12


def test_a_snapshot_begins_the_history_anew():
    history = VoterHistory(voters(1))
    history.add(5, voters(1, 2))
    history.restart(voters(1, 2, 3), 7)
    assert (history.last, history.last_offset) == (voters(1, 2, 3), 7)
