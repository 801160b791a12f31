"""Judge 4, second half: no corrupt record is ever served, whichever bit of whichever file turns.

A failure names its seed, and the file, byte and bit.
"""

from __future__ import annotations

from collections import Counter

import pytest

from moldau.platform.simulated.randomness import SeededRandom
from tests.simulation.bit_flips import (
    flips,
    judge_flip,
    killed_after_checkpoint,
    killed_unknown,
    stopped,
    targets,
)

KINDS = {
    ".log",
    ".index",
    ".timeindex",
    ".txnindex",
    ".snapshot",
    "leader-epoch-checkpoint",
    "partition.metadata",
    "meta.properties",
    "recovery-point-offset-checkpoint",
    "replication-offset-checkpoint",
    "log-start-offset-checkpoint",
    "cleaner-offset-checkpoint",
}


def test_every_kind_of_file_is_among_the_targets():
    assert set(targets(stopped("kinds").files.disk)) == KINDS | {".kafka_cleanshutdown"}
    assert set(targets(killed_after_checkpoint("kinds").files.disk)) == KINDS


@pytest.mark.parametrize("state", [stopped, killed_after_checkpoint, killed_unknown])
def test_a_flipped_bit_is_never_served_as_a_record(state, seed, volume):
    scenario = state(f"{seed}/{state.__name__}")
    outcomes: Counter[tuple[str, str]] = Counter()
    for flip, files in flips(scenario, SeededRandom(seed), volume(600, 6_000) // 3):
        try:
            outcomes[flip.kind, judge_flip(scenario, flip, files)] += 1
        except Exception as error:
            error.add_note(f"seed {seed}: {flip} after {scenario.operations}")
            raise
    print(*sorted(outcomes.items()), sep="\n")
