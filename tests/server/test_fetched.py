"""What must be told of a partition in a session: records, news, trouble, and the end of trouble."""

from __future__ import annotations

from typing import Any

from moldau.messages.data.fetch import FetchRequest
from moldau.server.fetched import Fetched, PartitionData


def told(*answers: dict[str, Any]) -> list[bool]:
    """Which of these must stand in the answer, one after the other."""
    asked = FetchRequest.FetchTopic.FetchPartition(
        partition=0, fetch_offset=3, partition_max_bytes=9, last_fetched_epoch=1
    )
    fetched = Fetched("topic", asked)
    given = {"partition_index": 0, "high_watermark": 3, "log_start_offset": 0, "records": b""}
    return [
        fetched.note_told(PartitionData(**{"error_code": 0, **given, **answer}))
        for answer in answers
    ]


def test_what_has_not_moved_is_told_once():
    assert told({}, {}, {"high_watermark": 4}, {"high_watermark": 4, "log_start_offset": 1}) == [
        True,
        False,
        True,
        True,
    ]


def test_records_are_always_told():
    assert told({"records": b"r"}, {"records": b"r"}, {}) == [True, True, False]


def test_trouble_is_told_each_time_and_so_is_its_end():
    assert told({}, {"error_code": 6}, {"error_code": 6}, {}, {}) == [True, True, True, True, False]


def test_where_the_asker_diverges_is_told_each_time():
    diverging = {"diverging_epoch": PartitionData.EpochEndOffset(epoch=1, end_offset=2)}
    assert told({}, diverging, diverging, {}) == [True] * 4
