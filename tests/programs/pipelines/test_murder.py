"""A topic becomes a table under murder: each record once, checked by value.

The whole pipeline, Spark's Python workers and the broker are killed at moments drawn from the seed,
while records go from the topic to Delta tables that are compacted on the way.
"""

from __future__ import annotations

import random
import time
from collections import Counter

import pytest
from deltalake import DeltaTable

from moldau.programs.pipelines.reconciliation import reconcile
from tests.judges.moldau_node import MoldauNode
from tests.programs.pipelines.murdered import RunningPipeline
from tests.spark.topics import Topics

RECORDS = 100_000
PARTITIONS = 3
VICTIMS = ["pipeline"] * 4 + ["workers"] * 4 + ["broker"] * 3
TABLES = ["bronze", "silver", "dead_letters"]
PATIENCE_S = 600
EARLY = 0.3
"""How often death comes before the first batch of a life, instead of after one."""


@pytest.fixture
def broker(tmp_path):
    folder = tmp_path / "broker"
    folder.mkdir()
    node = MoldauNode(folder)
    node.start()
    yield node
    node.kill()


def wait_for_work(pipeline, draw):
    """Until some more of it is done, and a moment that nobody can foresee."""
    if draw.random() < EARLY:
        time.sleep(draw.uniform(1, 20))
        return
    before, deadline = pipeline.batches, time.monotonic() + PATIENCE_S
    while pipeline.batches == before and pipeline.is_running:
        assert time.monotonic() < deadline, pipeline.last_words()
        time.sleep(0.1)
    time.sleep(draw.uniform(0, 3))


def murder(victim, pipeline, broker):
    """Whether there was one to kill: a pipeline that begins has no workers yet."""
    was_running = pipeline.is_running
    match victim:
        case "pipeline":
            pipeline.kill()
        case "workers":
            return pipeline.kill_workers() > 0
        case _:
            broker.kill()
            broker.start()
            return True
    return was_running


def run_to_the_end(pipeline):
    """Without another death; what a death before left behind may end one life more."""
    for _ in range(3):
        if not pipeline.is_running:
            pipeline.start()
        deadline = time.monotonic() + PATIENCE_S
        while pipeline.is_running:
            assert time.monotonic() < deadline, pipeline.last_words()
            time.sleep(0.5)
        if pipeline.exit_code == 0:
            return
    raise AssertionError(pipeline.last_words())


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(7_200)
def test_every_record_is_there_once_whoever_is_killed(broker, tmp_path, seed):
    draw = random.Random(seed)
    topics = Topics(broker.bootstrap)
    topic = topics.make(PARTITIONS, RECORDS)
    victims = draw.sample(VICTIMS, len(VICTIMS))
    pipeline = RunningPipeline(tmp_path, broker.bootstrap, topic)
    killed: Counter[str] = Counter()
    try:
        for victim in victims:
            if not pipeline.is_running:
                pipeline.start()
            wait_for_work(pipeline, draw)
            killed[victim] += murder(victim, pipeline, broker)
        run_to_the_end(pipeline)
    finally:
        pipeline.kill()

    print("killed:", dict(killed))
    assert killed["workers"] > 0, "some of them were there to be killed"
    lake = str(tmp_path / "lake")
    silver = DeltaTable(f"{lake}/silver").to_pyarrow_table(columns=["value"])
    values = Counter(silver["value"].to_pylist())
    assert values == Counter(f"v{number}".encode() for number in range(RECORDS))
    bronze = DeltaTable(f"{lake}/bronze").to_pyarrow_table(columns=["partition", "offset"])
    places = Counter(
        zip(bronze["partition"].to_pylist(), bronze["offset"].to_pylist(), strict=True)
    )
    assert len(places) == places.total() == RECORDS
    assert reconcile(lake, {}, TABLES).differences == []
