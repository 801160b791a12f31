"""What a fetch says of its partitions: grouped by topic, as bytes or as slices."""

from __future__ import annotations

from moldau.broker.log.reading import FetchResult
from moldau.broker.log.segment.file_slice import FileSlice
from moldau.broker.log.segment.transaction_index import AbortedTransaction
from moldau.broker.server.fetch.answers import SENDFILE_FROM, answer_of, by_topic, joined, refused
from moldau.broker.server.fetch.fetched import Fetched
from moldau.platform.simulated.files import SimulatedFiles
from moldau.protocol.messages.data.fetch import FetchRequest

Asked = FetchRequest.FetchTopic.FetchPartition


def found(size: int, aborted: list[AbortedTransaction] | None = None) -> FetchResult:
    file = SimulatedFiles().open("log", create=True)
    file.append(bytes(size))
    return FetchResult(FileSlice(file, 0, size), 0, 9, 8, 1, aborted)


def test_neighbours_of_one_topic_stand_together():
    asked = Asked(partition=0, fetch_offset=0, partition_max_bytes=1)
    told = [(Fetched(topic, asked), refused(0, 1)) for topic in "aaba"]
    assert [(one.topic, len(one.partitions)) for one in by_topic(told)] == [
        ("a", 2),
        ("b", 1),
        ("a", 1),
    ]


def test_what_was_grouped_in_parts_is_grouped_as_one():
    asked = Asked(partition=0, fetch_offset=0, partition_max_bytes=1)
    told = [(Fetched(topic, asked), refused(0, 1)) for topic in "aabbbaa"]
    for cut in range(len(told) + 1):
        assert joined(by_topic(told[:cut]), by_topic(told[cut:])) == by_topic(told)


def test_small_slices_are_bytes_and_large_ones_stay_slices():
    assert isinstance(answer_of(0, found(SENDFILE_FROM - 1)).records, bytes)
    assert isinstance(answer_of(0, found(SENDFILE_FROM)).records, FileSlice)


def test_aborted_transactions_are_told_only_where_they_were_asked_for():
    assert answer_of(0, found(1)).aborted_transactions is None
    data = answer_of(0, found(1, [AbortedTransaction(7, 3, 5, 3)]))
    assert data.aborted_transactions is not None
    assert [(one.producer_id, one.first_offset) for one in data.aborted_transactions] == [(7, 3)]
