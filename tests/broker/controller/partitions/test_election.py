"""Who leads: in sync, then eligible, then the last one known, then, if allowed, any replica."""

import pytest

from moldau.broker.controller.partitions.election import Elected, elect
from moldau.broker.controller.partitions.target import Election, PartitionChange, Rules, Target
from moldau.broker.metadata.topics import PartitionState


def outcome(election, *, alive, leader=2, isr=(1, 2), elr=(), last=(), elr_enabled=True):
    state = PartitionState(
        replicas=(1, 2, 3),
        directories=(bytes(16),) * 3,
        isr=isr,
        leader=leader,
        eligible_leader_replicas=elr,
        last_known_elr=last,
    )
    rules = Rules(
        may_lead=lambda broker_id: broker_id in alive,
        default_directory=lambda broker_id: bytes(16),
        min_isr=2,
        elr_enabled=elr_enabled,
    )
    return elect(Target.of(state, PartitionChange()), election, rules)


@pytest.mark.parametrize("election", [Election.ONLINE, Election.UNCLEAN])
def test_a_leader_that_can_stay_does(election):
    assert outcome(election, alive={1, 2, 3}) == Elected(2)


def test_the_preferred_replica_takes_over_if_it_is_in_sync_and_alive():
    assert outcome(Election.PREFERRED, alive={1, 2, 3}) == Elected(1)
    assert outcome(Election.PREFERRED, alive={2, 3}) == Elected(2)
    assert outcome(Election.PREFERRED, alive={1, 2, 3}, isr=(2, 3)) == Elected(2)


def test_a_dead_leader_is_followed_by_the_next_in_sync():
    assert outcome(Election.ONLINE, alive={1, 3}) == Elected(1)
    assert outcome(Election.ONLINE, alive={3}) == Elected(-1)


def test_an_eligible_replica_leads_only_when_none_is_in_sync():
    assert outcome(Election.ONLINE, alive={3}, elr=(3,)) == Elected(-1)
    assert outcome(Election.ONLINE, alive={3}, isr=(), elr=(3,), leader=-1) == Elected(3)


def test_the_last_known_leader_comes_back_uncleanly_when_nothing_is_left():
    left = {"isr": (), "leader": -1, "last": (3,)}
    assert outcome(Election.ONLINE, alive={1, 3}, **left) == Elected(3, unclean=True)
    assert outcome(Election.PREFERRED, alive={3}, **left) == Elected(3, unclean=True)
    assert outcome(Election.ONLINE, alive={1}, **left) == Elected(-1)
    assert outcome(Election.ONLINE, alive={3}, **left, elr_enabled=False) == Elected(-1)


def test_an_unclean_election_takes_any_replica_alive():
    assert outcome(Election.UNCLEAN, alive={3}) == Elected(3, unclean=True)
    assert outcome(Election.UNCLEAN, alive=set()) == Elected(-1)
