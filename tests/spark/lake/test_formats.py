"""The formats in a real query of Spark: few and short, for each needs a JVM."""

from __future__ import annotations

import pyarrow as pa
import pytest
from pyarrow import dataset, parquet
from pyspark.errors import StreamingQueryException

from moldau.spark.lake import register
from tests.spark.lake.tables import rows_of

pytestmark = [pytest.mark.judge, pytest.mark.timeout(600)]
FILES = 3
ROWS_PER_FILE = 1_000


@pytest.fixture
def numbered(spark, tmp_path):
    """A stream of numbers, as many batches as there are files."""
    register(spark)
    source = tmp_path / "source"
    source.mkdir()
    for file in range(FILES):
        numbers = range(file * ROWS_PER_FILE, (file + 1) * ROWS_PER_FILE)
        kinds = [f"kind {number % 2}" for number in numbers]
        table = pa.table({"number": pa.array(numbers, pa.int64()), "kind": kinds})
        parquet.write_table(table, source / f"{file}.parquet")
    rows = spark.readStream.schema("number long, kind string").option("maxFilesPerTrigger", 1)
    return rows.parquet(str(source))


def run(rows, kind, path, **options):
    place = {"checkpointLocation": f"{path}-checkpoint", **options}
    query = rows.writeStream.format(kind).options(**place)
    query.trigger(availableNow=True).start(str(path)).awaitTermination()


def forget_last_commit(path):
    """As if the process had died after the table was written and before the checkpoint was."""
    commits = path.parent / f"{path.name}-checkpoint" / "commits"
    last = max(int(found.name) for found in commits.iterdir() if found.name.isdigit())
    (commits / str(last)).unlink()
    (commits / f".{last}.crc").unlink()


def test_a_query_that_died_before_its_checkpoint_adds_each_row_once(numbered, tmp_path):
    table = tmp_path / "table"
    run(numbered, "moldau-delta", table, partitionBy="kind")
    forget_last_commit(table)
    run(numbered, "moldau-delta", table, partitionBy="kind")
    rows = rows_of(table)
    assert sorted(row["number"] for row in rows) == list(range(FILES * ROWS_PER_FILE))
    assert {row["kind"] for row in rows if row["number"] % 2} == {"kind 1"}


def test_a_folder_of_parquet_holds_each_batch_once(numbered, tmp_path):
    table = tmp_path / "table"
    run(numbered, "moldau-parquet", table)
    forget_last_commit(table)
    run(numbered, "moldau-parquet", table)
    found = dataset.dataset(table, partitioning="hive").to_table()
    assert sorted(found["number"].to_pylist()) == list(range(FILES * ROWS_PER_FILE))
    assert len(set(found["batch"].to_pylist())) == FILES


def test_rows_that_do_not_fit_end_the_query_with_one_sentence(numbered, tmp_path):
    table = tmp_path / "table"
    run(numbered, "moldau-delta", table)
    other = numbered.selectExpr("cast(number as string) number")
    with pytest.raises(StreamingQueryException, match="int64 in the table and string in the rows"):
        run(other, "moldau-delta", table, checkpointLocation=str(tmp_path / "other"))
    assert len(rows_of(table)) == FILES * ROWS_PER_FILE


def test_a_frame_is_saved_and_replaced(spark, tmp_path):
    register(spark)
    path = str(tmp_path / "table")
    for mode, count in (("append", 5), ("append", 5), ("overwrite", 3)):
        spark.range(count).write.format("moldau-delta").mode(mode).save(path)
    assert sorted(row["id"] for row in rows_of(path)) == [0, 1, 2]
