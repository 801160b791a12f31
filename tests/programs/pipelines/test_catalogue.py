"""Pipelines are found by name, and can be shown."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import cast

import pytest

from moldau.programs.pipelines import etl
from moldau.programs.pipelines.catalogue import GROUP, PIPELINES, offered, pipeline_named, place_of
from moldau.programs.pipelines.errors import PipelineError
from moldau.programs.pipelines.job import Job
from moldau.programs.pipelines.settings import described, read_settings

BUILT_IN = ["etl", "clickstream", "logs", "fraud", "cdc", "telemetry", "sourcing", "services"]


def test_a_pipeline_is_found_by_its_name():
    assert [pipeline_named(pipeline.name) for pipeline in PIPELINES] == list(PIPELINES)


def test_an_unknown_name_says_which_there_are():
    with pytest.raises(
        PipelineError,
        match=f"no pipeline 'elt': there are {', '.join(BUILT_IN)}",
    ):
        pipeline_named("elt")


@pytest.mark.parametrize("pipeline", PIPELINES, ids=lambda pipeline: pipeline.name)
def test_a_demonstration_has_settings_that_are_there(pipeline):
    assert pipeline.demonstration is not None
    assert read_settings(pipeline.settings, pipeline.demonstration.settings)
    assert all(description for _, _, description in described(pipeline.settings))


@pytest.mark.parametrize("pipeline", PIPELINES, ids=lambda pipeline: pipeline.name)
def test_charts_are_of_tables_that_the_pipeline_has(pipeline):
    tables = {table for table, _, _ in pipeline.charts.values()}
    assert tables <= set(pipeline.tables)


@pytest.mark.parametrize("pipeline", PIPELINES, ids=lambda pipeline: pipeline.name)
def test_a_copy_of_a_pipeline_is_a_pipeline(pipeline, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    copy = tmp_path / "my_pipeline.py"
    copy.write_text(Path(sys.modules[pipeline.run.__module__].__file__ or "").read_text())
    found = pipeline_named(str(copy))
    assert (found.name, found.tables) == (pipeline.name, pipeline.tables)
    assert found.settings is not pipeline.settings
    given = ["batch_size=7"]
    assert read_settings(found.settings, given) == found.settings(batch_size=7)
    assert str(tmp_path) in sys.path, "modules beside it are found"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "there is no file .*mine.py to run a pipeline from"),
        ("x = 1", r"mine.py has no PIPELINE: end it with PIPELINE = Pipeline\("),
        ("x = 1\ny = 1 / 0\n", r"cannot be loaded: ZeroDivisionError: division by zero \(line 2\)"),
        ("x = = 1", r"cannot be loaded: SyntaxError: invalid syntax \(mine.py, line 1\)"),
        (
            "import no_such_thing",
            r"ModuleNotFoundError: No module named 'no_such_thing' \(line 1\)",
        ),
    ],
    ids=["missing", "without", "raises", "syntax", "import"],
)
def test_a_file_that_has_no_pipeline_is_one_sentence(tmp_path, text, sentence, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.py"
    if text is not None:
        path.write_text(text)
    for given in (str(path), "mine.py"):
        with pytest.raises(PipelineError, match=sentence) as refused:
            pipeline_named(given)
    assert "\n" not in str(refused.value)


FAILING = """
from dataclasses import replace
from moldau.programs.pipelines import etl
from moldau.programs.pipelines.errors import SettingError

def run(job, settings):
    if settings == "ours":
        raise SettingError("the schema is missing")
    settings.no_such

PIPELINE = replace(etl.PIPELINE, run=run)
"""


def test_a_file_that_fails_says_where(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "failing.py").write_text(FAILING)
    found, no_job = pipeline_named("failing.py"), cast("Job", None)
    with pytest.raises(PipelineError, match=r"failing\.py failed: AttributeError: .* \(line 9\)$"):
        found.run(no_job, None)
    with pytest.raises(PipelineError, match=r"^the schema is missing$"):
        found.run(no_job, "ours")


def entry(name, value):
    return EntryPoint(name=name, value=value, group=GROUP)


def test_packages_offer_pipelines_by_entry_points(monkeypatch):
    entries = [
        entry("theirs", "moldau.programs.pipelines.etl:PIPELINE"),
        entry("etl", "moldau.programs.pipelines.clickstream:PIPELINE"),
        entry("broken", "moldau.programs.pipelines.etl:NO_SUCH"),
        entry("wrong", "moldau.programs.pipelines.etl:EtlSettings"),
    ]
    monkeypatch.setattr("moldau.programs.pipelines.catalogue.entry_points", lambda group: entries)
    assert [found.name for found in offered()] == [*BUILT_IN, "broken", "theirs", "wrong"]
    assert pipeline_named("theirs") is pipeline_named("etl") is etl.PIPELINE
    with pytest.raises(
        PipelineError, match=r"broken \(.*:NO_SUCH\) cannot be loaded: AttributeError"
    ):
        pipeline_named("broken")
    with pytest.raises(
        PipelineError, match=r"wrong .* it is no moldau\.programs\.pipelines\.pipeline"
    ):
        pipeline_named("wrong")


def test_an_error_is_reported_with_its_line():
    with pytest.raises(AttributeError) as raised:
        etl.add_to_gold(None, None, None)  # type: ignore[arg-type]
    text = place_of(raised.value, etl.__file__)
    assert text.startswith("AttributeError: 'NoneType' object has no")
    assert "(line " in text


UDF = """
from pyspark.sql.functions import udf

def helper(number):
    return number * 2

@udf("long")
def twice(number):
    return helper(number)

from moldau.programs.pipelines.etl import PIPELINE
"""


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_functions_of_a_file_run_in_the_workers_of_spark(spark, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = tmp_path / "doubling.py"
    path.write_text(UDF)
    pipeline_named(str(path))
    twice = sys.modules["moldau_pipeline_doubling"].twice
    assert [row[0] for row in spark.range(3).select(twice("id")).collect()] == [0, 2, 4]
