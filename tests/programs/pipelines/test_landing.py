"""A judged batch goes where it belongs, and is counted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from pyspark.sql import functions as sql

from moldau.platform.system.clock import SystemClock
from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.landing import ensure_columns, ensure_window, land_all, land_topic
from moldau.programs.pipelines.landing_settings import LandingSettings
from moldau.programs.pipelines.reconciliation import Counts, rows_of
from moldau.programs.pipelines.route import Route
from moldau.programs.pipelines.tables import LakeTables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from moldau.programs.pipelines.job import Job

pytestmark = [pytest.mark.judge, pytest.mark.timeout(600)]
NONE = Counts(read=0, known=0, good=0)
LANDED = {"bronze": {"t/0": 1}, "silver": {"t/0": 0}, "dead_letters": {"t/0": 1}}


def test_rows_that_were_there_before_are_left_out_and_counted(spark, tmp_path):
    tables = LakeTables(str(tmp_path), {}, LANDED, "query", SystemClock())
    rows = spark.range(4).select(
        sql.lit("t").alias("topic"),
        sql.lit(0).alias("partition"),
        sql.col("id").alias("offset"),
        sql.timestamp_millis(sql.lit(0)).alias("timestamp"),
        sql.lit(b"k").alias("key"),
        sql.struct(sql.col("id").alias("number")).alias("row"),
        sql.when(sql.col("id") % 2 == 1, "empty").alias("reason"),
        sql.lit(None).cast("string").alias("detail"),
    )
    silver, counts = land_all(rows, Batch(0, tables))
    assert [row["number"] for row in silver.collect()] == [2]
    assert sorted(row["offset"] for row in rows_of(f"{tmp_path}/bronze", {})) == [2, 3]
    assert [row["offset"] for row in rows_of(f"{tmp_path}/dead_letters", {})] == [3]
    assert counts == Counts(read=4, known=2, good=1, rejected={"empty": 1})


def test_dead_letters_do_not_go_where_records_come_from(tmp_path):
    route = Route(bootstrap="b:1", topic="a, b", lake=f"{tmp_path}/lake", checkpoint="c")
    job = cast("Job", SimpleNamespace(route=route))
    nothing = cast("DataFrame", None)
    with pytest.raises(SettingError, match="letters is b, which the pipeline reads"):
        land_topic(job, nothing, lambda *_: NONE, LandingSettings(letters="b"))


def test_rows_are_kept_until_their_batch_lets_go_of_them(spark, tmp_path):
    batch = Batch(0, LakeTables(str(tmp_path), {}, {}, "query", SystemClock()))
    rows = batch.keep(spark.range(1))
    assert rows.storageLevel.useMemory
    batch.let_go()
    assert not rows.storageLevel.useMemory


@pytest.mark.parametrize(
    ("form", "sentence"),
    [("csv", "set schema to its columns"), ("registry", "registry is missing: say where it is")],
)
def test_what_a_form_of_values_needs_is_asked_for(form, sentence):
    with pytest.raises(SettingError, match=sentence):
        ensure_columns(LandingSettings(form=form))


def test_a_window_that_is_no_length_of_time_is_one_sentence(spark):
    records = spark.sql("select current_timestamp() as timestamp")
    ensure_window(records, "5 minutes")
    with pytest.raises(SettingError, match=r"such as '1 minute', and not 'soon'$"):
        ensure_window(records, "soon")
