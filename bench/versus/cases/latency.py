"""One record at a time: the next is sent when the one before was acknowledged; by librdkafka."""

from __future__ import annotations

from bench.versus.floors import answered
from bench.versus.goals import ALONE_P50, ALONE_P99
from bench.versus.load import run_program
from bench.versus.model import Case, Sample, Turn
from bench.versus.sides import Side

RECORD_BYTES = 100
RECORDS = 10_000
FIRST_RECORDS = 1_000


def warm(side: Side, turn: Turn) -> Sample:
    return alone(side, turn, turn.scaled(RECORDS, FIRST_RECORDS))


def first(side: Side, turn: Turn) -> Sample:
    """From the first request on, connecting and finding the leader included."""
    side.start()
    return alone(side, turn, FIRST_RECORDS)


def alone(side: Side, turn: Turn, count: int) -> Sample:
    side.create_topic(turn.topic, 1)
    with side.metered() as spent:
        load = (side.bootstrap, turn.topic, count, RECORD_BYTES)
        found = run_program("bench.versus.clients.one_record", *load)
    return {**found, "cpu_us_per_request": spent.cpu_s / count * 1e6}


def floor(side: Side, turn: Turn) -> Sample:
    return answered(turn, turn.scaled(RECORDS, FIRST_RECORDS), RECORD_BYTES)


CASES = (
    Case(
        "one-record",
        "one record of 100 B at a time, acks 1",
        warm,
        (ALONE_P50, ALONE_P99),
        floor=floor,
    ),
    Case(
        "first-1000",
        "the first 1,000 requests after the start",
        first,
        fresh=True,
        warm_turns=0,
    ),
)
