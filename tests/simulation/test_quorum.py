"""Members of a quorum keep their promises through crashes and cuts, and agree in the end."""

from __future__ import annotations

import pytest

from moldau.broker.quorum.member import QuorumSettings
from tests.simulation.election_scenario import run_elections
from tests.simulation.quorum_cluster import Cluster
from tests.simulation.starved_quorum import StarvedCluster

pytestmark = pytest.mark.timeout(1_800)
"""A long run has ten thousand scenarios: here 4,000, 1,000 and 5,000."""

VOTERS = (1, 2, 3, 4, 5)
CHANGES = 0.2
"""How often a change of voters is asked for."""
SNAPSHOTS = 0.1
"""How often a node writes down what it knows to be committed."""
TIMEOUTS_MS = (1000, 40)
"""Of elections: with the shorter one several stand at once, again and again."""
STRIKES = (0.0, 0.003, 0.03)
"""How often a node crashes between two of its effects."""
PAUSES_MS = (20, 100, 1000)
"""How long at most until the next trouble: sometimes within an exchange, sometimes after it."""
STARVED, STARVED_MS = 24, 60_000
SLOW_MS = 800
"""How long an event takes at most; an election is made of a dozen, and times out after 1 to 2 s."""


def meddle(cluster: Cluster) -> None:
    """One thing that may happen at any moment."""
    random = cluster.random
    node_ids = list(cluster.machines)
    node_id = node_ids[random.randrange(0, len(node_ids))]
    machine = cluster.machines[node_id]
    other = node_ids[random.randrange(0, len(node_ids))]
    match random.randrange(0, 8):
        case 0 if machine.node is not None:
            machine.crash()
        case 0 | 1 | 2 if machine.node is None:
            machine.start()
        case 1:
            machine.crash()
            machine.start()
        case 2:
            cluster.cut_off(node_id)
        case 3:
            cluster.blocked.add((node_id, other))
        case 4:
            cluster.blocked.clear()
        case 5:
            cluster.loss = random.random() / 4
        case _:
            cluster.write()


def run_quorum(seed: int, voters: int, *, changes: bool) -> Cluster:
    """A life full of trouble, after which all agree and nothing that was promised is lost."""
    observers, kraft_version = (2, 1) if changes else (1, 0)
    timeout_ms = TIMEOUTS_MS[seed // 10 % len(TIMEOUTS_MS)]
    settings = QuorumSettings(election_timeout_ms=timeout_ms)
    cluster = Cluster(seed, voters, observers, kraft_version, settings)
    cluster.strikes = cluster.random.choice(STRIKES)
    for _ in range(150):
        if changes and cluster.random.random() < CHANGES:
            cluster.change_voters()
        if cluster.random.random() < SNAPSHOTS:
            cluster.random.choice(list(cluster.machines.values())).take_snapshot()
        meddle(cluster)
        cluster.run_for(cluster.random.randrange(1, PAUSES_MS[cluster.random.randrange(0, 3)]))
    cluster.heal()
    cluster.run_until(cluster.all_agree)
    cluster.ledger.nothing_is_lost()
    return cluster


@pytest.mark.parametrize("voters", VOTERS)
def test_promises_hold_and_all_agree_once_healed(voters, seed, volume):
    for number in range(volume(8, 800)):
        run_quorum(seed + number, voters, changes=False)


def test_promises_hold_while_voters_come_and_go(seed, volume):
    for number in range(volume(8, 1_000)):
        run_quorum(seed + number, 3, changes=True)


def test_promises_hold_while_leaders_fall_as_soon_as_they_lead(seed, volume):
    for number in range(volume(20, 5_000)):
        run_elections(seed + number)


@pytest.mark.parametrize("voters", VOTERS)
def test_one_leads_soon(voters, seed):
    cluster = Cluster(seed, voters)
    assert cluster.run_until(cluster.all_agree) <= 15_000


def test_another_one_leads_when_the_leader_has_gone(seed):
    cluster = Cluster(seed, 3)
    cluster.run_until(cluster.all_agree)
    first = cluster.leader()
    first.crash()
    cluster.run_until(lambda: cluster.leader() not in (None, first))
    cluster.write()
    cluster.heal()
    cluster.run_until(cluster.all_agree)
    assert len(cluster.ledger.acknowledged) == 1


def test_a_leader_that_reaches_no_voter_resigns_and_acknowledges_nothing(seed):
    cluster = Cluster(seed, 3)
    cluster.run_until(cluster.all_agree)
    alone = cluster.leader()
    cluster.cut_off(alone.key.node_id)
    cluster.write()
    cluster.run_for(10_000)
    assert cluster.leader() not in (None, alone)
    assert cluster.ledger.acknowledged == []


def test_a_node_that_was_cut_off_does_not_unseat_the_leader(seed):
    cluster = Cluster(seed, 3)
    cluster.run_until(cluster.all_agree)
    leader = cluster.leader()
    other = next(node_id for node_id in cluster.machines if node_id != leader.key.node_id)
    cluster.cut_off(other)
    cluster.run_for(30_000)
    cluster.heal()
    cluster.run_for(10_000)
    assert cluster.leader() is leader
    assert len(cluster.ledger.leaders) == 1


def test_the_same_seed_gives_the_same_events(seed):
    def outcome():
        cluster = Cluster(seed, 3)
        for _ in range(100):
            meddle(cluster)
            cluster.run_for(100)
        return cluster.summary(), cluster.ledger.committed

    assert outcome() == outcome()


def test_a_quorum_that_hardly_gets_a_processor_has_a_leader_nearly_all_the_time(seed):
    """Were deadlines handled before what came in time, it had none for a quarter of that time."""
    missing_ms = 0
    for number in range(STARVED):
        cluster = StarvedCluster(seed + number)
        cluster.run_until(cluster.all_agree)
        cluster.starve(SLOW_MS)
        missing_ms += cluster.leaderless_ms(STARVED_MS)
        cluster.starve(0)
        cluster.run_until(cluster.all_agree)
        cluster.ledger.nothing_is_lost()
    assert missing_ms < 0.1 * STARVED * STARVED_MS
