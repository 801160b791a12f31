"""The core of a producer between brokers in trouble: each record is acknowledged where it is."""

from __future__ import annotations

import pytest

from tests.simulation.sender_scenario import Result, sent

pytestmark = pytest.mark.simulation

SCENARIOS = 20
SCENARIOS_LONG = 2_000


def judge(result: Result) -> None:
    """What was given up may be there or not, and later; nothing is there twice."""
    offsets: list[list[int]] = [[] for _ in result.logs]
    for value, delivery in result.sent:
        assert delivery.is_done, f"{value!r} has neither arrived nor failed"
        if delivery.error() is None:
            offset = delivery.metadata().offset
            log = result.logs[delivery.partition]
            assert log[offset : offset + 1] == [value], f"{value!r} is not at {offset}"
            offsets[delivery.partition].append(offset)
    for log, of_its_records in zip(result.logs, offsets, strict=True):
        assert len(log) == len(set(log)), "a record is there twice"
        assert of_its_records == sorted(of_its_records), "out of order"
    for delivery in result.last:
        assert delivery.error() is None, f"nothing arrives any more: {delivery.error()}"


def test_what_is_acknowledged_is_there_and_nothing_twice_or_out_of_order(seed, volume):
    for number in range(volume(SCENARIOS, SCENARIOS_LONG)):
        try:
            judge(sent(seed + number))
        except AssertionError as error:
            raise AssertionError(f"seed {seed + number}: {error}") from error


def test_the_same_seed_gives_the_same_events(seed):
    assert sent(seed).mark == sent(seed).mark
