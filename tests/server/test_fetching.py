"""Who reads how far."""

from __future__ import annotations

import pytest

from moldau.log.reading import Isolation
from moldau.messages.data.fetch import FetchRequest
from moldau.server.fetching import reader_of


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
