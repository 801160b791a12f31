"""The whole node in a simulated world: what it acknowledges stays, and a seed tells all."""

import pytest

from tests.crash.checker import check
from tests.simulation.node_story import live

pytestmark = [pytest.mark.simulation, pytest.mark.timeout(900)]
"""Sixty stories one after the other, in the long form."""

STORIES = 8
STORIES_LONG = 240
SHARDS = 4


@pytest.mark.parametrize("shard", range(SHARDS))
def test_what_was_acknowledged_and_synced_survives_kills_and_power_cuts(seed, volume, shard):
    for number in range(volume(STORIES, STORIES_LONG) // SHARDS):
        drawn = seed + 1000 * shard + number
        story = live(drawn)
        assert len(story.history.sends) > 20, f"seed {drawn}: too little happened"
        assert check(story.history)[:5] == [], f"seed {drawn}"


def test_the_same_seed_tells_the_same_story(seed):
    assert live(seed, lives=1).mark == live(seed, lives=1).mark != live(seed + 1, lives=1).mark
