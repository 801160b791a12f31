"""The whole node in a simulated world: what it acknowledges stays, and a seed repeats all."""

import pytest

from tests.crash.checker import check
from tests.simulation.node_scenario import run_seed

pytestmark = [pytest.mark.simulation, pytest.mark.timeout(900)]
"""Sixty scenarios one after the other, in the long form."""

SCENARIOS = 8
SCENARIOS_LONG = 240
SHARDS = 4


@pytest.mark.parametrize("shard", range(SHARDS))
def test_what_was_acknowledged_and_synced_survives_kills_and_power_cuts(seed, volume, shard):
    for number in range(volume(SCENARIOS, SCENARIOS_LONG) // SHARDS):
        drawn = seed + 1000 * shard + number
        result = run_seed(drawn)
        assert len(result.history.sends) > 20, f"seed {drawn}: too little happened"
        assert check(result.history)[:5] == [], f"seed {drawn}"


def test_the_same_seed_gives_the_same_events(seed):
    first, again, other = (run_seed(one, lives=1).mark for one in (seed, seed, seed + 1))
    assert first == again != other
