"""Covers moldau.spark.rehearsal."""

from __future__ import annotations

from pathlib import Path

from moldau.spark.rehearsal import NAME, RehearsalSource, rehearse


def test_it_runs_and_leaves_nothing_behind(spark, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    rehearse(spark)
    assert [path for path in Path(tmp_path).iterdir() if path.name.startswith("moldau")] == []


def test_its_source_has_the_same_rows_in_each_partition(spark):
    spark.dataSource.register(RehearsalSource)
    rows = spark.read.format(NAME).load().groupBy("partition").count().collect()
    assert sorted(tuple(row) for row in rows) == [(0, 100), (1, 100)]
