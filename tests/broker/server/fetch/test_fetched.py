"""What must be reported of a partition in a session: records, news, errors, and their end."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.log.reading import Isolation
from moldau.broker.replica.fetching import Divergence
from moldau.broker.server.fetch.fetched import Fetched, PartitionResponse, reader_of
from moldau.protocol.messages.data.fetch import FetchRequest


def reported(*answers: dict[str, Any]) -> list[bool]:
    """Which of these must stand in the answer, one after the other."""
    asked = FetchRequest.FetchTopic.FetchPartition(
        partition=0, fetch_offset=3, partition_max_bytes=9, last_fetched_epoch=1
    )
    fetched = Fetched("topic", asked)
    are_reported = []
    for answer in answers:
        divergence = answer.pop("divergence", None)
        given = {"high_watermark": 3, "log_start_offset": 0, **answer}
        response = PartitionResponse(fetched, **given)
        response.divergence = divergence
        are_reported.append(fetched.note_reported(response))
    return are_reported


def test_what_has_not_moved_is_reported_once():
    assert reported(
        {}, {}, {"high_watermark": 4}, {"high_watermark": 4, "log_start_offset": 1}
    ) == [
        True,
        False,
        True,
        True,
    ]


def test_records_are_always_reported():
    assert reported({"records": b"r"}, {"records": b"r"}, {}) == [True, True, False]


def test_trouble_is_reported_each_time_and_so_is_its_end():
    assert reported({}, {"error_code": 6}, {"error_code": 6}, {}, {}) == [
        True,
        True,
        True,
        True,
        False,
    ]


def test_where_the_follower_diverges_is_reported_each_time():
    diverging = {"divergence": Divergence(1, 2)}
    assert reported({}, {**diverging}, {**diverging}, {}) == [True] * 4


def reader(version: int, replica_id: int = -1, level: int = 0):
    state = FetchRequest.ReplicaState(replica_id=replica_id)
    request = FetchRequest(
        max_wait_ms=0, min_bytes=0, topics=[], forgotten_topics_data=[], replica_state=state,
        replica_id=replica_id, isolation_level=level,
    )  # fmt: skip
    return reader_of(request, version)


@pytest.mark.parametrize("version", [14, 15])
def test_a_replica_reads_to_the_end_and_from_the_leader(version):
    one = reader(version, replica_id=3)
    assert (one.is_follower, one.isolation, one.leader_only) == (True, Isolation.LOG_END, True)


def test_a_consumer_reads_as_far_as_its_isolation_says():
    assert reader(13, level=1).isolation is Isolation.COMMITTED
    assert reader(13).isolation is Isolation.HIGH_WATERMARK
    assert (reader(10).leader_only, reader(11).leader_only) == (True, False)
