"""The columns of records, typed as in Spark's Kafka source.

Topic and partition are the caller's, which has read the bytes. Keys and values are
`binary_view`: a caller that needs `binary` casts the record batch and copies the payload then.
"""

from __future__ import annotations

import pyarrow as pa

HEADER_TYPE = pa.struct(
    [pa.field("key", pa.string(), nullable=False), pa.field("value", pa.binary_view())]
)
HEADERS_TYPE = pa.list_(pa.field("item", HEADER_TYPE, nullable=False))

SCHEMA = pa.schema(
    [
        pa.field("key", pa.binary_view()),
        pa.field("value", pa.binary_view()),
        pa.field("headers", HEADERS_TYPE, nullable=False),
        pa.field("offset", pa.int64(), nullable=False),
        pa.field("timestamp", pa.timestamp("ms", tz="UTC"), nullable=False),
        pa.field("timestamp_type", pa.int32(), nullable=False),
    ]
)

EXTRA_COLUMNS = {
    "leader_epoch": pa.field("leader_epoch", pa.int32(), nullable=False),
    "producer_id": pa.field("producer_id", pa.int64(), nullable=False),
    "producer_epoch": pa.field("producer_epoch", pa.int16(), nullable=False),
    "sequence": pa.field("sequence", pa.int32(), nullable=False),
}
"""For a few readers: fields of the batch, repeated; -1 where it has none."""
