"""Counting votes."""

from moldau.broker.quorum.roles import MAY_FOLLOW, Leader, Resigned, Tally
from tests.broker.quorum.simulated_member import voters


def test_a_vote_is_won_by_more_than_half():
    tally = Tally(voters(1, 2, 3, 4), {1})
    tally.count(2, granted=True)
    assert not tally.is_won
    tally.count(3, granted=True)
    assert tally.is_won


def test_a_vote_is_lost_when_more_than_half_cannot_be_reached():
    tally = Tally(voters(1, 2, 3), {1})
    tally.count(2, granted=False)
    assert not tally.is_lost
    tally.count(3, granted=False)
    assert tally.is_lost


def test_voters_that_do_not_run_decide_a_vote_only_beside_one_that_rejects():
    tally = Tally(voters(1, 2, 3), {1})
    tally.count_ended(2)
    tally.count_ended(9)
    assert (tally.ended, tally.is_lost) == ({2}, False)
    tally.count(3, granted=False)
    assert tally.is_lost
    tally.count(2, granted=True)
    assert (tally.ended, tally.is_lost, tally.is_won) == (set(), False, True)


def test_only_voters_count_and_only_their_first_word():
    tally = Tally(voters(1, 2, 3), {1})
    tally.count(9, granted=True)
    tally.count(2, granted=False)
    tally.count(2, granted=True)
    assert (tally.granted, tally.rejected) == ({1}, {2})
    assert [key.node_id for key in tally.silent()] == [3]


def test_who_led_becomes_no_candidate_in_the_same_step():
    assert Resigned in MAY_FOLLOW[Leader]
    assert len(MAY_FOLLOW[Leader]) == 3
