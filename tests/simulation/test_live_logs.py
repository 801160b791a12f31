"""A log that goes on is at every moment what its operations add up to.

The other judges of this folder look at logs that were opened anew, whose indexes were then read
from the disk, checked, or made again. Here nothing is opened: what the running log has in
memory, of its indexes and of its ends, is what is judged, after each operation.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.simulation.log_scenario import LogScenario
from tests.simulation.test_crash_states import SETUP, WATCHED
from tests.simulation.truth import Truth
from tests.simulation.verdict import judge

OPERATIONS = 40
CUTS: tuple[Callable[[LogScenario], None], ...] = (
    LogScenario.append,
    LogScenario.append_idempotent,
    LogScenario.truncate,
)
"""A third of these cut the end: what was noted of it must be gone before others write there."""


def live_log(seed: str) -> LogScenario:
    """Operations by chance, each followed by a look."""
    scenario = LogScenario(seed)

    def look(*truths: Truth) -> None:
        judge(scenario.machine.log, truths[-1:])

    scenario.on_operation = look
    choices = scenario.one_of((SETUP, WATCHED, CUTS))
    for _ in range(OPERATIONS):
        scenario.one_of(choices)(scenario)
    return scenario


@pytest.mark.parametrize("part", range(2))
def test_a_running_log_is_what_was_written_after_every_operation(part, seed, volume):
    for number in range(volume(40, 1_000) // 2):
        try:
            live_log(f"{seed}/{part}/{number}")
        except AssertionError as error:
            error.add_note(f"seed {seed}/{part}/{number}")
            raise
