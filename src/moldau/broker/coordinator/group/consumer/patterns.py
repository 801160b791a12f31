"""Patterns of topic names, matched in time that grows with the name's length alone.

A pattern comes from a client, so it must not be able to cost us much. It becomes an automaton whose
states are walked all at once (K. Thompson, 1968): there is no going back, and so no pattern that
takes ages. Sets of states that have been met are remembered with where each character leads, so
that with many names most steps are one look into a table.
"""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache

from moldau.broker.coordinator.group.consumer.pattern_classes import WORD, Chars
from moldau.broker.coordinator.group.consumer.pattern_syntax import (
    Border,
    Choice,
    Node,
    One,
    PatternError,
    Repeat,
    Sequence,
    read_pattern,
)
from moldau.errors import KafkaError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.error_codes import ErrorCode

STATES_MAX = 20_000
"""Repetitions are written out, so that short patterns may have many states."""
REMEMBERED_SETS = 2_000
"""Of states, for each pattern; then it is begun anew."""
REMEMBERED_PATTERNS = 100

States = frozenset[int]


@dataclass(slots=True)
class _State:
    """Where to go from here: without a character, at a border, or with one of these characters."""

    free: list[int] = field(default_factory=list)
    borders: list[tuple[Border, int]] = field(default_factory=list)
    chars: Chars | None = None
    following: int = 0


class Pattern:
    """A regular expression that has to match a whole name."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._states: list[_State] = []
        self._start = self._add()
        self._end = self._build(read_pattern(text), self._start)
        self._steps: dict[tuple[States, str, str], States] = {}

    def __repr__(self) -> str:
        return f"Pattern({self.text!r}, {len(self._states)} states)"

    def matches(self, name: str) -> bool:
        """Whether the pattern describes this name, all of it."""
        states: States = frozenset((self._start,))
        before = ""
        for char in name:
            states = self._step(states, before, char)
            if not states:
                return False
            before = char
        return self._end in self._closure(states, before, "")

    # Walking.

    def _step(self, states: States, before: str, char: str) -> States:
        """The states after this character."""
        key = states, before, char
        found = self._steps.get(key)
        if found is None:
            if len(self._steps) >= REMEMBERED_SETS:
                self._steps.clear()
            here = (self._states[state] for state in self._closure(states, before, char))
            found = self._steps[key] = frozenset(
                state.following for state in here if state.chars is not None and char in state.chars
            )
        return found

    def _closure(self, states: States, before: str, after: str) -> set[int]:
        """With all states that can be reached between these two characters."""
        reached: set[int] = set()
        waiting = list(states)
        while waiting:
            number = waiting.pop()
            if number in reached:
                continue
            reached.add(number)
            state = self._states[number]
            waiting += state.free
            waiting += [to for border, to in state.borders if _is_at(border, before, after)]
        return reached

    # Building.

    def _add(self) -> int:
        if len(self._states) >= STATES_MAX:
            raise PatternError("the pattern is too large")
        self._states.append(_State())
        return len(self._states) - 1

    def _build(self, node: Node, start: int) -> int:
        """Add the states of this node behind `start`; the last one is returned."""
        match node:
            case One(chars):
                end = self._add()
                here = self._add()
                self._states[start].free.append(here)
                self._states[here].chars, self._states[here].following = chars, end
                return end
            case Border():
                end = self._add()
                self._states[start].borders.append((node, end))
                return end
            case Sequence(parts):
                for part in parts:
                    start = self._build(part, start)
                return start
            case Choice(options):
                ends = [self._build(option, start) for option in options]
                return self._join(ends)
            case Repeat(part, least, most):
                return self._repeat(part, least, most, start)

    def _repeat(self, part: Node, least: int, most: int | None, start: int) -> int:
        for _ in range(least):
            start = self._build(part, start)
        if most is None:
            begin = self._join([start])
            self._states[self._build(part, begin)].free.append(begin)
            return self._join([begin])
        ends = [start]
        for _ in range(most - least):
            start = self._build(part, start)
            ends.append(start)
        return self._join(ends)

    def _join(self, ends: list[int]) -> int:
        joint = self._add()
        for end in ends:
            self._states[end].free.append(joint)
        return joint


def _is_at(border: Border, before: str, after: str) -> bool:
    match border:
        case Border.BEGIN:
            return not before
        case Border.END:
            return not after
        case Border.WORD:
            return (before in WORD) != (after in WORD)
        case Border.NO_WORD:
            return (before in WORD) == (after in WORD)


@lru_cache(maxsize=REMEMBERED_PATTERNS)
def parse_pattern(text: str) -> Pattern:
    """The pattern, or INVALID_REGULAR_EXPRESSION."""
    try:
        return Pattern(text)
    except PatternError as error:
        raise KafkaError(
            ErrorCode.INVALID_REGULAR_EXPRESSION,
            f"The pattern {text!r} is no regular expression of RE2: {error}.",
        ) from error
