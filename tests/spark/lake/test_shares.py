"""Several tables from one pass: each row in those that take it, each batch once, whatever fails."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from deltalake import DeltaTable, write_deltalake
from pyspark.sql import functions as sql

from moldau.platform.system.clock import SystemClock
from moldau.spark.lake.errors import SchemaError
from moldau.spark.lake.options import LakeOptions
from moldau.spark.lake.shares import Early, Share, read_back, write_shares
from moldau.spark.lake.transactions import live_files

pytestmark = [pytest.mark.judge, pytest.mark.timeout(600)]
ODD_NAME = "a b`c.d"
COUNT, LARGE_VALUES = 100, 300
LOOKS_MAX = 100


def shares_in(folder, version=0, **more):
    options = {
        name: LakeOptions(path=f"{folder}/{name}", application="q", version=version, **more)
        for name in ("even", "all")
    }
    return [
        Share(
            options=options["even"],
            where=sql.when(sql.col("id") % 2 == 0, True),
            columns={"number": "id", ODD_NAME: "inner.`x.y`"},
        ),
        Share(options=options["all"], where=sql.lit(True), columns={"id": "id", "kind": "kind"}),
    ]


def numbers(spark):
    inner = sql.struct((sql.col("id") * 2).alias("x.y"))
    kind = sql.when(sql.col("id") < COUNT // 4, "low")
    return spark.range(COUNT).select("id", inner.alias("inner"), kind.alias("kind"))


def write(spark, folder, version=0, **more):
    shares = shares_in(folder, version, **more)
    return shares, write_shares(numbers(spark), shares, "kind", SystemClock())


def rows_of(folder, name):
    table = DeltaTable(f"{folder}/{name}").to_pyarrow_table()
    return sorted(table.to_pylist(), key=lambda row: next(iter(row.values())))


def files_in(folder):
    return {str(path.relative_to(folder)) for path in Path(folder).rglob("*.parquet")}


def files_left(folder):
    """A worker whose task Spark has interrupted may not know yet, and then removes its own."""
    for _ in range(LOOKS_MAX):
        if not files_in(folder):
            break
        time.sleep(0.1)
    return files_in(folder)


def known_files(folder):
    names = ("even", "all")
    return {
        f"{name}/{path}" for name in names for path in live_files(DeltaTable(f"{folder}/{name}"))
    }


def test_each_row_is_in_the_tables_that_take_it_and_is_counted(spark, tmp_path):
    _, outcome = write(spark, tmp_path)
    assert rows_of(tmp_path, "even") == [
        {"number": number, ODD_NAME: number * 2} for number in range(0, COUNT, 2)
    ]
    assert [row["id"] for row in rows_of(tmp_path, "all")] == list(range(COUNT))
    quarter, rest = COUNT // 4, COUNT * 3 // 4
    assert outcome.counts == Counter(
        {
            ("low", (True, True)): quarter - quarter // 2,
            ("low", (False, True)): quarter // 2,
            (None, (True, True)): rest // 2,
            (None, (False, True)): rest - rest // 2,
        }
    )


def test_a_batch_that_comes_again_adds_nothing_and_leaves_no_file(spark, tmp_path):
    write(spark, tmp_path)
    before = files_in(tmp_path)
    _, outcome = write(spark, tmp_path)
    assert (list(outcome.is_new), files_in(tmp_path)) == ([False, False], before)
    assert DeltaTable(f"{tmp_path}/all").count() == COUNT


def test_a_table_that_lacks_the_batch_gets_it_when_it_comes_again(spark, tmp_path):
    shares = shares_in(tmp_path)
    write_shares(numbers(spark), shares[:1], "kind", SystemClock())
    outcome = write_shares(numbers(spark), shares, "kind", SystemClock())
    assert list(outcome.is_new) == [False, True]
    assert DeltaTable(f"{tmp_path}/even").count() == COUNT // 2
    assert files_in(tmp_path) == known_files(tmp_path)


def test_a_row_that_fails_leaves_no_file_of_any_task(spark, tmp_path):
    last = sql.spark_partition_id() == 3
    broken = sql.when(last, sql.raise_error("broken")).otherwise("kind")
    rows = numbers(spark).repartition(4, "id").withColumn("kind", broken)
    with pytest.raises(Exception, match="broken"):  # when tasks before it have ended well
        write_shares(rows, shares_in(tmp_path), "kind", SystemClock())
    assert files_left(tmp_path) == set()


def test_a_table_that_refuses_the_batch_leaves_those_before_it_whole(spark, tmp_path):
    write_deltalake(f"{tmp_path}/all", pa.table({"id": ["text"]}))
    with pytest.raises(SchemaError, match="column id is string in the table"):
        write(spark, tmp_path)
    assert DeltaTable(f"{tmp_path}/even").count() == COUNT // 2
    assert files_in(tmp_path) == known_files(tmp_path)


def test_what_a_table_took_is_read_from_its_files(spark, tmp_path):
    shares, outcome = write(spark, tmp_path)
    found = read_back(numbers(spark), outcome, 0, shares[0].options)
    assert found is not None
    assert found.columns == ["number", ODD_NAME]
    assert sorted(row["number"] for row in found.collect()) == list(range(0, COUNT, 2))
    again = write(spark, tmp_path)[1]
    assert read_back(numbers(spark), again, 0, shares[0].options) is None
    none = write_shares(numbers(spark).limit(0), shares_in(tmp_path, 1), "kind", SystemClock())
    nothing = read_back(numbers(spark), none, 0, shares[0].options)
    assert nothing is not None
    assert nothing.count() == 0


def test_values_that_make_folders_are_read_as_they_were(spark, tmp_path):
    texts = ["a/b=c", "{x}", "100%", "*", "č", None, "  ", "2026-11-24"]
    values = ", ".join(f"('{text}')" if text is not None else "(null)" for text in texts)
    rows = spark.sql(f"select kind, kind as same from values {values} as rows(kind)")
    options = LakeOptions(path=f"{tmp_path}/[t]*{{x}}", partition_by=("kind",))
    share = Share(options=options, where=sql.lit(True), columns={"kind": "kind", "same": "same"})
    outcome = write_shares(rows, [share], "kind", SystemClock())
    found = read_back(rows, outcome, 0, options)
    assert found is not None
    assert {(row["kind"], row["same"]) for row in found.collect()} == {
        (text, text) for text in texts
    }


def early(spark, kind=None, failing=False):
    """The first half is good by itself: even numbers of these are in both tables."""

    def split(batch):
        numbers = batch.column("id")
        if failing:
            raise ValueError("broken")
        is_good = pc.and_(pc.less(numbers, COUNT // 2), pc.equal(pc.bit_wise_and(numbers, 1), 0))
        good = numbers.filter(is_good)
        columns = {"id": good, "inner.`x.y`": pc.multiply(good, 2), "kind": good.cast(pa.string())}
        return columns, batch.filter(pc.invert(is_good))

    return Early(
        rows=spark.range(COUNT),
        schema=spark.range(1).schema,
        records=lambda batches: batches,
        split=split,
        takes=(True, True),
        judge=lambda rows: judged(rows, kind),
    )


def judged(rows, kind=None):
    inner = sql.struct((sql.col("id") * 2).alias("x.y"))
    return rows.withColumn("inner", inner).withColumn(
        "kind", sql.lit("late") if kind is None else kind
    )


def write_early(spark, folder, begun):
    rows = judged(spark.range(COUNT))
    return write_shares(rows, shares_in(folder), "kind", SystemClock(), begun)


def test_rows_that_are_good_at_once_go_past_spark_and_the_others_through_it(spark, tmp_path):
    outcome = write_early(spark, tmp_path, early(spark))
    assert rows_of(tmp_path, "even") == [
        {"number": number, ODD_NAME: number * 2} for number in range(0, COUNT, 2)
    ]
    found = {row["id"]: row["kind"] for row in rows_of(tmp_path, "all")}
    at_once = range(0, COUNT // 2, 2)
    assert found == {
        number: str(number) if number in at_once else "late" for number in range(COUNT)
    }
    quarter = COUNT // 4
    assert +outcome.counts == Counter(
        {(None, (True, True)): quarter, ("late", (True, True)): quarter,
         ("late", (False, True)): 2 * quarter}
    )  # fmt: skip
    assert files_in(tmp_path) == known_files(tmp_path)
    assert list(write_early(spark, tmp_path, early(spark)).is_new) == [False, False]
    assert files_in(tmp_path) == known_files(tmp_path)


@pytest.mark.parametrize("where", ["before Spark", "after it"])
def test_a_failure_leaves_no_file_of_either_pass(spark, tmp_path, where):
    broken = sql.when(sql.col("id") == COUNT - 1, sql.raise_error("broken")).otherwise("x")
    begun = early(spark, failing=True) if where == "before Spark" else early(spark, broken)
    with pytest.raises(Exception, match="broken"):
        write_early(spark, tmp_path, begun)
    assert files_in(tmp_path) == set()


def test_a_task_that_goes_on_beside_one_that_failed_leaves_no_file(spark, tmp_path):
    def work(batches):
        """One task has much to press into its first file; that is when the other one fails."""
        is_first = next(batches).column("id")[0].as_py() == 0
        while is_first and not list(tmp_path.rglob("*.parquet")):
            time.sleep(0.01)
        if is_first:
            raise ValueError("broken")
        for number in range(LARGE_VALUES):
            kind = os.urandom(50_000).hex()
            yield pa.RecordBatch.from_pydict({"id": [number], "kind": [kind]})

    rows = spark.range(2, numPartitions=2).mapInArrow(work, "id bigint, kind string")
    shares = [
        Share(
            options=LakeOptions(path=f"{tmp_path}/{column}", compression="gzip"),
            where=sql.lit(True),
            columns={column: column},
        )
        for column in ("kind", "id")
    ]
    with pytest.raises(Exception, match="broken"):
        write_shares(rows, shares, "kind", SystemClock())
    tracker = spark.sparkContext.statusTracker()
    while any(each.numRunningTasks for each in tracker.getExecutorInfos()):
        time.sleep(0.01)
    assert files_in(tmp_path) == set()
