"""What an answer asks for."""

from __future__ import annotations

import pytest

from moldau.broker.replica.fetching import Divergence
from moldau.broker.runtime.replication.answers import Demand, PartitionAnswer, demand_of
from moldau.protocol.wire.error_codes import ErrorCode


def of(code=0, divergence=None):
    return PartitionAnswer(b"a" * 16, 0, code, 3, 0, divergence, memoryview(b""))


@pytest.mark.parametrize(
    ("code", "demand"),
    [
        (ErrorCode.NONE, Demand.APPEND),
        (ErrorCode.OFFSET_OUT_OF_RANGE, Demand.FIND_RANGE),
        (ErrorCode.FENCED_LEADER_EPOCH, Demand.WAIT_FOR_METADATA),
        (ErrorCode.UNKNOWN_LEADER_EPOCH, Demand.PAUSE),
        (ErrorCode.NOT_LEADER_OR_FOLLOWER, Demand.PAUSE),
        (12345, Demand.PAUSE),
    ],
)
def test_each_error_asks_for_something(code, demand):
    assert demand_of(of(code)) is demand


def test_a_diverging_epoch_asks_for_a_cut():
    assert demand_of(of(divergence=Divergence(4, 9))) is Demand.CUT


def test_an_error_counts_more_than_a_divergence():
    assert demand_of(of(ErrorCode.FENCED_LEADER_EPOCH, Divergence(4, 9))) is (
        Demand.WAIT_FOR_METADATA
    )
