"""A quorum whose leaders fall as soon as they lead, so that one election follows the other.

What goes wrong in Raft with votes, with entries of old epochs and with changes of voters needs two
or three leaders in a row that each got only a part of the way: a leader falls when a follower has
this entry and not yet the next, and comes back when the other has fallen. Trouble at drawn moments
seldom does that. So here trouble comes when a node has just given its vote, and a moment after it
began to lead; records are sent in small pieces, for what lies between two of them is where it
counts.
"""

from __future__ import annotations

from moldau.broker.quorum.member import QuorumSettings
from tests.simulation.quorum_cluster import Cluster, Machine

VOTERS = (3, 4, 5)
SETTINGS = QuorumSettings(election_timeout_ms=40, fetch_timeout_ms=150, request_timeout_ms=60)
PIECES = (1, 2, 5)
"""How many entries a fetch brings at most."""
AFTER_VOTES = (0.0, 0.1, 0.5)
LEADS_MS = (60, 150, 400)
"""How long a leader leads at most."""
OUTAGES_MS = (50, 300, 1_000)
"""How long at most it is away then."""
REACHES_SOME = 0.7
"""How often a leader reaches only a part of the others while it leads."""
REACHED = (0, 1, 1, 2)
"""How many it reaches then; one of them may be itself."""
ROUNDS = 60
SNAPSHOTS = 0.3
"""How often, in a round, a node writes down what it knows to be committed."""
PAUSE_MS_MAX = 150
CHANGES = 0.8
"""How often a change of voters is asked of a leader that has just begun."""


def run_elections(seed: int) -> Cluster:
    """For every other seed the voters come and go. In the end all agree, and nothing is lost."""
    changes = seed % 2 == 1
    observers, kraft_version = (1, 1) if changes else (0, 0)
    voters = VOTERS[seed // 2 % len(VOTERS)]
    cluster = Cluster(seed, voters, observers, kraft_version, SETTINGS)
    random = cluster.random
    cluster.fetch_entries_max = random.choice(PIECES)
    cluster.strikes_after_votes = random.choice(AFTER_VOTES)

    def begins(machine: Machine) -> None:
        leads_ms = random.choice(LEADS_MS)
        if changes and random.random() < CHANGES:
            machine.later(1, lambda: cluster.change_voters_of(machine))
        if random.random() < REACHES_SOME:
            reached = random.sample(list(cluster.machines), random.choice(REACHED))
            _cut(cluster, machine, reached, random.randrange(1, 2 * leads_ms))
        machine.later(random.randrange(1, leads_ms), lambda: _fall(cluster, machine))

    cluster.run_until(cluster.all_agree)
    cluster.when_leading = begins
    _fall(cluster, cluster.leader())
    for _ in range(ROUNDS):
        cluster.write()
        if random.random() < SNAPSHOTS:
            random.choice(list(cluster.machines.values())).take_snapshot()
        cluster.run_for(random.randrange(1, PAUSE_MS_MAX))
    cluster.heal()
    cluster.run_until(cluster.all_agree)
    cluster.ledger.nothing_is_lost()
    return cluster


def _fall(cluster: Cluster, machine: Machine) -> None:
    """It ends, or reaches no other or one alone, both ways; for a while."""
    random = cluster.random
    kind = random.randrange(0, 4)
    back_ms = random.randrange(1, random.choice(OUTAGES_MS))
    if kind == 0:
        machine.crash()
        cluster.after(back_ms, lambda: machine.start() if machine.node is None else None)
    else:
        reached = [random.choice(list(cluster.machines))] if kind == 1 else []
        _cut(cluster, machine, reached, back_ms)


def _cut(cluster: Cluster, machine: Machine, reached: list[int], lasts_ms: int) -> None:
    """From all but these."""
    node_id = machine.key.node_id
    others = cluster.machines.keys() - {node_id, *reached}
    ways = {(one, node_id) for one in others} | {(node_id, one) for one in others}
    cluster.blocked |= ways
    cluster.after(lasts_ms, lambda: cluster.blocked.difference_update(ways))
