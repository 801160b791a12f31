"""The topics that a pipeline writes to, each batch once.

Every topic has a writer of its own for each query, so a batch that comes again after some of its
topics were written does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from moldau.errors import MoldauError
from moldau.programs.pipelines.route import Route
from moldau.spark.sink.options import sink_options
from moldau.spark.sink.topic import make_compacted
from moldau.spark.sink.writers import TopicWriter

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.datasource import WriterCommitMessage

__all__ = ["OutputTopics", "as_json", "make_compacted_topic"]

FORMAT = "moldau"
CLIENT = "kafka."


class OutputTopics:
    """The topics that a pipeline writes to, on the cluster that it reads from."""

    def __init__(
        self,
        bootstrap: str,
        source: Mapping[str, str],
        query_id: str,
        begin: Callable[[str], None] = lambda step: None,
    ) -> None:
        client = {name: text for name, text in source.items() if name.startswith(CLIENT)}
        self._where = {"kafka.bootstrap.servers": bootstrap, **client}
        self._query_id = query_id
        self._begin = begin

    def __repr__(self) -> str:
        return f"<OutputTopics of {self._query_id}>"

    def send(self, topic: str, rows: DataFrame, batch: int) -> None:
        """Rows with a `value`, and whatever else records have; once for each batch."""
        self._begin(f"writing to topic {topic}")
        writer = rows.write.format(FORMAT).mode("append").options(**self._once(topic, batch))
        writer.save()

    def send_few(self, topic: str, rows: pa.Table, batch: int) -> None:
        """The same for rows that are in memory here: no task of Spark is started for them."""
        self._begin(f"writing to topic {topic}")
        options = sink_options(self._once(topic, batch))
        schema = from_arrow_schema(rows.schema)
        assert isinstance(schema, StructType)
        writer = TopicWriter(options, schema, overwrite=False)
        sent: list[WriterCommitMessage | None] = []
        if rows.num_rows:
            sent.append(writer.write(iter(rows.to_batches())))
        try:
            writer.commit(sent)
        except MoldauError:
            writer.abort(sent)
            raise

    def _once(self, topic: str, batch: int) -> dict[str, str]:
        """Options of the format, by which a batch that comes again is known."""
        name = f"{self._query_id}-{topic}"
        return {**self._where, "topic": topic, "txnAppId": name, "txnVersion": str(batch)}


def as_json(rows: DataFrame, key: str) -> DataFrame:
    """Rows as records: all of each as JSON, by the key of that column."""
    value = sql.to_json(sql.struct("*")).alias("value")
    return rows.select(sql.col(key).cast("string").alias("key"), value)


def make_compacted_topic(route: Route, name: str) -> None:
    """Of one partition, where the last record of every key stays; it may be there already."""
    client = {
        option.removeprefix(CLIENT): text
        for option, text in route.source.items()
        if option.startswith(CLIENT)
    }
    make_compacted({"bootstrap.servers": route.bootstrap, **client}, name)
