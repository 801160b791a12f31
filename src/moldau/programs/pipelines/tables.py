"""The tables of a pipeline, and how a batch gets into them once.

Each write carries the query and the batch, so a batch that comes again adds nothing. And each table
knows how far it had come when the checkpoint was new (checkpoints.py): what was there already is
left out, so a pipeline may begin again over tables that are full.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql

from moldau.platform.ports.clock import Clock
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.checkpoints import Landed
from moldau.spark.lake.options import LakeOptions
from moldau.spark.lake.scanning import scanned
from moldau.spark.lake.shares import Early, Outcome, Share, Tally, read_back, write_shares
from moldau.spark.lake.transactions import open_table
from moldau.spark.lake.upkeep import Compacted, compact
from moldau.spark.lake.upsert import add_up, append, replace

__all__ = ["DELTA", "STORAGE", "LakeTables", "Taken", "Written", "highest_offsets"]

DELTA = "moldau-delta"
STORAGE = "storage."
NOTHING_YET = -1


@dataclass(frozen=True, slots=True)
class Taken:
    """Which rows a table takes, and which columns: its own name → where they are in the rows."""

    where: Column
    columns: Mapping[str, str]
    partition_by: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """What a batch has put into several tables."""

    rows: DataFrame
    names: Sequence[str]
    shares: Sequence[Share]
    outcome: Outcome

    @property
    def counts(self) -> Mapping[Tally, int]:
        """How many rows there were, by what they are and by which tables took them."""
        return self.outcome.counts

    def read_back(self, name: str) -> DataFrame | None:
        """What a table took, from its files; None where they cannot be read."""
        at = self.names.index(name)
        return read_back(self.rows, self.outcome, at, self.shares[at].options)


class LakeTables:
    """The tables under one folder, as one query writes them."""

    def __init__(
        self,
        lake: str,
        storage: Mapping[str, str],
        landed: Landed,
        query_id: str,
        clock: Clock,
        begin: Callable[[str], None] = lambda step: None,
    ) -> None:
        self._lake = lake
        self._storage = dict(storage)
        self._landed = landed
        self.query_id = query_id
        self._clock = clock
        self._begin = begin

    def __repr__(self) -> str:
        return f"<LakeTables {self._lake}>"

    def path(self, name: str) -> str:
        return f"{self._lake}/{name}"

    def is_new(self, name: str, prefix: str = "") -> Column:
        """Whether a record is not in the table from before this checkpoint."""
        landed = self._landed.get(name)
        if not landed:
            return sql.lit(True)
        known = sql.create_map(*[sql.lit(part) for part in chain(*landed.items())])
        place = sql.concat_ws("/", f"{prefix}topic", f"{prefix}partition")
        highest = sql.coalesce(sql.element_at(known, place), sql.lit(NOTHING_YET))
        return sql.col(f"{prefix}offset") > highest

    def append(self, name: str, rows: DataFrame, batch: int, partition_by: str = "") -> None:
        """Add rows, once for each batch."""
        self._begin(f"writing {name}")
        options = {STORAGE + key: text for key, text in self._storage.items()}
        options |= {"txnAppId": self.query_id, "txnVersion": str(batch)}
        options |= {"partitionBy": partition_by}
        rows.write.format(DELTA).mode("append").options(**options).save(self.path(name))

    def append_few(self, name: str, rows: pa.Table, batch: int) -> None:
        """Add rows that are in memory here, once for each batch."""
        self._begin(f"writing {name}")
        options = LakeOptions(
            path=self.path(name), application=self.query_id, storage=self._storage
        )
        append(options, rows, batch, self._clock)

    def landed_in_any(self, names: Sequence[str]) -> Mapping[str, int]:
        """The highest offset that one of these tables had when this checkpoint began."""
        found: dict[str, int] = {}
        for name in names:
            for place, offset in self._landed.get(name, {}).items():
                found[place] = max(offset, found.get(place, NOTHING_YET))
        return found

    def append_all(
        self,
        rows: DataFrame,
        taken: Mapping[str, Taken],
        batch: int,
        tally: str,
        early: Early | None = None,
    ) -> Written:
        """Each table gets its rows, once for each batch, and all are computed once."""
        self._begin(f"writing {', '.join(taken)}")
        shares = [
            Share(
                options=LakeOptions(
                    path=self.path(name),
                    partition_by=tuple(each.partition_by),
                    application=self.query_id,
                    version=batch,
                    storage=self._storage,
                ),
                where=each.where,
                columns=each.columns,
            )
            for name, each in taken.items()
        ]
        outcome = write_shares(rows, shares, tally, self._clock, early)
        return Written(rows, tuple(taken), shares, outcome)

    def add_up(self, name: str, sums: pa.Table, keys: Sequence[str], batch: int) -> None:
        """Add sums to those with the same keys, once for each batch."""
        self._begin(f"adding to {name}")
        options = LakeOptions(
            path=self.path(name), application=self.query_id, storage=self._storage
        )
        add_up(options, sums, keys, batch, self._clock)

    def replace(self, name: str, rows: pa.Table, keys: Sequence[str], gone: str = "") -> None:
        """Put rows in the place of those with the same keys; again, it is the same.

        Where the column `gone` is true a row is removed instead.
        """
        self._begin(f"replacing in {name}")
        options = LakeOptions(path=self.path(name), storage=self._storage)
        replace(options, rows, keys, self._clock, gone)

    def rows(self, name: str, column: str, among: Sequence[str] | None) -> list[dict[str, Any]]:
        """The rows with one of these values in the column, or all; none where there is no table."""
        table = open_table(self.path(name), self._storage)
        if table is None:
            return []
        found: list[dict[str, Any]] = []
        for batch in scanned(table):
            if among is not None:
                values = batch[column].cast(pa.string())
                batch = batch.filter(pc.is_in(values, pa.array(among, pa.string())))
            found += batch.to_pylist()
        return found

    def columns(self, name: str) -> pa.Schema:
        """The table's columns; none where there is no table yet."""
        table = open_table(self.path(name), self._storage)
        return pa.schema([]) if table is None else pa.schema(table.schema())

    def compact(self, names: Sequence[str]) -> Compacted:
        """Make few files of many, in these tables."""
        self._begin("compacting")
        done = [compact(self.path(name), storage=self._storage) for name in names]
        removed, added = sum(each.removed for each in done), sum(each.added for each in done)
        return Compacted(removed, added)


def highest_offsets(path: str, storage: Mapping[str, str], prefix: str = "") -> dict[str, int]:
    """`TOPIC/PARTITION` → the highest offset in the table; empty where there is none."""
    table = open_table(path, dict(storage))
    if table is None:
        return {}
    names = [f"{prefix}topic", f"{prefix}partition", f"{prefix}offset"]
    highest: dict[str, int] = {}
    for batch in scanned(table, names):
        rows = pa.Table.from_batches([batch]).group_by(names[:2]).aggregate([(names[2], "max")])
        places = pc.binary_join_element_wise(
            rows[names[0]], rows[names[1]].cast(pa.string()), "/"
        ).to_pylist()
        for place, offset in zip(places, rows[f"{names[2]}_max"].to_pylist(), strict=True):
            highest[place] = max(offset, highest.get(place, NOTHING_YET))
    return highest
