"""A copy of a pipeline runs as it lies there, and Ctrl-C and SIGTERM end it with one line.

Real processes and real signals: while Spark starts, in a batch, and while the queries are stopped.
What was cut off is run again, and every record is there once.
"""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import pytest
from deltalake import DeltaTable

from moldau.programs.pipelines import etl
from tests.judges.java_for_spark import need_java
from tests.programs.pipelines.murdered import RunningPipeline

RECORDS = 400
BATCH = 200
MOMENTS = 8
TWICE = 0.5
"""How often a second signal comes while the first is still followed."""
PATIENCE_S = 300
CLOSING = "; the same command goes on behind the last whole batch"
OURS = ("Spark starts on local[2]", "batch ", "  batch ", "compaction: ", "it adds up: ")


@pytest.fixture
def pipeline(tmp_path, broker, topics):
    need_java()
    copy = tmp_path / "my_pipeline.py"
    copy.write_text(Path(etl.__file__).read_text())
    topic = topics.make(3, RECORDS)
    more = ("--set", f"batch_size={BATCH}", "--report", str(tmp_path / "report.html"))
    made = RunningPipeline(tmp_path, broker.bootstrap, topic, more, name=str(copy))
    yield made
    made.kill()


def wait_until(pipeline, is_so):
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, pipeline.last_words()
        time.sleep(0.05)


def wait_for_line(pipeline, beginning):
    before = len(pipeline.lines)
    pipeline.start()
    wait_until(
        pipeline,
        lambda: (
            not pipeline.is_running
            or any(line.startswith(beginning) for line in pipeline.lines[before:])
        ),
    )
    assert pipeline.is_running, pipeline.last_words()


def ensure_ended(pipeline, number):
    pipeline.await_end(PATIENCE_S)
    assert pipeline.exit_code == 128 + number
    assert pipeline.lines[-1] == f"moldau pipeline: ended by {number.name}{CLOSING}"
    wait_until(pipeline, lambda: not pipeline.left_over())


def ensure_complete(pipeline, folder):
    """Run it to the end: every record is there once, and nothing but our own lines was written."""
    pipeline.start()
    pipeline.await_end(PATIENCE_S)
    assert pipeline.exit_code == 0, pipeline.last_words()
    strange = [
        line for line in pipeline.lines if not line.startswith(OURS) and not line.endswith(CLOSING)
    ]
    assert strange == []
    silver = DeltaTable(folder / "lake" / "silver").to_pyarrow_table(columns=["value"])
    values = sorted(silver["value"].to_pylist())
    assert values == sorted(f"v{number}".encode() for number in range(RECORDS))
    assert pipeline.lines[-1] == f"it adds up: {RECORDS:,} in = {RECORDS:,} out + 0 rejected"


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_copy_of_etl_is_interrupted_and_loses_nothing(pipeline, tmp_path):
    wait_for_line(pipeline, "Spark starts")
    pipeline.signal(signal.SIGINT, to_all=True)
    ensure_ended(pipeline, signal.SIGINT)

    wait_for_line(pipeline, "batch 0: ")
    pipeline.signal(signal.SIGTERM)
    ensure_ended(pipeline, signal.SIGTERM)
    assert "It adds up" in (tmp_path / "report.html").read_text()

    ensure_complete(pipeline, tmp_path)


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(3_600)
def test_whenever_it_is_interrupted_it_ends_with_one_line(pipeline, tmp_path, seed):
    draw = random.Random(seed)
    for _ in range(MOMENTS):
        wait_for_line(pipeline, "Spark starts")
        time.sleep(draw.uniform(0, 25))
        if not pipeline.is_running:
            continue
        first = draw.choice([signal.SIGINT, signal.SIGTERM])
        pipeline.signal(first, to_all=first is signal.SIGINT)
        if draw.random() < TWICE:
            time.sleep(draw.uniform(0, 2))
            if pipeline.is_running:
                pipeline.signal(signal.SIGINT, to_all=True)
        ensure_ended(pipeline, first)
    ensure_complete(pipeline, tmp_path)
