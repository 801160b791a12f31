"""Judge 4: whatever a crash leaves of a log is recovered to what had been promised.

Each play sets a log up, makes it durable, and then does at most three operations, the place where
nearly all crash mistakes live; see `crash_judge` for where the power is cut and `verdict` for what
must hold. A failure names its seed and state: `Play` and `CrashJudge` with that seed show it again.
"""

from __future__ import annotations

import pytest

from tests.simulation.compacted_play import CompactedPlay
from tests.simulation.crash_judge import CrashJudge
from tests.simulation.play import Play

PARTS = 4
"""So that several cores can share the work."""
SETUP = (
    Play.append,
    Play.append,
    Play.append_idempotent,
    Play.append_in_transaction,
    Play.end_transaction,
    Play.roll,
    Play.truncate,
    Play.delete_records,
)
WATCHED = (
    *SETUP,
    Play.append_in_transaction,
    Play.end_transaction,
    Play.flush,
    Play.flush_sealed,
    Play.checkpoint,
    Play.begin_anew,
    Play.restart,
)
COMPACTED_SETUP = (
    Play.append,
    Play.append_idempotent,
    Play.append_in_transaction,
    Play.end_transaction,
    Play.roll,
    CompactedPlay.compact,
)
COMPACTED_WATCHED = (
    *COMPACTED_SETUP,
    CompactedPlay.compact,
    CompactedPlay.compact,
    Play.flush,
    Play.truncate,
    Play.restart,
)
SETUP_OPERATIONS_MAX = 12
WATCHED_OPERATIONS = 3


def watched_play(play: Play, seed: str, setup, watched) -> CrashJudge:
    """Set up by chance, make durable, then watch three operations by chance."""
    for _ in range(play.random.randrange(0, SETUP_OPERATIONS_MAX)):
        play.one_of(setup)(play)
    play.flush()
    play.checkpoint()
    judge = CrashJudge(play, seed)
    judge.attach()
    for _ in range(WATCHED_OPERATIONS):
        play.one_of(watched)(play)
    return judge


def plain_play(seed: str) -> CrashJudge:
    return watched_play(Play(seed), seed, SETUP, WATCHED)


def compacted_play(seed: str) -> CrashJudge:
    return watched_play(CompactedPlay(seed), seed, COMPACTED_SETUP, COMPACTED_WATCHED)


@pytest.mark.parametrize("kind", [plain_play, compacted_play])
@pytest.mark.parametrize("part", range(PARTS))
def test_every_crash_between_two_barriers_is_recovered(kind, part, seed, volume):
    judged, number = 0, 0
    while judged < volume(2_000, 24_000) // (2 * PARTS):
        judged += kind(f"{seed}/{part}/{number}").judged
        number += 1
    print(f"{judged} states of {number} plays, seeds {seed}/{part}/0 to {number - 1}")
