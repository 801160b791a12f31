"""Judge 4: whatever a crash leaves of a log is recovered to what had been promised.

Each scenario sets a log up, makes it durable, and then does at most three operations, where nearly
all crash mistakes live; see `crash_judge` for where the power is cut and `verdict` for what must
hold. A failure names its seed and state: `LogScenario` and `CrashJudge` with that seed repeat it.
"""

from __future__ import annotations

import pytest

from tests.simulation.compacted_log_scenario import CompactedLogScenario
from tests.simulation.crash_judge import CrashJudge
from tests.simulation.log_scenario import LogScenario

PARTS = 4
"""So that several cores can share the work."""
SETUP = (
    LogScenario.append,
    LogScenario.append,
    LogScenario.append_idempotent,
    LogScenario.append_in_transaction,
    LogScenario.end_transaction,
    LogScenario.roll,
    LogScenario.truncate,
    LogScenario.delete_records,
)
WATCHED = (
    *SETUP,
    LogScenario.append_in_transaction,
    LogScenario.end_transaction,
    LogScenario.flush,
    LogScenario.flush_sealed,
    LogScenario.checkpoint,
    LogScenario.begin_anew,
    LogScenario.restart,
)
COMPACTED_SETUP = (
    LogScenario.append,
    LogScenario.append_idempotent,
    LogScenario.append_in_transaction,
    LogScenario.end_transaction,
    LogScenario.roll,
    CompactedLogScenario.compact,
)
COMPACTED_WATCHED = (
    *COMPACTED_SETUP,
    CompactedLogScenario.compact,
    CompactedLogScenario.compact,
    LogScenario.flush,
    LogScenario.truncate,
    LogScenario.restart,
)
SETUP_OPERATIONS_MAX = 12
WATCHED_OPERATIONS = 3


def watched_log(scenario: LogScenario, seed: str, setup, watched) -> CrashJudge:
    """Set up by chance, make durable, then watch three operations by chance."""
    for _ in range(scenario.random.randrange(0, SETUP_OPERATIONS_MAX)):
        scenario.one_of(setup)(scenario)
    scenario.flush()
    scenario.checkpoint()
    judge = CrashJudge(scenario, seed)
    judge.attach()
    for _ in range(WATCHED_OPERATIONS):
        scenario.one_of(watched)(scenario)
    return judge


def plain_log(seed: str) -> CrashJudge:
    return watched_log(LogScenario(seed), seed, SETUP, WATCHED)


def compacted_log(seed: str) -> CrashJudge:
    return watched_log(CompactedLogScenario(seed), seed, COMPACTED_SETUP, COMPACTED_WATCHED)


@pytest.mark.parametrize("kind", [plain_log, compacted_log])
@pytest.mark.parametrize("part", range(PARTS))
def test_every_crash_between_two_barriers_is_recovered(kind, part, seed, volume):
    judged, number = 0, 0
    while judged < volume(2_000, 24_000) // (2 * PARTS):
        judged += kind(f"{seed}/{part}/{number}").judged
        number += 1
    print(f"{judged} states of {number} scenarios, seeds {seed}/{part}/0 to {number - 1}")
