"""A pipeline seen from outside, by its checkpoint and its lake."""

from __future__ import annotations

import json

import pytest

from moldau.client import TopicPartition
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.programs.pipelines.checkpoints import Checkpoint, Owner
from moldau.programs.pipelines.errors import PipelineError
from moldau.programs.pipelines.reconciliation import Counts, note
from moldau.programs.pipelines.state import read_state
from moldau.programs.pipelines.tables import LakeTables


def checkpoint_of(path, batches=0, topic="orders", step=10):
    """With so many batches whole, and one more begun."""
    lake, folder = f"{path}/lake", path / "checkpoint"
    checkpoint = Checkpoint(str(folder), SystemFiles())
    checkpoint.begin(Owner("etl", topic, lake), {"bronze": {}})
    tables = LakeTables(lake, {}, {}, "query", SystemClock())
    for name in ("offsets", "commits"):
        (folder / "query" / name).mkdir(parents=True)
    for batch in range(batches + 1):
        ends = json.dumps({topic: {"0": step * (batch + 1), "1": 5}})
        (folder / "query" / "offsets" / str(batch)).write_text(f"v1\n{{}}\n{ends}")
    for batch in range(batches):
        (folder / "query" / "commits" / str(batch)).write_text("v1\n{}")
        note(tables, batch, Counts(read=10, known=0, good=9, rejected={"late": 1}), 500)
    return str(folder)


def test_the_last_whole_batch_says_how_far_it_is(tmp_path):
    state = read_state(checkpoint_of(tmp_path, 12), SystemFiles(), {})
    assert (state.owner.pipeline, state.owner.topic, state.batch) == ("etl", "orders", 11)
    assert state.ends == {TopicPartition("orders", 0): 120, TopicPartition("orders", 1): 5}
    assert (state.reconciled.read, state.reconciled.rejected) == (120, 12)


def test_tables_that_the_pipeline_has_are_held_against_its_batches(tmp_path):
    state = read_state(checkpoint_of(tmp_path, 1), SystemFiles(), {})
    assert state.reconciled.differences == ["bronze has 0 rows, and the batches gave it 10"]


def test_before_the_first_batch_nothing_is_known(tmp_path):
    state = read_state(checkpoint_of(tmp_path), SystemFiles(), {})
    assert (state.batch, state.ends, state.reconciled.batches) == (None, {}, [])


def test_a_folder_that_is_no_checkpoint_is_a_sentence(tmp_path):
    with pytest.raises(PipelineError, match="has no pipeline's checkpoint"):
        read_state(str(tmp_path), SystemFiles(), {})
