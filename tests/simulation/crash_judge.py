"""Cuts the power at each barrier of a scenario and between its operations, and judges the rest.

States are collected where they arise, inside the operation and before each barrier takes effect,
and judged once the operation is over, when both truths are known. Every state is started twice,
for a recovery must not change its mind, and the second start follows a kill without a sync. Of
some states the recovery itself is cut off, and what that leaves is judged as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from moldau.errors import MoldauError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.disk import Disk
from moldau.platform.simulated.disk_crash import CrashState, crash_states, fingerprint
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from tests.broker.log.batches import batch
from tests.simulation.log_scenario import LogScenario
from tests.simulation.machine import Machine, start_machine
from tests.simulation.truth import Truth
from tests.simulation.verdict import Served, judge, served_by

STATES_PER_BARRIER = 8
NESTED_ONE_IN = 8
"""Of one in so many states the recovery is cut off as well."""


class CrashFailure(AssertionError):
    """A state that was not recovered, with all that is needed to see it again."""


@dataclass
class CrashJudge:
    """Watches one scenario."""

    scenario: LogScenario
    seed: str
    states_per_barrier: int = STATES_PER_BARRIER
    seen: set[int] = field(default_factory=set)
    waiting: list[CrashState] = field(default_factory=list)
    judged: int = 0

    def attach(self) -> None:
        self.random = SeededRandom(f"{self.seed}/crashes")
        self.scenario.files.disk.before_barrier = self._collect
        self.scenario.on_operation = self._judge_waiting

    def _collect(self) -> None:
        self.waiting += self._unseen(self.scenario.files.disk, self.states_per_barrier)

    def _unseen(self, disk: Disk, count: int) -> Iterator[CrashState]:
        for state in crash_states(disk, self.random, count):
            mark = fingerprint(state.disk)
            if mark not in self.seen:
                self.seen.add(mark)
                yield state

    def _judge_waiting(self, *truths: Truth) -> None:
        """The states from inside the operation, and those that are possible now that it is over."""
        for state in self.waiting:
            self._judge(state, truths)
        self.waiting.clear()
        for state in list(self._unseen(self.scenario.files.disk, self.states_per_barrier)):
            self._judge(state, truths[-1:])

    def _judge(self, state: CrashState, truths: Sequence[Truth]) -> None:
        self.judged += 1
        nested: list[CrashState] = []
        try:
            self._judge_recovery(state.disk, truths, nested)
            for inner in nested:
                self.judged += 1
                self._judge_recovery(inner.disk, truths, None)
        except (MoldauError, AssertionError, LookupError, ValueError, TypeError) as error:
            operations = "\n  ".join(self.scenario.operations)
            raise CrashFailure(
                f"seed {self.seed!r}, state {self.judged}: {state.origin}\n  {operations}\n"
                f"{type(error).__name__}: {error}"
            ) from error

    def _judge_recovery(
        self, disk: Disk, truths: Sequence[Truth], nested: list[CrashState] | None
    ) -> None:
        files = SimulatedFiles(self.scenario.clock, disk)
        if nested is not None and not self.random.randrange(0, NESTED_ONE_IN):
            files.disk.before_barrier = lambda: nested.extend(self._unseen(disk, 1))
        machine = start_machine(files, self.scenario.clock, self.scenario.settings)
        files.disk.before_barrier = None
        served = judge(machine.log, truths)
        again = start_machine(
            SimulatedFiles(self.scenario.clock, disk), self.scenario.clock, self.scenario.settings
        )
        found = served_by(again.log)
        assert found == served, f"a second start serves {found} where the first served {served}"
        _check_goes_on(again, served, self.scenario.clock)


def _check_goes_on(machine: Machine, served: Served, clock: SimulatedClock) -> None:
    """A recovered log takes records and serves them."""
    result = machine.log.append_as_leader(batch(0, (b"after",), clock.now_ms()), 1_000)
    assert result.first_offset == served.end, f"goes on at {result.first_offset}"
    assert len(served_by(machine.log).cells) == len(served.cells) + 1
