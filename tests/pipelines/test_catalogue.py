"""Pipelines are found by name, and can be shown."""

from __future__ import annotations

import pytest

from moldau.pipelines.catalogue import PIPELINES, pipeline_named
from moldau.pipelines.errors import PipelineError
from moldau.pipelines.settings import described, read_settings


def test_a_pipeline_is_found_by_its_name():
    assert [pipeline_named(pipeline.name) for pipeline in PIPELINES] == list(PIPELINES)


def test_an_unknown_name_says_which_there_are():
    with pytest.raises(PipelineError, match=r"no pipeline 'elt': there are etl, clickstream"):
        pipeline_named("elt")


@pytest.mark.parametrize("pipeline", PIPELINES, ids=lambda pipeline: pipeline.name)
def test_a_demonstration_has_settings_that_are_there(pipeline):
    assert read_settings(pipeline.settings, pipeline.demonstration.settings)
    assert all(says for _, _, says in described(pipeline.settings))


@pytest.mark.parametrize("pipeline", PIPELINES, ids=lambda pipeline: pipeline.name)
def test_charts_are_of_tables_that_the_pipeline_has(pipeline):
    tables = {table for table, _, _ in pipeline.demonstration.charts.values()}
    assert tables <= set(pipeline.tables)
