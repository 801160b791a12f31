"""Which columns become what of a record: those that Spark's Kafka connector takes.

    value      bytes or text; needed
    key        bytes or text
    topic      text; needed unless the option `topic` names one for all
    partition  a number; null: by the key
    headers    array<struct<key: string, value: binary>>
    timestamp  when it happened; null: now. Spark's own connector has no such column

Others are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from moldau.spark.errors import OptionError

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

__all__ = ["TYPES", "by_topic", "ensure_writable"]

HEADERS = "array<struct<key:string,value:binary>>"
TYPES = {
    "value": ("binary", "string"),
    "key": ("binary", "string"),
    "topic": ("string",),
    "partition": ("int", "smallint", "tinyint"),
    "headers": (HEADERS,),
    "timestamp": ("timestamp",),
}
TOPIC = "topic"
NOWHERE = "a row has no topic: set the option topic, or leave out rows whose column topic is null"


def ensure_writable(schema: StructType, topic: str) -> None:
    """Refuse, before anything is written, columns that make no records."""
    given = {column.name: column.dataType.simpleString() for column in schema.fields}
    if "value" not in given:
        raise OptionError(
            f"records need a column value, and there are only {', '.join(given) or 'none'}: make"
            " one, as with to_json(struct(…)) as value"
        )
    if TOPIC not in given and not topic:
        raise OptionError("no topic is named: set the option topic, or have a column topic")
    for name, types in TYPES.items():
        if name in given and given[name] not in types:
            raise OptionError(
                f"the column {name} is {given[name]} and has to be {' or '.join(types)}: cast it"
            )


def by_topic(batch: pa.RecordBatch, topic: str) -> Iterator[tuple[str, pa.RecordBatch]]:
    """The rows of each topic, in their order, with the columns that records have."""
    records = batch.select([name for name in batch.schema.names if name in TYPES and name != TOPIC])
    if topic or TOPIC not in batch.schema.names:
        yield topic, records
        return
    names = batch.column(TOPIC)
    for name in pc.unique(names).to_pylist():
        if not name:
            raise OptionError(NOWHERE)
        yield name, records.filter(pc.equal(names, name))
