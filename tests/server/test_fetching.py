"""Answers of fetches: grouping, limits and who reads how far."""

from __future__ import annotations

import pytest

from moldau.log.reading import FetchResult, Isolation
from moldau.log.segment.file_slice import FileSlice
from moldau.log.segment.transaction_index import AbortedTransaction
from moldau.messages.data.fetch import FetchRequest
from moldau.server.fetch_sessions import Fetched, PartitionAnswer
from moldau.server.fetching import SENDFILE_FROM, answer_of, by_topic, reader_of, refused
from moldau.simulated.files import SimulatedFiles

Asked = FetchRequest.FetchTopic.FetchPartition


def found(size: int, aborted: list[AbortedTransaction] | None = None) -> FetchResult:
    file = SimulatedFiles().open("log", create=True)
    file.append(bytes(size))
    return FetchResult(FileSlice(file, 0, size), 0, 9, 8, 1, aborted)


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


def test_neighbours_of_one_topic_stand_together():
    asked = Asked(partition=0, fetch_offset=0, partition_max_bytes=1)
    told = [PartitionAnswer(Fetched(topic, asked), refused(0, 1)) for topic in "aaba"]
    assert [(one.topic, len(one.partitions)) for one in by_topic(told)] == [
        ("a", 2),
        ("b", 1),
        ("a", 1),
    ]


def test_small_slices_are_bytes_and_large_ones_stay_slices():
    assert isinstance(answer_of(0, found(SENDFILE_FROM - 1)).records, bytes)
    assert isinstance(answer_of(0, found(SENDFILE_FROM)).records, FileSlice)


def test_aborted_transactions_are_told_only_where_they_were_asked_for():
    assert answer_of(0, found(1)).aborted_transactions is None
    data = answer_of(0, found(1, [AbortedTransaction(7, 3, 5, 3)]))
    assert data.aborted_transactions is not None
    assert [(one.producer_id, one.first_offset) for one in data.aborted_transactions] == [(7, 3)]
