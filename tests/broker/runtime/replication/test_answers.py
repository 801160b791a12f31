"""What an answer asks for."""

from __future__ import annotations

import pytest

from moldau.broker.replica.fetching import Divergence
from moldau.broker.replica.following import LeaderEnds
from moldau.broker.runtime.replication.answers import (
    Demand,
    demand_of,
    divergence_in,
    each_answer,
    leader_ends,
)
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.runtime.replication.follower_world import Data, Topic, diverging


def data(**fields):
    return Data(partition_index=0, records=b"", **{"error_code": 0, "high_watermark": 3, **fields})


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
    assert demand_of(data(error_code=code)) is demand


def test_a_diverging_epoch_asks_for_a_cut():
    told = data(diverging_epoch=diverging(4, 9))
    assert (demand_of(told), divergence_in(told)) == (Demand.CUT, Divergence(4, 9))


def test_the_ends_are_the_leaders():
    assert leader_ends(data(log_start_offset=2)) == LeaderEnds(3, 2)


def test_each_answer_goes_with_its_partition():
    topics = [Topic(topic_id=letter * 16, partitions=[data()]) for letter in (b"a", b"b")]
    response = FetchResponse(error_code=0, session_id=0, responses=topics)
    assert [key for key, _ in each_answer(response)] == [(b"a" * 16, 0), (b"b" * 16, 0)]
