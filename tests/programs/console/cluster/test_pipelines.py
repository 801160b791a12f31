"""Pipelines of Spark on a page, by their checkpoints."""

from __future__ import annotations

import time

from moldau.client import TopicPartition
from moldau.programs.console.cluster.pipelines import shown_state
from moldau.programs.pipelines.checkpoints import Owner
from moldau.programs.pipelines.events import Event
from moldau.programs.pipelines.reconciliation import Reconciled
from moldau.programs.pipelines.state import PipelineState
from tests.programs.console.running_console import RunningConsole
from tests.programs.pipelines.running import write_events
from tests.programs.pipelines.test_state import checkpoint_of

HOUR_MS, DAY_MS = 3_600_000, 86_400_000
PART = TopicPartition("orders", 0)
ROW = {"query": "q", "batch": 0, "read": 3, "good": 3, "rejected": 0, "known": 0, "took_ms": 2000}


def state(batch=0, rows=(ROW,)):
    reconciled = Reconciled([*rows], read=3, known=0, good=3, rejected=0, rows={"bronze": 3})
    return PipelineState(Owner("etl", "orders", "lake"), batch, {PART: 3}, reconciled)


def test_lag_is_what_came_after_the_last_whole_batch_in_new_partitions_too():
    ends = {PART: 10, TopicPartition("orders", 1): 2}
    shown = shown_state("at", state(), ends)
    assert (shown["lag"], shown["rate"], shown["differences"]) == (9, 2, [])


def test_lag_that_cannot_be_known_is_none():
    assert shown_state("at", state(), None)["lag"] is None
    assert shown_state("at", state(), None)["lag_ms"] is None
    assert shown_state("at", state(None, ()), {PART: 1})["lag"] is None
    assert shown_state("at", state(None, ()), {PART: 1})["rate"] is None


def test_of_many_batches_the_last_are_shown():
    shown = shown_state("at", state(0, [{**ROW, "batch": one} for one in range(80)]), None)
    assert [row["batch"] for row in shown["batches"]] == [*range(30, 80)]


def test_a_console_that_was_given_none_shows_none(console):
    assert console.get("/pipelines") == []


def test_a_pipeline_is_shown_beside_its_topic_and_what_is_none_has_a_sentence(
    console, topic, tmp_path
):
    checkpoint, now_ms = checkpoint_of(tmp_path, 1, topic, 2), time.time_ns() // 1_000_000
    ages_ms = (9 * DAY_MS, 8 * DAY_MS, HOUR_MS)
    write_events(console.bootstrap, topic, [Event(b"k", b"v", now_ms - age, "") for age in ages_ms])
    running = RunningConsole(
        *(tmp_path, "console", "--bootstrap-server", console.bootstrap),
        *("--listen", "127.0.0.1:0", "--pipeline", checkpoint, "--pipeline", f"{tmp_path}/none"),
    )
    shown, none = running.get("/pipelines")
    running.stop()
    assert (shown["pipeline"], shown["batch"], shown["rate"]) == ("etl", 0, 20)
    assert (shown["lag"], shown["problem"]) == (1, None)
    assert HOUR_MS <= shown["lag_ms"] < DAY_MS
    assert "has no pipeline's checkpoint" in none["problem"]
