"""Tables of Arrow become batches of records."""

from __future__ import annotations

from collections import defaultdict

import duckdb
import polars
import pyarrow as pa
import pytest

from moldau.client.arrow_sending import ArrowSender
from moldau.client.core.producing.batch import ProducerBatch
from moldau.client.core.producing.murmur2 import keyed_partition
from moldau.client.errors import InvalidArgumentError, RecordTooLargeError, UnknownTopicError
from moldau.protocol.records.record import Record, iterate_records
from tests.client.core.producing.made import settings_of


def packed(table: pa.Table, count: int = 4, **settings: str) -> list[ProducerBatch]:
    sender = ArrowSender("t", count, settings_of(**settings))
    return [batch for run in sender.runs(table) for batch in sender.pack(run, 77)]


def by_partition(batches: list[ProducerBatch]) -> dict[int, list[Record]]:
    found: dict[int, list[Record]] = defaultdict(list)
    for batch in batches:
        found[batch.part.partition] += iterate_records(batch.records)
    return dict(found)


def test_rows_go_by_their_keys_in_their_order():
    keys = [None if number % 7 == 0 else b"k%d" % (number % 5) for number in range(200)]
    table = pa.table({"key": keys, "value": [b"%d" % number for number in range(200)]})
    found = by_partition(packed(table))
    for partition, records in found.items():
        where = {-1 if one.key is None else keyed_partition(one.key, 4) for one in records}
        assert where == {partition}
        order = [int(one.value or b"") for one in records]
        assert order == sorted(order)
    assert sum(map(len, found.values())) == 200


def test_a_partition_that_is_given_counts_more_than_the_key():
    table = pa.table({"key": [b"a", b"a"], "value": [b"1", b"2"], "partition": [3, None]})
    found = by_partition(packed(table))
    assert found[3][0].value == b"1"
    assert found[keyed_partition(b"a", 4)][-1].value == b"2"


def test_rows_without_a_key_may_go_anywhere():
    table = pa.table({"value": ["a", None]})
    found = by_partition(packed(table))
    assert [one.value for one in found[-1]] == [b"a", None]
    assert [one.timestamp for one in found[-1]] == [77, 77]


def test_librdkafkas_hash_is_there_too():
    table = pa.table({"key": [b"a", b""], "value": [b"1", b"2"]})
    assert -1 in by_partition(packed(table, partitioner="consistent_random"))


def test_a_slice_of_a_table_has_its_own_keys():
    table = pa.table({"key": [b"x%d" % number for number in range(50)], "value": ["v"] * 50})
    for partition, records in by_partition(packed(table.slice(20, 10))).items():
        assert {keyed_partition(one.key or b"", 4) for one in records} == {partition}


def test_a_large_table_comes_in_pieces_that_the_buffer_holds():
    table = pa.table({"value": [b"x" * 100] * 1000})
    sender = ArrowSender("t", 1, settings_of(buffer_memory="40000"))
    assert max(run.nbytes for run in sender.runs(table)) <= 11_000


def test_what_cannot_be_sent_is_named():
    with pytest.raises(InvalidArgumentError, match="has a column value"):
        packed(pa.table({"key": [b"k"]}))
    with pytest.raises(UnknownTopicError, match="has no partition 9"):
        packed(pa.table({"value": [b"v"], "partition": [9]}))
    with pytest.raises(InvalidArgumentError, match="column of numbers"):
        packed(pa.table({"value": [b"v"], "partition": ["1"]}))
    with pytest.raises(InvalidArgumentError, match="column value is int64 and cannot become"):
        packed(pa.table({"value": [1, 2]}))
    with pytest.raises(InvalidArgumentError, match="column key is double and cannot become"):
        packed(pa.table({"value": [b"v"], "key": [1.5]}))


@pytest.mark.parametrize(
    ("size", "given", "setting"),
    [(5000, {"max_request_size": "2000"}, "max.request.size"), (600_000, {}, "batch.size")],
)
def test_a_record_that_is_too_large_is_measured_alone_and_the_setting_is_named(
    size, given, setting
):
    table = pa.table({"value": [b"v" * size, b"small"]})
    with pytest.raises(RecordTooLargeError, match=f"is larger than {setting} allows") as caught:
        packed(table, **given)
    assert size < caught.value.size < size + 20


FRAME = polars.DataFrame({"key": ["a", None, "a"], "value": ["1", "2", None]})


@pytest.mark.parametrize(
    "frame",
    [
        FRAME,
        FRAME.with_columns(polars.col("value").cast(polars.Categorical)),
        FRAME.with_columns(polars.col("key", "value").cast(polars.Binary)),
        FRAME.to_arrow().to_reader(),
        FRAME.to_pandas(),
        pa.table(FRAME).to_batches()[0],
        duckdb.from_arrow(FRAME.to_arrow()),
    ],
    ids=["polars", "categories", "bytes", "reader", "pandas", "batch", "duckdb"],
)
def test_frames_of_other_libraries_are_taken_as_they_are(frame):
    records = [record for rows in by_partition(packed(frame)).values() for record in rows]
    rows = sorted((record.value or b"", record.key) for record in records)
    assert rows == [(b"", b"a"), (b"1", b"a"), (b"2", None)]


def test_what_is_no_table_is_named():
    with pytest.raises(InvalidArgumentError, match="and not list"):
        packed([1])
    with pytest.raises(InvalidArgumentError, match="this Series is no table"):
        packed(FRAME["value"])
