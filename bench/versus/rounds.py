"""Takes turns: warms both sides up, then asks them round by round in an order that alternates.

Both nodes of a run stay up from the first case to the last, so that Apache Kafka's virtual machine
has compiled what it will; while one is asked, the other idles. A case that fails is shown and left,
and the next begins with whatever still runs.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.versus.asking import AskingError
from bench.versus.kinds import ApacheKafka, Moldau, Node
from bench.versus.load import LoadFailedError, LoadMachine
from bench.versus.model import Case, Sample, Turn
from bench.versus.nodes import Nodes
from bench.versus.processes import SetupError
from bench.versus.sides import Side

FLOORS = 3
"""The floor is the same program each time: it needs no more rounds than that."""
FAILURES = (SetupError, LoadFailedError, AskingError, OSError, ValueError, KeyError)
KINDS: tuple[type[Node], ...] = (ApacheKafka, Moldau)
Say = Callable[[str], None]


@dataclass(slots=True)
class Found:
    """The samples of one case; index n of `theirs` and `ours` comes from the same round."""

    case: Case
    theirs: list[Sample] = field(default_factory=list)
    ours: list[Sample] = field(default_factory=list)
    floors: list[Sample] = field(default_factory=list)
    failure: str = ""


class Rounds:
    """Runs cases on two nodes that stay up, or on fresh ones where a case wants them."""

    def __init__(
        self, work: Path, libs: Path, *, rounds: int, scale: float, pace: float = 1.0
    ) -> None:
        self._work = work
        self._nodes = Nodes(work, libs)
        self._java = LoadMachine(libs, work / "load")
        self._rounds = rounds
        self._scale = scale
        self._staying: dict[tuple[type[Node], int], Side] = {}
        self._turns = 0
        self.pace = pace
        """Which part of its budget a case may use, when the whole run is late."""

    def start(self, cases: Iterable[Case]) -> None:
        """What stays of both sides, as far as these cases ask it."""
        for nodes in sorted({case.nodes for case in cases if not case.fresh}):
            for kind in KINDS:
                self._side(kind, nodes)

    def warm_up(self, cases: Iterable[Case], say: Say) -> None:
        """The first minutes of a virtual machine are not its best: they are not counted."""
        for case in cases:
            for kind in KINDS:
                say(f"{kind.name} warms up with {case.name}")
                self._turn(case, kind, 0, f"warm-{case.name}")

    def run(self, case: Case, say: Say) -> Found:
        found = Found(case)
        try:
            self._run(found, say)
        except FAILURES as error:
            found.failure = f"{type(error).__name__}: {error}"
        return found

    def end(self) -> None:
        self._java.end()
        for side in self._staying.values():
            self._nodes.remove(side)
        self._staying.clear()

    def _run(self, found: Found, say: Say) -> None:
        case, began_s = found.case, time.monotonic()
        with self._prepared(case, say) as kept_topic:
            for _ in range(case.warm_turns):
                for kind in KINDS:
                    say(f"{kind.name} warms up")
                    self._turn(case, kind, 0, kept_topic)
            counted_s = time.monotonic()
            for number in range(1, self._rounds + 1):
                if self._is_over_budget(case, number, began_s, counted_s):
                    break
                self._round(found, number, kept_topic, say)

    def _round(self, found: Found, number: int, kept_topic: str, say: Say) -> None:
        for kind in KINDS if number % 2 else reversed(KINDS):
            say(f"{kind.name}, round {number} of {self._rounds}")
            sample, floor = self._turn(found.case, kind, number, kept_topic)
            (found.ours if kind.is_ours else found.theirs).append(sample)
            found.floors += [] if floor is None else [floor]

    def _is_over_budget(self, case: Case, number: int, began_s: float, counted_s: float) -> bool:
        if number <= case.least_rounds:
            return False
        now_s = time.monotonic()
        a_round_s = (now_s - counted_s) / (number - 1)
        return now_s - began_s + a_round_s > case.budget_s * self.pace

    @contextmanager
    def _prepared(self, case: Case, say: Say) -> Iterator[str]:
        kept_topic = f"{case.name}-kept"
        if case.prepare is None:
            yield kept_topic
            return
        sides = [self._side(kind, case.nodes) for kind in KINDS]
        try:
            for side in sides:
                say(f"{side.name} is prepared")
                case.prepare(side, self._new_turn(case, 0, kept_topic))
            yield kept_topic
        finally:
            for side in sides:
                if side.is_up:
                    side.delete_topic(kept_topic)

    def _turn(
        self, case: Case, kind: type[Node], number: int, kept_topic: str
    ) -> tuple[Sample, Sample | None]:
        """Its sample, and the floor's if it is our side's turn and the floor's too."""
        turn = self._new_turn(case, number, kept_topic)
        nodes = case.nodes
        side = self._nodes.new(kind, nodes) if case.fresh else self._side(kind, nodes)
        try:
            sample = case.run(side, turn)
            if kind.is_ours and case.floor is not None and 0 < number <= FLOORS:
                return sample, case.floor(side, turn)
            return sample, None
        finally:
            shutil.rmtree(turn.folder, ignore_errors=True)
            if case.fresh:
                self._nodes.remove(side)
            elif side.is_up:
                side.delete_topic(turn.topic)

    def _new_turn(self, case: Case, number: int, kept_topic: str) -> Turn:
        self._turns += 1
        folder = self._work / f"turn-{self._turns}"
        folder.mkdir()
        topic = f"{case.name}-{self._turns}"
        return Turn(number, topic, folder, self._scale, self._java, kept_topic)

    def _side(self, kind: type[Node], nodes: int) -> Side:
        """The one that stays; in place of one that has died, a new one."""
        side = self._staying.get((kind, nodes))
        if side is None or not side.is_up:
            if side is not None:
                self._nodes.remove(side)
            side = self._staying[kind, nodes] = self._nodes.new(kind, nodes)
            side.start()
        return side
