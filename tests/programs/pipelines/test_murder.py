"""A topic becomes a table under murder: each record once, checked by value.

The whole pipeline, Spark's Python workers and the broker are killed at moments drawn from the seed,
while records go from the topic to Delta tables that are compacted on the way.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter

import pytest
from deltalake import DeltaTable

from moldau.programs.pipelines.events import Event
from moldau.programs.pipelines.reconciliation import reconcile
from tests.judges.moldau_node import MoldauNode
from tests.programs.pipelines.murdered import RAW, RunningPipeline
from tests.programs.pipelines.running import write_events
from tests.spark.topics import FIRST_MS, Topics

RECORDS = 100_000
PIECE = 20_000
"""librdkafka's queue holds a few times as many."""
PARTITIONS = 3
VICTIMS = ["pipeline"] * 4 + ["workers"] * 4 + ["broker"] * 3
TABLES = ["bronze", "silver", "dead_letters"]
JSON = ("schema=id bigint", *RAW[1:])
SPOILT_EVERY = 10
"""Of the records of JSON; these go through Spark, and the others past it."""
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
    """Until some more of it is done, and a moment that cannot be foreseen."""
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


def values_of(form):
    """Good ones and spoilt ones."""
    if form == "raw":
        return [f"v{number}".encode() for number in range(RECORDS)], []
    spoilt = range(0, RECORDS, SPOILT_EVERY)
    good = [b'{"id": %d}' % number for number in range(RECORDS) if number % SPOILT_EVERY]
    return good, [b'{"id": "%d"}' % number for number in spoilt]


def made(topics, form):
    """A topic with them."""
    if form == "raw":
        return topics.make(PARTITIONS, RECORDS)
    topic = topics.make(PARTITIONS)
    good, spoilt = values_of(form)
    events = [Event(b"%d" % at, value, FIRST_MS, "") for at, value in enumerate(good + spoilt)]
    shuffled = random.Random(0).sample(events, len(events))
    for start in range(0, RECORDS, PIECE):
        write_events(topics.bootstrap, topic, shuffled[start : start + PIECE])
    return topic


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("form", ["raw", "json"])
def test_every_record_is_there_once_whichever_process_is_killed(broker, tmp_path, seed, form):
    draw = random.Random(seed)
    topic = made(Topics(broker.bootstrap), form)
    victims = draw.sample(VICTIMS, len(VICTIMS))
    settings = RAW if form == "raw" else JSON
    pipeline = RunningPipeline(tmp_path, broker.bootstrap, topic, settings=settings)
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
    good, spoilt = values_of(form)
    bronze = DeltaTable(f"{lake}/bronze").to_pyarrow_table(columns=["partition", "offset", "value"])
    assert Counter(bronze["value"].to_pylist()) == Counter(good + spoilt)
    column = "value" if form == "raw" else "id"
    silver = DeltaTable(f"{lake}/silver").to_pyarrow_table(columns=[column])
    wanted = good if form == "raw" else [json.loads(value)["id"] for value in good]
    assert Counter(silver[column].to_pylist()) == Counter(wanted)
    places = Counter(
        zip(bronze["partition"].to_pylist(), bronze["offset"].to_pylist(), strict=True)
    )
    assert len(places) == places.total() == RECORDS
    assert reconcile(lake, {}, TABLES).differences == []
