"""The core of a producer between brokers in trouble: each record is acknowledged where it is."""

from __future__ import annotations

import pytest

from tests.simulation.sender_story import Told, sent

pytestmark = pytest.mark.simulation

STORIES = 20
STORIES_LONG = 2_000


def judge(told: Told) -> None:
    """What was given up may be there or not, and later; nothing is there twice."""
    offsets: list[list[int]] = [[] for _ in told.logs]
    for value, delivery in told.sent:
        assert delivery.is_done, f"{value!r} has neither arrived nor failed"
        if delivery.error() is None:
            offset = delivery.metadata().offset
            log = told.logs[delivery.partition]
            assert log[offset : offset + 1] == [value], f"{value!r} is not at {offset}"
            offsets[delivery.partition].append(offset)
    for log, of_its_records in zip(told.logs, offsets, strict=True):
        assert len(log) == len(set(log)), "a record is there twice"
        assert of_its_records == sorted(of_its_records), "out of order"
    for delivery in told.last:
        assert delivery.error() is None, f"nothing arrives any more: {delivery.error()}"


def test_what_is_acknowledged_is_there_and_nothing_twice_or_out_of_order(seed, volume):
    for number in range(volume(STORIES, STORIES_LONG)):
        try:
            judge(sent(seed + number))
        except AssertionError as error:
            raise AssertionError(f"seed {seed + number}: {error}") from error


def test_the_same_seed_tells_the_same_story(seed):
    assert sent(seed).mark == sent(seed).mark
