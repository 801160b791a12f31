"""Records of a share group as columns."""

from __future__ import annotations

from datetime import UTC, datetime

import pyarrow as pa
import pytest

from moldau.client.arguments.consumer import ARROW_COLUMNS
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.errors import InvalidArgumentError
from moldau.client.share_arrow import batch_of, places_in
from moldau.client.topic_partition import TopicPartition

RECORDS = [
    ConsumerRecord("t", 1, 5, 1000, b"k", b"7", (("trace", b"1"), ("none", None)), 0, 0, 2),
    ConsumerRecord("t", 0, 6, 2000, None, None, (), 0, 0, 1),
]


def test_a_batch_has_a_consumers_columns_and_how_often_each_record_was_delivered():
    batch = batch_of(RECORDS)
    assert batch.schema.names == [*ARROW_COLUMNS, "delivery_count"]
    assert batch.to_pylist() == [
        {
            "key": b"k",
            "value": b"7",
            "topic": "t",
            "partition": 1,
            "offset": 5,
            "timestamp": datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC),
            "headers": [{"key": "trace", "value": b"1"}, {"key": "none", "value": None}],
            "delivery_count": 2,
        },
        {
            "key": None,
            "value": None,
            "topic": "t",
            "partition": 0,
            "offset": 6,
            "timestamp": datetime(1970, 1, 1, 0, 0, 2, tzinfo=UTC),
            "headers": [],
            "delivery_count": 1,
        },
    ]


def test_rows_know_their_places_also_where_some_were_filtered_out():
    table = pa.Table.from_batches([batch_of(RECORDS)]).slice(1)
    assert list(places_in(table)) == [(TopicPartition("t", 0), 6)]


def test_a_batch_without_places_is_refused():
    with pytest.raises(InvalidArgumentError, match="lacks topic, offset"):
        list(places_in(batch_of(RECORDS).select(["value", "partition"])))
