"""Covers moldau.spark.session."""

from __future__ import annotations

import os

import pytest

from moldau.spark import lake
from moldau.spark.errors import SparkSetupError
from moldau.spark.session import PUSHDOWN, PUT_BY_STREAMS, cores_of, ensure_java, settings_for
from tests.platform.system.fake_java import a_java


def test_a_local_session_keeps_to_itself():
    settings = settings_for("local[3]", {})
    assert settings["spark.driver.bindAddress"] == "127.0.0.1"
    assert settings["spark.sql.shuffle.partitions"] == "3"
    assert "Tier4" in settings["spark.driver.extraJavaOptions"]


def test_a_session_on_a_cluster_binds_where_spark_thinks_best():
    settings = settings_for("spark://host:7077", {})
    assert "spark.driver.bindAddress" not in settings
    assert "spark.driver.extraJavaOptions" not in settings
    assert settings[PUSHDOWN] == "true"


def test_settings_of_the_caller_win_under_either_spelling():
    given = {"spark_driver_memory": "1g", "spark.ui.enabled": True}
    settings = settings_for("local", given)
    assert settings["spark.driver.memory"] == "1g"
    assert settings["spark.ui.enabled"] == "true"


@pytest.mark.parametrize(
    ("master", "cores"),
    [("local", 1), ("local[4]", 4), ("local[*]", os.cpu_count()), ("local[2,3]", 2)],
)
def test_a_local_master_says_its_cores(master, cores):
    assert cores_of(master) == cores


def test_a_master_that_is_none_is_refused():
    with pytest.raises(SparkSetupError, match="is no local master"):
        cores_of("local[many]")


def test_without_java_the_remedy_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SparkSetupError, match="install one"):
        ensure_java()


def test_an_old_java_is_named(tmp_path, monkeypatch):
    a_java(tmp_path, 'java version "1.8.0"')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SparkSetupError, match="is version 8"):
        ensure_java()


@pytest.mark.judge
@pytest.mark.timeout(300)
def test_what_a_stream_puts_into_the_variables_of_a_format_is_there_already(
    spark, topics, tmp_path
):
    """A map that grew while a task was written with it made the task unreadable."""
    lake.register(spark)  # as another test may have done
    formats = spark._jsparkSession.sessionState().dataSourceManager()
    variables = {
        name: formats.lookupDataSource(name).dataSourceCls().envVars()
        for name in ("moldau", "moldau-delta")
    }
    before = {name: set(each) for name, each in variables.items()}
    assert not PUT_BY_STREAMS.keys() & spark.sparkContext.environment.keys()
    query = (
        spark.readStream.format("moldau")
        .options(**{"kafka.bootstrap.servers": topics.bootstrap, "subscribe": topics.make(1, 3)})
        .load()
        .writeStream.format("noop")
        .option("checkpointLocation", str(tmp_path))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    assert before["moldau"] >= PUT_BY_STREAMS.keys()
    assert before["moldau-delta"] >= PUT_BY_STREAMS.keys()
    assert set(variables["moldau"]) == before["moldau"]
