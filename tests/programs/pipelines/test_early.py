"""A batch is parted into records that are good without doubt, and those that Spark looks at."""

from __future__ import annotations

import pickle
from datetime import timedelta

import pyarrow as pa
import pytest
from pyspark.sql import types

from moldau.programs.pipelines.early import Split, Sure
from tests.programs.pipelines.running import NOON

SCHEMA = types.StructType(
    [
        types.StructField("id", types.LongType()),
        types.StructField("at", types.TimestampType()),
    ]
)
SURE = Sure(schema=SCHEMA, size_max=100, event_time="at", late_after_s=60)


def batch_of(*values):
    count = len(values)
    return pa.RecordBatch.from_pydict(
        {
            "key": pa.array([b"k"] * count),
            "value": pa.array(values, pa.binary()),
            "topic": ["t"] * count,
            "partition": pa.array([0] * count, pa.int32()),
            "offset": pa.array(range(count), pa.int64()),
            "timestamp": pa.array([NOON] * count, pa.timestamp("us", "UTC")),
        }
    )


def value(number, age_s=0):
    at = f"{NOON - timedelta(seconds=age_s):%Y-%m-%dT%H:%M:%SZ}"
    return b'{"id": %d, "at": "%s"}' % (number, at.encode())


def parted(batch, landed=(), sure=SURE):
    split = pickle.loads(pickle.dumps(Split(sure, dict(landed))))
    columns, others = split(batch)
    return columns, others.column("offset").to_pylist()


def test_good_records_have_their_columns_and_their_places():
    columns, others = parted(batch_of(value(5), None, b"no json", value(6, age_s=60)))
    assert others == [1, 2]
    assert columns["offset"].to_pylist() == [0, 3]
    assert columns["value"].to_pylist() == [value(5), value(6, age_s=60)]
    assert columns["row.`id`"].to_pylist() == [5, 6]
    assert columns["row.`at`"].to_pylist() == [NOON, NOON - timedelta(seconds=60)]


def test_late_and_early_records_are_left_and_those_without_a_time_are_neither():
    batch = batch_of(value(1, age_s=61), b'{"id": 2}', value(3, age_s=-60), value(4, age_s=-61))
    assert parted(batch)[1] == [0, 3]


def test_records_that_were_in_a_table_before_are_left():
    batch = batch_of(*[value(number) for number in range(4)])
    assert parted(batch, {"t/0": 1})[1] == [0, 1]
    assert parted(batch, {"t/1": 3})[1] == []


def test_large_records_are_left():
    large = b'{"id": 1, "more": "%s"}' % (b"x" * 100)
    assert parted(batch_of(large, value(1)))[1] == [0]


@pytest.mark.parametrize(
    ("event_time", "is_known"), [("", True), ("at", True), ("id", False), ("none", False)]
)
def test_a_time_that_has_to_be_read_first_is_left_to_spark(event_time, is_known):
    assert Sure(schema=SCHEMA, size_max=9, event_time=event_time).is_known is is_known
