"""Covers moldau.spark.session."""

from __future__ import annotations

import os

import pytest

from moldau.spark.errors import SparkSetupError
from moldau.spark.session import PUSHDOWN, cores_of, ensure_java, settings_for
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
