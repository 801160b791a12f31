"""Heartbeats that contradict themselves."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.consumer.validation import check_heartbeat
from moldau.errors import KafkaError
from tests.broker.coordinator.group.consumer.conversation import beat, join

INVALID_REQUEST, UNSUPPORTED_ASSIGNOR = 42, 112


def message_of(asked) -> str:
    with pytest.raises(KafkaError) as refused:
        check_heartbeat(asked.request, asked.version, ("uniform", "range"))
    return refused.value.message or ""


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


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (join(group=""), "GroupId can't be empty."),
        (join(""), "MemberId can't be empty."),
        (
            join(assignor="sticky"),
            "ServerAssignor sticky is not supported. Supported assignors: uniform, range.",
        ),
        (beat("m", -3), "MemberEpoch is -3, but must be greater than or equal to -2."),
    ],
)
def test_the_sentence_is_that_of_kafka(asked, message):
    assert message_of(asked) == message
