"""A checkpoint has one owner and remembers what lay in the lake before it."""

from __future__ import annotations

import pytest

from moldau.client import TopicPartition
from moldau.platform.system.files import SystemFiles
from moldau.programs.pipelines.checkpoints import Checkpoint, Owner
from moldau.programs.pipelines.errors import PipelineError

OWNER = Owner("etl", "orders", "lake/orders")
LANDED = {"bronze": {"orders/0": 17}}


def checkpoint_at(path):
    return Checkpoint(str(path / "checkpoint"), SystemFiles())


def test_a_new_checkpoint_knows_nothing(tmp_path):
    assert checkpoint_at(tmp_path).landed(OWNER) is None


def test_what_lay_there_before_is_remembered(tmp_path):
    checkpoint_at(tmp_path).begin(OWNER, LANDED)
    assert checkpoint_at(tmp_path).landed(OWNER) == LANDED


@pytest.mark.parametrize(
    "other",
    [
        Owner("clickstream", "orders", "lake/orders"),
        Owner("etl", "payments", "lake/orders"),
        Owner("etl", "orders", "lake/other"),
    ],
)
def test_another_pipeline_is_refused_in_one_sentence(tmp_path, other):
    checkpoint_at(tmp_path).begin(OWNER, LANDED)
    with pytest.raises(PipelineError, match="belongs to the pipeline etl from topic orders to"):
        checkpoint_at(tmp_path).landed(other)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"pipeline": "etl"}'])
def test_a_folder_of_something_else_is_refused(tmp_path, text):
    (tmp_path / "checkpoint").mkdir()
    (tmp_path / "checkpoint" / "pipeline.json").write_text(text)
    with pytest.raises(PipelineError, match="is no checkpoint of a pipeline"):
        checkpoint_at(tmp_path).landed(OWNER)


def test_spark_keeps_its_part_beside_it(tmp_path):
    assert checkpoint_at(tmp_path).query_path == f"{tmp_path}/checkpoint/query"


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ('v1\n{"batchWatermarkMs": 0}\n{"orders": {"0": 7}}', {TopicPartition("orders", 0): 7}),
        ('v1\n{"batchWatermarkMs": 0}\n{"logOffset": 3}', {}),
        ("", {}),
        ("not written to the end", {}),
    ],
)
def test_where_a_batch_ends_stands_in_sparks_part(tmp_path, text, ends):
    checkpoint = checkpoint_at(tmp_path)
    assert checkpoint.ends_of(4) == {}
    offsets = tmp_path / "checkpoint" / "query" / "offsets"
    offsets.mkdir(parents=True)
    (offsets / "4").write_text(text)
    assert checkpoint.ends_of(4) == ends
