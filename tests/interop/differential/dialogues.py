"""Conversations in which a later question rests on an earlier answer.

A dialogue is a list of steps. A step may learn ids from its answer, by which later steps can name
what each node called it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.fields import fields_of
from moldau.protocol.wire.schema import Request
from tests.interop.differential.aliases import Alias, resolved
from tests.interop.differential.allowed import CLOSED, SILENT
from tests.interop.differential.plain import plain
from tests.interop.differential.running import (
    SETTLE_S,
    Outcome,
    api_of,
    only_looks,
    patience_s,
    unexplained,
)
from tests.interop.differential.side import ClosedError, Side, SilentError

NOT_YET = {
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.CONCURRENT_TRANSACTIONS,
}
TRIES = 100
NO_ID = ""
PAUSE_S = 0.05
Learn = Callable[[Any], Any]


@dataclass(frozen=True)
class Step:
    """One question."""

    request: Request
    version: int
    learns: Mapping[str, Learn] = field(default_factory=dict)
    """Alias → where its id stands in the answer."""
    until: Callable[[Any], bool] = lambda answer: True
    """Asked again until this holds: a node goes on with some of its work after the answer."""
    shows: Callable[[Any], Any] = lambda answer: answer
    """What of the answer, as a plain tree, is compared."""
    hangs_up: bool = False
    """The connection ends with the answer: one that is throttled would rest for minutes."""


Dialogue = Iterator[Step]


def known(name: str, otherwise: Any = "") -> Any:
    return Alias(name, otherwise)


def hold(ours: Side, theirs: Side, dialogue: Dialogue, outcome: Outcome) -> None:
    """Ask both sides all of it, step by step."""
    for step in dialogue:
        ask_both(ours, theirs, step, outcome)


def ask_both(ours: Side, theirs: Side, step: Step, outcome: Outcome) -> tuple[Any, Any]:
    """One question to both sides; what they answer, once they may have settled."""
    outcome.exchanges[api_of(step.request)] += 1
    answers = _ask(ours, step), _ask(theirs, step)
    wrong = unexplained(step.request, step.version, answers)
    if wrong and only_looks(step.request):
        time.sleep(SETTLE_S)
        answers = _ask(ours, step), _ask(theirs, step)
        wrong = unexplained(step.request, step.version, answers)
    for asked in wrong:
        outcome.note(asked)
    return answers


def _ask(side: Side, step: Step) -> Any:
    try:
        answer = _settled(side, resolved(step.request, side), step)
    except ClosedError:
        return CLOSED
    except SilentError:
        return SILENT
    for name, learn in step.learns.items():
        found = learn(answer)
        if found != NO_ID:
            side.ids[name] = found
    return step.shows(plain(answer, step.version, side))


def _settled(side: Side, request: Request, step: Step) -> Any:
    """The answer once the node is done with what was asked before, as a patient client gets it."""
    for _ in range(TRIES):
        answer = side.ask(request, step.version, patience_s(side, request))
        if step.hangs_up:
            side.close()
        if not codes_of(answer) & NOT_YET and step.until(answer):
            break
        time.sleep(PAUSE_S)
    if is_alteration(request) and ErrorCode.NONE in codes_of(answer):
        side.rests_until = time.monotonic() + PAUSE_S
    return answer


def is_alteration(request: Request) -> bool:
    return type(request).__name__.startswith(("Alter", "Incremental"))


def codes_of(struct: Any) -> set[int]:
    """Every error code anywhere in an answer."""
    found = set()
    cls: type = type(struct)
    for of in fields_of(cls):
        value = getattr(struct, of.name)
        if of.name.endswith("error_code"):
            found.add(value)
        for item in value if isinstance(value, list) else [value]:
            if hasattr(item, "unknown_tags"):
                found |= codes_of(item)
    return found
