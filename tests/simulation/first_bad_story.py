"""Ordinary stories until one ends badly: python -m tests.simulation.first_bad_story KIND SEEDS

Run with a copy of the sources before all others on the path, its exit code shows whether a bug in
that copy is found.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping

from moldau.platform.simulated.randomness import SeededRandom
from tests.simulation import client_transactions, registry_story, test_clients, test_registries
from tests.simulation.bit_flips import flips as flips_of
from tests.simulation.bit_flips import judge_flip, killed_after_checkpoint, killed_unknown, stopped
from tests.simulation.client_story import lived
from tests.simulation.cluster_story import live
from tests.simulation.damaged_leader_story import live_with_a_damaged_leader
from tests.simulation.election_story import live_through_elections
from tests.simulation.fallen_leader_story import live_with_falling_leaders
from tests.simulation.moving_replica_story import live_with_moving_replicas
from tests.simulation.test_crash_states import compacted_play, plain_play
from tests.simulation.test_disk_errors import (
    FAULTS,
    test_each_failing_call_stops_the_log_and_a_restart_finds_what_was_synced,
)
from tests.simulation.test_live_logs import live_play
from tests.simulation.test_quorum import (
    VOTERS,
    play,
    test_a_node_that_was_cut_off_does_not_unseat_the_leader,
)
from tests.simulation.test_replication import wrong_in

FLIPS = 30
"""Bits that turn in one story, one at a time."""
FOUND = 3
"""What the program ends with then."""


def replication(seed: int) -> None:
    """Three nodes, a topic, and storms."""
    wrong = wrong_in(live(seed), seed)
    assert not wrong, wrong[0]


def leaders(seed: int) -> None:
    """Three nodes, a topic, and leaders that fall as soon as they lead."""
    wrong = wrong_in(live_with_falling_leaders(seed), seed)
    assert not wrong, wrong[0]


def damaged_leaders(seed: int) -> None:
    """Three nodes, and a bit of the leader's log that has turned."""
    wrong = wrong_in(live_with_a_damaged_leader(seed), seed)
    assert not wrong, wrong[0]


def moving_replicas(seed: int) -> None:
    """Three nodes, and two replicas that move among them."""
    wrong = wrong_in(live_with_moving_replicas(seed), seed)
    assert not wrong, wrong[0]


def quorum(seed: int) -> None:
    """Members of a quorum of each size; for every other seed their voters come and go."""
    play(seed, VOTERS[seed // 2 % len(VOTERS)], changes=seed % 2 == 1)


def elections(seed: int) -> None:
    """Leaders that fall as soon as they lead."""
    live_through_elections(seed)


def rejoins(seed: int) -> None:
    """A voter that comes back after a cut."""
    test_a_node_that_was_cut_off_does_not_unseat_the_leader(seed)


def groups(seed: int) -> None:
    """Our own producers, and the members of a group."""
    test_clients.judge(lived(seed))


def transactions(seed: int) -> None:
    """Workers that read, write and commit in transactions."""
    test_clients.judge_made(client_transactions.lived(seed))


def registries(seed: int) -> None:
    """Registries that write at once to a topic whose leader moves."""
    test_registries.judge(registry_story.lived(seed))


def crashes(seed: int) -> None:
    """A log whose power is cut at each barrier and between its operations."""
    (compacted_play if seed % 2 else plain_play)(f"{seed}")


def live_logs(seed: int) -> None:
    """A log that goes on, looked at after each operation."""
    live_play(f"{seed}")


def flips(seed: int) -> None:
    """A log in whose files a bit has turned while it was not served."""
    states = (stopped, killed_after_checkpoint, killed_unknown)
    play = states[seed % len(states)](f"{seed}")
    for flip, files in flips_of(play, SeededRandom(seed), FLIPS):
        judge_flip(play, flip, files)


def disk_errors(seed: int) -> None:
    """A log whose disk refuses one call, each in turn; a seed stands for a kind of refusal."""
    test_each_failing_call_stops_the_log_and_a_restart_finds_what_was_synced(
        *FAULTS[seed % len(FAULTS)]
    )


STORIES: Mapping[str, Callable[[int], None]] = {
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
        transactions,
        registries,
        crashes,
        live_logs,
        flips,
        disk_errors,
    )
}


def ends_badly(story: Callable[[int], None], seeds: int) -> bool:
    """Whether one of them does, or comes to no end."""
    for seed in range(seeds):
        try:
            story(seed)
        except Exception as error:  # noqa: BLE001  # a node or a client cannot go on, too
            print(f"seed {seed}: {error!r}")
            return True
    return False


if __name__ == "__main__":
    logging.disable()
    sys.exit(FOUND if ends_badly(STORIES[sys.argv[1]], int(sys.argv[2])) else 0)
