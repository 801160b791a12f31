"""Records that a share group has delivered, as one Arrow record batch.

The columns are those of a consumer's, and `delivery_count` beside them. Each record has to be known
by itself, since each is acknowledged by itself, so a batch is made of records, and saves its reader
nothing but the making of columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from moldau.client.arguments.consumer import ARROW_COLUMNS
from moldau.client.arrow import FIELDS
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.errors import InvalidArgumentError
from moldau.client.topic_partition import TopicPartition

__all__ = ["batch_of", "places_in"]

PLACE = ("topic", "partition", "offset")
MILLISECONDS = pa.timestamp("ms", tz="UTC")
SCHEMA = pa.schema(
    [*(FIELDS[name] for name in ARROW_COLUMNS), pa.field("delivery_count", pa.int32())]
)


def batch_of(records: Sequence[ConsumerRecord]) -> pa.RecordBatch:
    """A row for each, in their order."""
    arrays = [_column(records, field) for field in SCHEMA]
    return pa.record_batch(arrays, schema=SCHEMA)


def _column(records: Sequence[ConsumerRecord], field: pa.Field) -> pa.Array:
    values = [getattr(record, field.name) for record in records]
    if field.name == "timestamp":
        return pa.array(values, MILLISECONDS).cast(field.type)
    return pa.array(values, field.type)


def places_in(batch: pa.RecordBatch | pa.Table) -> Iterator[tuple[TopicPartition, int]]:
    """Where the records of its rows are; it may be a filtered part of what was returned."""
    missing = [name for name in PLACE if name not in batch.schema.names]
    if missing:
        raise InvalidArgumentError(
            f"a batch whose records are acknowledged has the columns {', '.join(PLACE)}: this one "
            f"lacks {', '.join(missing)}"
        )
    topics, partitions, offsets = (batch.column(name).to_pylist() for name in PLACE)
    for topic, partition, offset in zip(topics, partitions, offsets, strict=True):
        yield TopicPartition(topic, partition), offset
