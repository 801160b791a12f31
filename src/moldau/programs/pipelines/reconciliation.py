"""What came in is what went out and what was rejected: for each batch, and in all.

Each batch leaves a row of counts in the table `reconciliation`, counted by Spark from the records
that it was given. The tables count their rows themselves, in their logs. `reconcile` holds the one
against the other; a difference would mean that rows were lost or doubled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import pyarrow as pa

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.tables import LakeTables
from moldau.spark.lake.scanning import scanned
from moldau.spark.lake.transactions import open_table

__all__ = [
    "Counts",
    "Reconciled",
    "count_of",
    "count_rows",
    "note",
    "rate_of",
    "reconcile",
    "rows_of",
]

TABLE = "reconciliation"
MS_PER_S = 1_000


@dataclass(frozen=True, slots=True)
class Counts:
    """How the records of one batch ended."""

    read: int
    known: int
    """Were in the lake from before this checkpoint."""
    good: int
    rejected: Mapping[str, int] = field(default_factory=dict)
    """Reason → count."""

    @property
    def rejected_count(self) -> int:
        return sum(self.rejected.values())


@dataclass(frozen=True, slots=True)
class Reconciled:
    """All batches together, beside what the tables hold."""

    batches: list[dict[str, Any]]
    read: int
    known: int
    good: int
    rejected: int
    rows: Mapping[str, int]
    """Table → its rows."""

    @property
    def sentence(self) -> str:
        """In one line, whether it adds up."""
        sums = f"{self.read:,} in = {self.good:,} out + {self.rejected:,} rejected"
        if self.known:
            sums += f" + {self.known:,} known already"
        return f"it does not add up: {sums}" if self.differences else f"it adds up: {sums}"

    @property
    def differences(self) -> list[str]:
        """What does not add up, a sentence each; empty if all is well."""
        found = [
            f"batch {row['batch']}: {row['read']} in, {row['good']} out, {row['rejected']} rejected"
            for row in self.batches
            if row["read"] != row["known"] + row["good"] + row["rejected"]
        ]
        wanted = {
            "bronze": self.good + self.rejected,
            "silver": self.good,
            "dead_letters": self.rejected,
        }
        return found + [
            f"{name} has {self.rows[name]} rows, and the batches gave it {count}"
            for name, count in wanted.items()
            if name in self.rows and self.rows[name] != count
        ]


def note(tables: LakeTables, batch: int, counts: Counts, took_ms: int) -> None:
    """Leave the counts of a batch, when its rows are in their tables."""
    row = {
        "query": tables.query_id,
        "batch": batch,
        "read": counts.read,
        "known": counts.known,
        "good": counts.good,
        "rejected": counts.rejected_count,
        "took_ms": took_ms,
    }
    tables.add_up(TABLE, pa.Table.from_pylist([row]), ["query", "batch"], batch)


def count_of(batch: int, counts: Counts, took_ms: int, lag: int | None = None) -> str:
    """The same as a line for a terminal, with how many records wait behind it, if that is known."""
    parts = [f"{counts.read:,} in", f"{counts.good:,} out"]
    if counts.rejected:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in counts.rejected.items())
        parts.append(f"{counts.rejected_count:,} rejected ({reasons})")
    if counts.known:
        parts.append(f"{counts.known:,} known already")
    rate = rate_of(counts.read, took_ms)
    behind = "" if lag is None else f", lag {lag:,}"
    took_s = took_ms / MS_PER_S
    return f"batch {batch}: {', '.join(parts)} in {took_s:.1f} s, {rate:,} records/s{behind}"


def rate_of(count: int, took_ms: int) -> int:
    """Records a second."""
    return round(count * MS_PER_S / max(took_ms, 1))


def reconcile(lake: str, storage: Mapping[str, str], names: list[str]) -> Reconciled:
    """Hold the counts of all batches against the tables."""
    batches = rows_of(f"{lake}/{TABLE}", storage)
    batches.sort(key=lambda row: (row["query"], row["batch"]))
    rows = {name: count_rows(f"{lake}/{name}", storage) for name in names}
    sums = {
        name: sum(row[name] for row in batches) for name in ("read", "known", "good", "rejected")
    }
    return Reconciled(batches, **sums, rows=rows)


def rows_of(
    path: str, storage: Mapping[str, str], columns: list[str] | None = None
) -> list[dict[str, Any]]:
    """All rows of a small table, or some of its columns."""
    table = open_table(path, dict(storage))
    if table is None:
        return []
    return [row for batch in scanned(table, columns) for row in batch.to_pylist()]


def count_rows(path: str, storage: Mapping[str, str]) -> int:
    """How many rows a table has by its log."""
    table = open_table(path, dict(storage))
    return 0 if table is None else int(table.count())
