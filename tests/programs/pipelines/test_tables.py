"""How far a table has come, and what is not in it yet."""

from __future__ import annotations

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from moldau.platform.system.clock import SystemClock
from moldau.programs.pipelines.tables import LakeTables, highest_offsets


def tables_in(path, landed=None):
    return LakeTables(str(path), {}, landed or {}, "query", SystemClock())


def offsets(**columns):
    return pa.table(
        {"_topic": columns["topic"], "_partition": columns["part"], "_offset": columns["at"]}
    )


def test_the_highest_offset_of_each_partition_is_found(tmp_path):
    path = str(tmp_path)
    write_deltalake(path, offsets(topic=["a", "a", "b"], part=[0, 1, 0], at=[5, 9, 1]))
    write_deltalake(path, offsets(topic=["a", "a"], part=[0, 0], at=[7, 3]), mode="append")
    assert highest_offsets(path, {}, "_") == {"a/0": 7, "a/1": 9, "b/0": 1}


def test_a_table_that_is_not_there_has_none(tmp_path):
    assert highest_offsets(str(tmp_path / "none"), {}) == {}
    assert tables_in(tmp_path).columns("none") == pa.schema([])


def test_few_files_are_made_of_many_in_all_tables(tmp_path):
    for name in ("one", "other"):
        for value in range(3):
            write_deltalake(tmp_path / name, pa.table({"x": [value]}), mode="append")
    done = tables_in(tmp_path).compact(["one", "other"])
    assert (done.removed, done.added) == (6, 2)


def test_sums_of_a_batch_are_added_once(tmp_path):
    for batch in (0, 0, 1):
        tables_in(tmp_path).add_up("gold", pa.table({"k": ["a"], "n": [1]}), ["k"], batch)
    assert tables_in(tmp_path).columns("gold").names == ["k", "n"]
    rows = DeltaTable(tmp_path / "gold").to_pyarrow_table().to_pylist()
    assert rows == [{"k": "a", "n": 2}]


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_what_was_there_before_the_checkpoint_is_not_new(spark, tmp_path):
    tables = tables_in(tmp_path, {"bronze": {"a/0": 5}})
    rows = spark.sql(
        "select * from values ('a', 0, 5L), ('a', 0, 6L), ('a', 1, 0L)"
        " as records(topic, partition, offset)"
    )
    new = rows.where(tables.is_new("bronze")).collect()
    assert [(row["partition"], row["offset"]) for row in new] == [(0, 6), (1, 0)]
    assert rows.where(tables.is_new("silver")).count() == 3


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_rows_of_a_batch_are_added_once(spark, tmp_path):
    for _ in range(2):
        tables_in(tmp_path).append("bronze", spark.range(3), 0)
    assert DeltaTable(tmp_path / "bronze").count() == 3
