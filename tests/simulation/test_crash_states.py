"""Judge 4: whatever a crash leaves of a log is recovered to what had been promised.

Each play sets a log up, makes it durable, and then does at most three operations, the place where
nearly all crash mistakes live; see `crash_judge` for where the power is cut and `verdict` for what
must hold. A failure names its seed and state: `Play` and `CrashJudge` with that seed show it again.
"""

from __future__ import annotations

import pytest

from tests.simulation.crash_judge import CrashJudge
from tests.simulation.play import Play

STATES_PER_PLAY = 150
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
SETUP_OPERATIONS_MAX = 12
WATCHED_OPERATIONS = 3


def watched_play(seed: str, *watched) -> CrashJudge:
    """Set up by chance, make durable, then do what is watched, or three by chance."""
    play = Play(seed)
    for _ in range(play.random.randrange(0, SETUP_OPERATIONS_MAX)):
        play.one_of(SETUP)(play)
    play.flush()
    play.checkpoint()
    judge = CrashJudge(play, seed)
    judge.attach()
    for operation in watched or [play.one_of(WATCHED) for _ in range(WATCHED_OPERATIONS)]:
        operation(play)
    return judge


@pytest.mark.parametrize("part", range(8))
def test_every_crash_between_two_barriers_is_recovered(part, seed, volume):
    judged, number = 0, 0
    while judged < volume(2_000, 20_000) // 8:
        judged += watched_play(f"{seed}/{part}/{number}").judged
        number += 1
    print(f"{judged} states of {number} plays, seeds {seed}/{part}/0 to {number - 1}")
