"""The kinds of scenarios that a seed can tell, by name.

A scenario raises an exception where it ends badly. Those of whole clusters and of quorums return a
mark that the same events alone have, so that two runs of one seed can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from moldau.platform.simulated.randomness import SeededRandom
from tests.simulation import (
    client_transactions,
    registry_scenario,
    sender_scenario,
    test_clients,
    test_registries,
    test_senders,
)
from tests.simulation.bit_flips import flips as flips_of
from tests.simulation.bit_flips import judge_flip, killed_after_checkpoint, killed_unknown, stopped
from tests.simulation.client_scenario import result_of
from tests.simulation.cluster_scenario import Result as ClusterResult
from tests.simulation.cluster_scenario import run_seed
from tests.simulation.damaged_leader_scenario import run_with_damaged_leader
from tests.simulation.election_scenario import run_elections
from tests.simulation.fallen_leader_scenario import run_with_falling_leaders
from tests.simulation.moving_replica_scenario import run_with_moving_replicas
from tests.simulation.test_crash_states import compacted_log, plain_log
from tests.simulation.test_disk_errors import (
    FAULTS,
    test_each_failing_call_stops_the_log_and_a_restart_finds_what_was_synced,
)
from tests.simulation.test_live_logs import live_log
from tests.simulation.test_quorum import (
    VOTERS,
    run_quorum,
    test_a_node_that_was_cut_off_does_not_unseat_the_leader,
)
from tests.simulation.test_replication import wrong_in

FLIPS = 30
"""Bits that turn in one scenario, one at a time."""
Scenario = Callable[[int], str | None]
"""What a seed stands for in it; the mark of what happened, if it has one."""


def judged(result: ClusterResult, seed: int) -> str:
    """Its mark, if nothing is wrong in it."""
    wrong = wrong_in(result, seed)
    assert not wrong, wrong[0]
    return result.mark


def replication(seed: int) -> str:
    """Three nodes, a topic, and storms."""
    return judged(run_seed(seed), seed)


def leaders(seed: int) -> str:
    """Three nodes, a topic, and leaders that fall as soon as they lead."""
    return judged(run_with_falling_leaders(seed), seed)


def damaged_leaders(seed: int) -> str:
    """Three nodes, and a bit of the leader's log that has turned."""
    return judged(run_with_damaged_leader(seed), seed)


def moving_replicas(seed: int) -> str:
    """Three nodes, and two replicas that move among them."""
    return judged(run_with_moving_replicas(seed), seed)


def quorum(seed: int) -> str:
    """Members of a quorum of each size; for every other seed their voters come and go."""
    return run_quorum(seed, VOTERS[seed // 2 % len(VOTERS)], changes=seed % 2 == 1).mark


def elections(seed: int) -> str:
    """Leaders that fall as soon as they lead."""
    return run_elections(seed).mark


def rejoins(seed: int) -> None:
    """A voter that comes back after a cut."""
    test_a_node_that_was_cut_off_does_not_unseat_the_leader(seed)


def groups(seed: int) -> str:
    """Our own producers, and the members of a group."""
    result = result_of.__wrapped__(seed)  # of thousands of seeds nothing is to stay in memory
    test_clients.judge(result)
    return result.mark


def senders(seed: int) -> str:
    """The core of a producer, between brokers that are late, refuse and do not answer."""
    result = sender_scenario.sent(seed)
    test_senders.judge(result)
    return result.mark


def transactions(seed: int) -> str:
    """Workers that read, write and commit in transactions."""
    result = client_transactions.result_of(seed)
    test_clients.judge_made(result)
    return result.mark


def registries(seed: int) -> str:
    """Registries that write at once to a topic whose leader moves."""
    result = registry_scenario.result_of.__wrapped__(seed)
    test_registries.judge(result)
    return result.mark


def crashes(seed: int) -> None:
    """A log whose power is cut at each barrier and between its operations."""
    (compacted_log if seed % 2 else plain_log)(f"{seed}")


def live_logs(seed: int) -> None:
    """A log that goes on, looked at after each operation."""
    live_log(f"{seed}")


def flips(seed: int) -> None:
    """A log in whose files a bit has turned while it was not served."""
    states = (stopped, killed_after_checkpoint, killed_unknown)
    scenario = states[seed % len(states)](f"{seed}")
    for flip, files in flips_of(scenario, SeededRandom(seed), FLIPS):
        judge_flip(scenario, flip, files)


def disk_errors(seed: int) -> None:
    """A log whose disk refuses one call, each in turn; a seed stands for a kind of refusal."""
    test_each_failing_call_stops_the_log_and_a_restart_finds_what_was_synced(
        *FAULTS[seed % len(FAULTS)]
    )


SCENARIOS: Mapping[str, Scenario] = {
    one.__name__: one
    for one in (
        replication,
        leaders,
        damaged_leaders,
        moving_replicas,
        quorum,
        elections,
        rejoins,
        groups,
        senders,
        transactions,
        registries,
        crashes,
        live_logs,
        flips,
        disk_errors,
    )
}
