"""The same requests to both sides, and what came out of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.wire.schema import Request
from tests.interop.differential.aliases import resolved
from tests.interop.differential.allowed import CLOSED, SILENT, Question, may_be_silent, reason_for
from tests.interop.differential.plain import differences, plain
from tests.interop.differential.requests import api_versions, random_request
from tests.interop.differential.side import SILENCE_S, TIMEOUT_S, ClosedError, Side, SilentError

KAFKA = "kafka"
"""The name of its side."""
CHANGED_S = 0.15
"""Kafka answers a change of metadata before its own broker has applied it."""
SETTLE_S = 0.3
"""How long a read waits before it is repeated, where two nodes differ."""
FINAL_EPOCH = -1
"""A fetch outside of any session."""
CHANGING = frozenset({"CreateTopics", "DeleteTopics", "CreatePartitions"})


@dataclass
class Outcome:
    """How many exchanges agreed, and one example of each kind of difference."""

    exchanges: Counter[str] = field(default_factory=Counter)
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)

    def note(self, asked: Question) -> None:
        """A difference that may not be."""
        request, version, path, ours, theirs = asked
        kind = api_of(request), path
        self.kinds[kind] += 1
        example = f"v{version}: ours {short(ours)}, Kafka's {short(theirs)}, for {short(request)}"
        self.examples.setdefault(kind, example)

    def report(self) -> str:
        lines = [f"{sum(self.exchanges.values())} exchanges, {sum(self.kinds.values())} differ"]
        lines += [
            f"{count:6} {api} {path or 'answer'}  {self.examples[api, path]}"
            for (api, path), count in self.kinds.most_common()
        ]
        return "\n".join(lines)


def short(value: Any, most: int = 1500) -> str:
    text = repr(value)
    return text if len(text) <= most else text[:most] + "…"


def exchange(ours: Side, theirs: Side, request: Request, version: int, outcome: Outcome) -> None:
    """Ask both, compare."""
    name = api_of(request)
    outcome.exchanges[name] += 1
    sides = (ours, theirs)
    wrong = unexplained(request, version, [answer_of(side, request, version) for side in sides])
    if wrong and only_looks(request):
        time.sleep(SETTLE_S)
        wrong = unexplained(request, version, [answer_of(side, request, version) for side in sides])
    for asked in wrong:
        outcome.note(asked)
    if name in CHANGING:
        time.sleep(CHANGED_S)


def unexplained(request: Request, version: int, answers: Sequence[Any]) -> list[Question]:
    """Where the two answers differ, and it is not known why they may."""
    api = api_of(request)
    found = (Question(request, version, *one) for one in differences(*answers))
    return [asked for asked in found if reason_for(api, asked) is None]


def api_of(request: Request) -> str:
    return type(request).__name__.removesuffix("Request")


def patience_s(side: Side, request: Request) -> float:
    """How long the answer may take; Kafka's shorter where it may never come."""
    is_known = side.name == KAFKA and may_be_silent(api_of(request), request)
    return SILENCE_S if is_known else TIMEOUT_S


def only_looks(request: Request) -> bool:
    """Whether it can be asked again: a node may take its time to apply what it decided."""
    if isinstance(request, FetchRequest):
        return request.session_epoch == FINAL_EPOCH
    looks = ("ApiVersions", "Describe", "List", "Metadata", "OffsetFetch")
    return type(request).__name__.startswith(looks)


def answer_of(side: Side, request: Request, version: int) -> Any:
    try:
        answer = side.ask(resolved(request, side), version, patience_s(side, request))
        return plain(answer, version, side)
    except ClosedError:
        return CLOSED
    except SilentError:
        return SILENT


def questions(random: SeededRandom, count: int) -> Iterator[tuple[Request, int]]:
    """Every API and version in turn; those that change topics less often, for they are slow."""
    pairs = list(api_versions())
    while count > 0:
        for request, version in pairs:
            name = request.__name__.removesuffix("Request")
            if name in CHANGING and random.random() < 0.8:
                continue
            yield random_request(random, request, version), version
            count -= 1
