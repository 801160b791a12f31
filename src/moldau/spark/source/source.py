"""What Spark calls for a query with `format("moldau")`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSource

from moldau.spark.options import read_options
from moldau.spark.sink.options import sink_options
from moldau.spark.sink.writers import TopicStreamWriter, TopicWriter
from moldau.spark.source.batch import BatchReader
from moldau.spark.source.columns import all_columns, ensure_columns
from moldau.spark.source.stream import StreamReader

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

NAME = "moldau"


class TopicSource(DataSource):
    """Topics of one cluster."""

    @classmethod
    def name(cls) -> str:
        """What stands in `format(…)`."""
        return NAME

    def schema(self) -> StructType:
        """The columns, unless the user names some of them."""
        wanted = self.options.get("includeHeaders", "false").strip().lower() == "true"
        return all_columns(with_headers=wanted)

    def reader(self, schema: StructType) -> BatchReader:
        """For `spark.read`."""
        ensure_columns(schema)
        return BatchReader(read_options(self.options, streaming=False), schema)

    def streamReader(self, schema: StructType) -> StreamReader:
        """For `spark.readStream`."""
        ensure_columns(schema)
        return StreamReader(read_options(self.options, streaming=True), schema)

    def writer(self, schema: StructType, overwrite: bool) -> TopicWriter:
        """For `frame.write`."""
        return TopicWriter(sink_options(self.options), schema, overwrite)

    def streamWriter(self, schema: StructType, overwrite: bool) -> TopicStreamWriter:
        """For `frame.writeStream`."""
        return TopicStreamWriter(sink_options(self.options), schema)
