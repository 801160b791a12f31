"""A declared pipeline on Spark, beside what plain Python makes of the same orders."""

from __future__ import annotations

import json
from collections import Counter
from typing import cast

import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.programs.pipelines.catalogue import declared_pipeline
from moldau.programs.pipelines.declared import read_declared
from moldau.programs.pipelines.declared_run import Functions, ensure_steps
from moldau.programs.pipelines.errors import PipelineError
from moldau.programs.pipelines.events import Event
from moldau.programs.pipelines.landing_settings import LandingSettings
from moldau.programs.pipelines.reconciliation import reconcile, rows_of
from moldau.programs.pipelines.settings import read_settings
from tests.programs.pipelines.running import forget_last_commit, job_on, write_events
from tests.spark.sink.reading import read_committed

COUNT = 400
TEXT = """
pipeline: orders
source: {topic: orders}
settings: {schema: "id bigint, country string, amount bigint", batch_size: 200}
steps:
  - name: large
    sql: select id, country, amount from records where amount >= 50
  - {name: scored, python: scoring.py:score}
  - name: sums
    sql: select country, sum(amount) as amount from scored group by country
sinks:
  - {table: large, rows: scored, partition_by: country}
  - {table: sums, rows: sums, mode: add, keys: country}
  - {table: last, rows: sums, mode: replace, keys: country}
  - {topic: OUT, rows: scored, key: id}
"""
SCORING = """
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

def score(frame):
    return frame.withColumn("score", sql.col("amount") * 2)
"""
SETTINGS = LandingSettings(schema="id bigint, country string, amount bigint")


def order(number):
    return {"id": number, "country": "ADFR"[number % 2 * 2 :][:2], "amount": number % 100}


def events():
    for number in range(COUNT):
        bad = number % 40 == 7
        value = b"{" if bad else json.dumps(order(number)).encode()
        yield Event(key=b"", value=value, timestamp_ms=1_795_000_000_000, reason="x" * bad)


@pytest.mark.long
@pytest.mark.judge
@pytest.mark.timeout(600)
def test_rows_go_through_their_steps_into_each_sink_once(spark, topics, tmp_path):
    source, out = topics.make(2), topics.make(1)
    write_events(topics.bootstrap, source, list(events()))
    (tmp_path / "scoring.py").write_text(SCORING)
    path = f"{tmp_path}/orders.yaml"
    declared = read_declared(TEXT.replace("OUT", out).encode(), path)
    pipeline = declared_pipeline(declared)
    settings = read_settings(pipeline.settings, declared.settings)
    job = job_on(topics.bootstrap, source, tmp_path, spark)
    pipeline.run(job, settings)
    forget_last_commit(tmp_path)
    pipeline.run(job, settings)

    large = [order(n) for n in range(COUNT) if n % 40 != 7 and n % 100 >= 50]
    scored = Counter((one["id"], one["amount"] * 2) for one in large)
    sums: Counter[str] = Counter()
    for one in large:
        sums[one["country"]] += one["amount"]
    lake = str(tmp_path / "lake")
    assert Counter((row["id"], row["score"]) for row in rows_of(f"{lake}/large", {})) == scored
    assert {row["country"]: row["amount"] for row in rows_of(f"{lake}/sums", {})} == sums
    assert {row["country"] for row in rows_of(f"{lake}/last", {})} == set(sums)
    sent = [(int(each.key() or b"0"), json.loads(each.value() or b"")) for each in
            read_committed(topics.bootstrap, out)]  # fmt: skip
    assert Counter((key, row["score"]) for key, row in sent) == scored
    reconciled = reconcile(lake, {}, ["bronze", "silver", "dead_letters"])
    assert (reconciled.differences, reconciled.read) == ([], COUNT)


def declared_with(rest):
    return read_declared(f"pipeline: p\nsource: {{topic: t}}\n{rest}".encode(), "p.yaml")


@pytest.mark.timeout(600)
def test_a_column_that_is_not_there_is_found_before_the_first_batch(spark):
    step = "steps: [{name: a, sql: select idd from records}]"
    with pytest.raises(PipelineError, match=r"the step a fails: .*idd"):
        ensure_steps(declared_with(step), {}, spark, SETTINGS)
    sink = "sinks: [{topic: a, rows: records, key: idd}]"
    with pytest.raises(PipelineError, match="column idd, and records has _topic"):
        ensure_steps(declared_with(sink), {}, spark, SETTINGS)


@pytest.mark.timeout(600)
def test_a_function_that_returns_no_frame_is_one_sentence(spark):
    declared = declared_with("steps: [{name: a, python: 's.py:f'}]")
    with pytest.raises(PipelineError, match=r"s.py:f returned no frame, but 3"):
        ensure_steps(declared, {"a": lambda frame: cast("DataFrame", 3)}, spark, SETTINGS)
    functions: Functions = {"a": lambda frame: frame.withColumn("b", sql.lit(1))}
    ensure_steps(declared, functions, spark, SETTINGS)
    ensure_steps(declared, {}, spark, LandingSettings())  # columns are not known yet


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        ("s.py:g", r"p.yaml: the step a is g of .*s.py, which has no such function"),
        ("q.py:f", r"p.yaml: the step a is a function of .*q.py, and there is no such file"),
    ],
)
def test_a_function_that_is_not_there_is_one_sentence(tmp_path, function, sentence):
    (tmp_path / "s.py").write_text("g = 1")
    text = f"pipeline: p\nsource: {{topic: t}}\nsteps: [{{name: a, python: '{function}'}}]"
    with pytest.raises(PipelineError, match=sentence):
        declared_pipeline(read_declared(text.encode(), f"{tmp_path}/p.yaml"))
