"""Heartbeats that contradict themselves."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.consumer.validation import check_heartbeat
from moldau.errors import KafkaError
from tests.broker.coordinator.group.consumer.conversation import beat, join

INVALID_REQUEST, UNSUPPORTED_ASSIGNOR = 42, 112


def code_of(asked) -> int:
    try:
        check_heartbeat(asked.request, asked.version, ("uniform", "range"))
    except KafkaError as error:
        return error.code
    return 0


@pytest.mark.parametrize(
    "asked",
    [
        join(""),
        join(group=" "),
        join(instance=""),
        join(rack=""),
        beat("m", 0, topics=["t"], owned={}),
        beat("m", 0, topics=["t"], rebalance_ms=1),
        beat("m", 0, topics=["t"], owned={"t": [0]}, rebalance_ms=1),
        beat("m", 0, owned={}, rebalance_ms=1),
        beat("m", -2),
        beat("m", -3),
        beat("", 4, version=0),
    ],
)
def test_what_lacks_or_contradicts_is_refused(asked):
    assert code_of(asked) == INVALID_REQUEST


@pytest.mark.parametrize(
    "asked", [join(), join("", version=0), beat("m", 3), beat("m", -1), join(pattern="t.*")]
)
def test_what_makes_sense_passes(asked):
    assert code_of(asked) == 0


def test_an_assignor_that_is_not_here_is_refused():
    assert code_of(join(assignor="sticky")) == UNSUPPORTED_ASSIGNOR
    assert code_of(join(assignor="range")) == 0
