"""Many small fetches: 50 consumers, each with a session over the same 20 partitions.

Forty records a second go to one partition after the other, and each wakes every consumer. So both
sides answer some 2,000 fetches a second, which is less than they could; what differs is what a
fetch costs, and how long a record is on its way to a consumer.
"""

from __future__ import annotations

from bench.versus.generators.running import generate
from bench.versus.generators.tally import Tally
from bench.versus.model import Case, Sample, Turn
from bench.versus.sides import Side

PARTITIONS, CONSUMERS, RATE = 20, 50, 40
SECONDS = 2.0
WARM_S = 10.0
MICROSECONDS = 1e6


def run(side: Side, turn: Turn) -> Sample:
    side.create_topic(turn.topic, PARTITIONS)
    seconds = turn.scale * (SECONDS if turn.number else WARM_S)
    options = {
        "--partitions": PARTITIONS,
        "--consumers": CONSUMERS,
        "--rate": RATE,
        "--seconds": seconds,
    }
    words = [word for option in options.items() for word in option]
    with side.metered() as spent:
        (tally,) = generate("fetch_sessions", side.port, turn.topic, *words)
    found = Tally(**tally)
    return {
        "requests_per_s": found.per_second,
        "cpu_us_per_request": spent.cpu_s / found.count * MICROSECONDS,
        "p50_ms": found.p50_ms,
        "p99_ms": found.p99_ms,
    }


CASES = (
    Case(
        "fetch-sessions",
        "50 consumers with sessions over 20 partitions, 40 records per second trickle in",
        run,
        budget_s=50.0,
    ),
)
