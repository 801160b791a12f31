"""Records of JSON into bronze and silver in one pass of Python, where they are good without doubt.

What is left for Spark to judge are the records that may be rejected, and those that were in the
lake before. Where a batch is its topic as it is, its tasks also fetch what they work on (job.py),
so that no record becomes a row of Spark but those in doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, types

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.quick_parsing import QuickJson
from moldau.spark.lake.schemas import arrow_schema
from moldau.spark.lake.shares import Early, quoted

__all__ = ["Split", "Sure", "early"]

US_PER_S = 1_000_000
IN_BRONZE_AND_SILVER = (True, True, False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sure:
    """What makes a record good without doubt."""

    schema: types.StructType
    size_max: int
    event_time: str = ""
    late_after_s: int = 0

    @property
    def is_known(self) -> bool:
        """Whether these columns can be read without Spark."""
        if not QuickJson.can_read(self.schema):
            return False
        if not self.event_time:
            return True
        return types.StructField(self.event_time, types.TimestampType()) in self.schema.fields


class Split:
    """Parts a batch into the columns of good records and the others. Travels to the tasks."""

    def __init__(self, sure: Sure, landed: Mapping[str, int]) -> None:
        self._sure = sure
        self._landed = dict(landed)
        self._schema = arrow_schema(sure.schema)
        self._reader: QuickJson | None = None

    def __call__(self, batch: pa.RecordBatch) -> tuple[Mapping[str, pa.Array], pa.RecordBatch]:
        if self._reader is None:
            self._reader = QuickJson(self._schema, self._sure.size_max)
        places, read = self._reader.read(batch.column("value"))
        is_good = self._in_time(batch, places, read) & self._fresh(batch)[places]
        if not is_good.all():
            places, read = places[is_good], read.filter(pa.array(is_good))
        good = batch if len(places) == batch.num_rows else batch.take(pa.array(places))
        columns = {name: good.column(name) for name in good.schema.names}
        columns |= {f"row.{quoted(name)}": read.column(name) for name in read.schema.names}
        others = np.ones(batch.num_rows, dtype=bool)
        others[places] = False
        return columns, batch.filter(pa.array(others))

    def _in_time(
        self, batch: pa.RecordBatch, places: np.ndarray, read: pa.RecordBatch
    ) -> np.ndarray:
        if not self._sure.event_time:
            return np.ones(len(places), dtype=bool)
        written = batch.column("timestamp").take(pa.array(places)).cast(pa.int64())
        happened = read.column(self._sure.event_time).cast(pa.int64())
        age = pc.subtract(written, happened)
        apart = pc.greater(pc.abs(age), self._sure.late_after_s * US_PER_S)
        is_apart: np.ndarray = pc.fill_null(apart, False).to_numpy(zero_copy_only=False)
        return ~is_apart

    def _fresh(self, batch: pa.RecordBatch) -> np.ndarray:
        """Whether each was in none of the tables when the checkpoint began."""
        fresh = np.ones(batch.num_rows, dtype=bool)
        if self._landed:
            parts = pc.cast(batch.column("partition"), pa.string())
            places = pc.binary_join_element_wise(batch.column("topic"), parts, "/")
            offsets = batch.column("offset").to_numpy()
            for place in set(places.unique().to_pylist()) & set(self._landed):
                is_here = pc.equal(places, place).to_numpy(zero_copy_only=False)
                fresh &= ~is_here | (offsets > self._landed[place])
        return fresh


def early(
    records: DataFrame,
    batch: Batch,
    sure: Sure,
    tables: Sequence[str],
    judge: Callable[[DataFrame], DataFrame],
) -> Early | None:
    """How a batch begins; None where its values cannot be read without Spark."""
    if not sure.is_known:
        return None
    ranges = batch.ranges
    if ranges is not None and ranges.records is not records:
        ranges = None  # a step of the pipeline lies between
    return Early(
        rows=records if ranges is None else ranges.rows,
        schema=records.schema,
        records=_as_they_are if ranges is None else ranges.fetching,
        split=Split(sure, batch.tables.landed_in_any(tables)),
        takes=IN_BRONZE_AND_SILVER,
        judge=judge,
    )


def _as_they_are(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    return batches
