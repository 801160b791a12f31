"""One batch of a query: what a pipeline does with its rows.

    batch.append("alerts", alerts)                          rows into a table
    batch.add_up("shops", sums, ["hour", "shop"])           sums to those that are there
    batch.replace("transactions", rows, ["transaction"])    rows in the place of earlier ones
    batch.send("alerts", alerts, key="card")                rows into a topic
    batch.append_few("alerts", alerts)                      rows that `toArrow` has brought here
    batch.send_few("alerts", records)

Each is done once for a batch, however often the batch is run. The last two start nothing in Spark,
so that few rows are where they go sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.outputs import OutputTopics, as_json
from moldau.programs.pipelines.tables import LakeTables
from moldau.spark.source.rows import Fetching

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["Batch", "Ranges"]


@dataclass(frozen=True, slots=True)
class Ranges:
    """What a batch takes of its topic, before it is fetched."""

    rows: DataFrame
    """A row for each range of offsets."""
    fetching: Fetching
    """Makes records of them, in a task."""
    records: DataFrame
    """The same records, as a frame."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Its number, and where its rows go."""

    number: int
    tables: LakeTables
    topics: OutputTopics | None = None
    ranges: Ranges | None = None
    """Where the batch is its topic as it is, by `Job.ranges`."""
    _kept: list[DataFrame] = field(default_factory=list, init=False)

    def keep(self, rows: DataFrame) -> DataFrame:
        """Rows that are looked at more than once; they stay in memory until the batch is done."""
        self._kept.append(rows.persist())
        return self._kept[-1]

    def let_go(self) -> None:
        """Of what was kept."""
        while self._kept:
            self._kept.pop().unpersist()

    def append(self, table: str, rows: DataFrame, partition_by: str = "") -> None:
        """Rows into a table."""
        self.tables.append(table, rows, self.number, partition_by)

    def append_few(self, table: str, rows: pa.Table) -> None:
        """Rows that are in memory here, into a table."""
        self.tables.append_few(table, rows, self.number)

    def add_up(self, table: str, sums: DataFrame, keys: Sequence[str]) -> None:
        """Few rows, whose numbers are added to those of the row with the same keys."""
        self.tables.add_up(table, sums.toArrow(), keys, self.number)

    def replace(self, table: str, rows: DataFrame, keys: Sequence[str]) -> None:
        """Few rows, each in the place of the one with the same keys."""
        self.tables.replace(table, rows.toArrow(), keys)

    def send(self, topic: str, rows: DataFrame, key: str = "") -> None:
        """Rows into a topic: as JSON by the key of that column, or as they are if none is named."""
        self._topics().send(topic, as_json(rows, key) if key else rows, self.number)

    def send_few(self, topic: str, records: pa.Table) -> None:
        """Records that are in memory here, into a topic, as they are."""
        self._topics().send_few(topic, records, self.number)

    def _topics(self) -> OutputTopics:
        assert self.topics is not None, "a job gives its batches the cluster"
        return self.topics
