"""A log that goes on is at every moment what its operations add up to.

The other judges of this folder look at logs that were opened anew, whose indexes were then read
from the disk, checked, or made again. Here nobody opens anything: what the running log has in
memory, of its indexes and of its ends, is what is judged, after each operation.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.simulation.play import Play
from tests.simulation.test_crash_states import SETUP, WATCHED
from tests.simulation.truth import Truth
from tests.simulation.verdict import judge

OPERATIONS = 40
CUTS: tuple[Callable[[Play], None], ...] = (Play.append, Play.append_idempotent, Play.truncate)
"""A third of these cut the end: what was noted of it must be gone before others write there."""


def live_play(seed: str) -> Play:
    """Operations by chance, each followed by a look."""
    play = Play(seed)

    def look(*truths: Truth) -> None:
        judge(play.machine.log, truths[-1:])

    play.on_operation = look
    choices = play.one_of((SETUP, WATCHED, CUTS))
    for _ in range(OPERATIONS):
        play.one_of(choices)(play)
    return play


@pytest.mark.parametrize("part", range(2))
def test_a_running_log_is_what_was_written_after_every_operation(part, seed, volume):
    for number in range(volume(40, 1_000) // 2):
        try:
            live_play(f"{seed}/{part}/{number}")
        except AssertionError as error:
            error.add_note(f"seed {seed}/{part}/{number}")
            raise
