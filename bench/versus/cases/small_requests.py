"""Small requests: so many connections, each with one request on its way.

The virtual machine is warm before anything counts: in the turn that is not counted the same load
runs, on both sides, until two seconds in a row brought no more than 3 % over the best one before,
but at most `WARM_S_MAX` seconds; what it took is written to standard error. The floor is a server
in Python that only echoes, asked by the same generator: what the generator can reach at most.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from bench.versus import meter
from bench.versus.generators.coordinators import await_coordinators
from bench.versus.generators.questions import group
from bench.versus.generators.running import echo_server, generate
from bench.versus.generators.tally import Tally
from bench.versus.goals import REQUESTS
from bench.versus.model import Case, Goal, Run, Sample, Turn
from bench.versus.sides import Side

SECONDS = 1.5
WARM_S_MAX = 20
WARM_INTERVALS = 4
"""Seconds that are asked at once, before one looks whether they still grow faster."""
GAIN = 1.03
MICROSECONDS = 1e6
JUDGED = (10, 20, 200, 800, 1000)
"""Connections for which there is a goal."""


def asking(question: str, connections: int) -> Run:
    """The turn in which this is asked."""

    def run(side: Side, turn: Turn) -> Sample:
        side.create_topic(turn.topic, 1)
        if question == "commit":
            await_coordinators(side.port, (group(turn.topic, each) for each in range(connections)))
        if turn.number == 0:
            return _warm(side, turn, question, connections)
        with side.metered() as spent:
            (found,) = _ask(side.port, question, turn.topic, connections, turn.scale * SECONDS)
        return _sample(found, spent.cpu_s)

    return run


def echoing(question: str, connections: int) -> Run:
    """The turn of a server that does nothing."""

    def run(side: Side, turn: Turn) -> Sample:
        with echo_server() as (process_id, port):
            seconds = turn.scale * SECONDS
            (found,) = _ask(port, question, turn.topic, connections, seconds, 1, "--unread")
            return _sample(found, meter.cpu_s(process_id))

    return run


def _ask(
    port: int,
    question: str,
    topic: str,
    connections: int,
    seconds: float,
    intervals: int = 1,
    *more: str,
) -> list[Tally]:
    options = {"--connections": connections, "--seconds": seconds, "--intervals": intervals}
    words = [str(word) for option in options.items() for word in option]
    tallies = generate("one_at_a_time", port, question, topic, *words, *more)
    return [Tally(**one) for one in tallies]


def _warm(side: Side, turn: Turn, question: str, connections: int) -> Sample:
    rates: list[float] = []
    second = turn.scale
    while len(rates) < WARM_S_MAX and (len(rates) < WARM_INTERVALS or is_growing(rates)):
        found = _ask(side.port, question, turn.topic, connections, second, WARM_INTERVALS)
        rates += [one.per_second for one in found]
    shown = ", ".join(f"{rate:,.0f}" for rate in rates)
    print(f"\r{side.name} warmed up for {len(rates) * second:g} s: {shown} per s", file=sys.stderr)
    return {}


def is_growing(rates: list[float]) -> bool:
    """Whether one of the last two seconds was clearly better than the best before them."""
    *before, second_last, last = rates
    return max(second_last, last) > GAIN * max(before)


def _sample(found: Tally, cpu_s: float) -> Sample:
    return {
        "requests_per_s": found.per_second,
        "cpu_us_per_request": cpu_s / found.count * MICROSECONDS,
        "p50_ms": found.p50_ms,
        "p99_ms": found.p99_ms,
    }


def _case(name: str, says: str, question: str, connections: int, goals: tuple[Goal, ...]) -> Case:
    return Case(
        f"{name}-{connections}",
        f"{says}, {connections} connection{'s' * (connections > 1)}",
        asking(question, connections),
        goals=goals,
        budget_s=18.0,
        floor=echoing(question, connections),
    )


def _cases() -> Iterator[Case]:
    for connections in (1, 10, 200, 800, 1000):
        goals = (REQUESTS,) * (connections in JUDGED)
        says = "one record of 100 bytes at a time, acks=1"
        yield _case("small-produce", says, "produce", connections, goals)
        says = "metadata of one topic, one request at a time"
        yield _case("small-metadata", says, "metadata", connections, goals)
    for connections in (1, 20):
        says = "commits of one offset, one at a time"
        goals = (REQUESTS,) * (connections in JUDGED)
        yield _case("commit", says, "commit", connections, goals)


CASES = tuple(_cases())
