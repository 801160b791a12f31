"""Delta's own reader and writer in Spark, on tables of ours: a JVM of its own, with Delta's jar."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import UTC, date, datetime

import pyarrow as pa
import pytest

from tests.judges.delta_jars import find_delta_jars
from tests.judges.kafka_jars import MissingJudge
from tests.spark.lake.tables import add, numbers, options_for, rows_of

PROGRAM = """
import json, sys
from pyspark.sql import SparkSession

path, jars = sys.argv[1:]
delta = "org.apache.spark.sql.delta.catalog.DeltaCatalog"
spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.jars", jars)
    .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
    .config("spark.sql.catalog.spark_catalog", delta)
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.memory", "512m")
    .config("spark.ui.enabled", "false")
    .getOrCreate()
)
table = spark.read.format("delta").load(path)
found = {
    "rows": table.count(),
    "at": table.where("at = timestamp'2026-11-21 01:02:03.000004'").count(),
    "later": table.where("at > timestamp'2026-11-21 01:02:03.000004'").count(),
    "text": table.where("text = repeat('ž', 50)").count(),
    "skipped": table.where("number >= 4").agg({"number": "sum"}).first()[0],
    "day": sorted(row[0] for row in table.where("day = '2026-11-22'").select("number").collect()),
    "undated": table.where("day is null").count(),
}
more = table.where("number = 0").selectExpr("100L as number", "day", "at", "'spark' as text")
more.write.format("delta").mode("append").save(path)
print("FOUND " + json.dumps(found))
spark.stop()
"""
MOMENT = datetime(2026, 11, 21, 1, 2, 3, 4, UTC)


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(900)
def test_spark_with_deltas_jar_reads_and_writes_our_table(tmp_path):
    if shutil.which("java") is None:
        pytest.skip("Spark cannot be started: this machine has no java.")
    try:
        jars = find_delta_jars()
    except MissingJudge as missing:
        pytest.skip(str(missing))
    options = options_for(tmp_path / "table", partitionBy="day")
    days = [date(2026, 11, 21), date(2026, 11, 22), None]
    add(options, numbers(0, 1, 2, day=days, at=[MOMENT] * 3), application="query", version=0)
    texts = pa.array(["a", "ž" * 50, None])
    late = numbers(3, 4, 5, day=days, at=[MOMENT] * 3, text=texts)
    add(options, late, application="query", version=1)

    asked = [sys.executable, "-c", PROGRAM, options.path, ",".join(map(str, jars))]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=600, check=False)
    found = [line for line in done.stdout.splitlines() if line.startswith("FOUND ")]
    assert found, done.stderr[-3_000:]
    assert json.loads(found[0].removeprefix("FOUND ")) == {
        "rows": 6,
        "at": 6,
        "later": 0,
        "text": 1,
        "skipped": 9,
        "day": [1, 4],
        "undated": 2,
    }
    assert not add(options, late, application="query", version=1)
    assert add(options, numbers(6, day=days[:1], at=[MOMENT]), application="query", version=2)
    assert sorted(row["number"] for row in rows_of(options.path)) == [0, 1, 2, 3, 4, 5, 6, 100]
