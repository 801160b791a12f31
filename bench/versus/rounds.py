"""Takes turns: warms both sides up, then asks them round by round in an order that alternates."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench.versus.load import LoadMachine
from bench.versus.model import Case, Sample, Turn
from bench.versus.sides import ApacheKafka, Moldau, Nodes, Side

LEAST_ROUNDS = 3
Tell = Callable[[str], None]


@dataclass(slots=True)
class Found:
    """The samples of one case; index n of both lists comes from the same round."""

    case: Case
    theirs: list[Sample] = field(default_factory=list)
    ours: list[Sample] = field(default_factory=list)
    floors: list[Sample] = field(default_factory=list)


class Rounds:
    """Runs cases on two nodes that stay up, or on fresh ones where a case wants them."""

    def __init__(
        self, work: Path, libs: Path, *, rounds: int, scale: float, tell: Tell = print
    ) -> None:
        self._work = work
        self._nodes = Nodes(work, libs)
        self._java = LoadMachine(libs, work / "load")
        self._rounds = rounds
        self._scale = scale
        self._tell = tell
        self._staying: dict[type[Side], Side] = {}
        self._turns = 0

    def run(self, case: Case) -> Found:
        found = Found(case)
        began_s = time.monotonic()
        for _ in range(case.warm_turns):
            for kind in (ApacheKafka, Moldau):
                self._tell(f"{case.name}: {kind.name} warms up")
                self._turn(case, kind, 0)
        counted_s = time.monotonic()
        for number in range(1, self._rounds + 1):
            if self._is_over_budget(case, number, began_s, counted_s):
                break
            self._round(found, number)
        return found

    def end(self) -> None:
        self._java.end()
        for side in self._staying.values():
            self._nodes.remove(side)
        self._staying.clear()

    def _round(self, found: Found, number: int) -> None:
        order = (ApacheKafka, Moldau) if number % 2 else (Moldau, ApacheKafka)
        for kind in order:
            self._tell(f"{found.case.name}: {kind.name}, round {number} of {self._rounds}")
            sample = self._turn(found.case, kind, number)
            (found.ours if kind.is_ours else found.theirs).append(sample)

    def _is_over_budget(self, case: Case, number: int, began_s: float, counted_s: float) -> bool:
        if number <= LEAST_ROUNDS:
            return False
        now_s = time.monotonic()
        a_round_s = (now_s - counted_s) / (number - 1)
        return now_s - began_s + a_round_s > case.budget_s

    def _turn(self, case: Case, kind: type[Side], number: int) -> Sample:
        self._turns += 1
        folder = self._work / f"turn-{self._turns}"
        folder.mkdir()
        topic = f"{case.name}-{self._turns}"
        side = self._nodes.new(kind) if case.fresh else self._side(kind)
        try:
            return case.run(side, Turn(number, topic, folder, self._scale, self._java))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            if case.fresh:
                self._nodes.remove(side)
            elif side.is_up:
                side.delete_topic(topic)

    def _side(self, kind: type[Side]) -> Side:
        if kind not in self._staying:
            self._staying[kind] = self._nodes.new(kind)
            self._staying[kind].start()
        return self._staying[kind]
