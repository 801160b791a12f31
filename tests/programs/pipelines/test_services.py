"""Orders end once: completed, failed, or stuck when nothing came for too long."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from pyspark.sql import Row

from moldau.programs.pipelines.order_events import order_events
from moldau.programs.pipelines.reconciliation import reconcile, rows_of
from moldau.programs.pipelines.services import STEPS, OrderLogic, ServiceSettings, run
from tests.programs.pipelines.running import forget_last_commit, job_on, write_events
from tests.spark.sink.reading import read_committed

COUNT = 500
UNTIL_MS = 1_795_000_000_000
LOGIC = OrderLogic(patience_s=100)


def event(what, at_s):
    return Row(order="o", event=what, at_us=at_s * 1_000_000)


def taken(state, *events):
    return [found for each in events for found in LOGIC.take(state, each)]


@pytest.mark.parametrize("order", [*permutations(STEPS)])
def test_an_order_is_completed_once_in_whatever_order_its_events_come(order):
    events = [event(step, index) for index, step in enumerate(order)]
    (found,) = taken({}, *events, *events)
    assert (found.outcome, found.seconds, found.done) == ("completed", 3, ",".join(STEPS))


def test_a_failure_ends_an_order_with_what_was_done():
    (found,) = taken({}, event("ordered", 0), event("paid failed", 9), event("packed", 10))
    assert (found.outcome, found.seconds, found.done) == ("failed", 9, "ordered")


def test_an_order_without_an_end_is_stuck_and_forgotten():
    state = dict[str, Any]()
    assert taken(state, event("paid", 7), event("ordered", 5)) == []
    assert LOGIC.deadline_ms(state) == 105_001
    (found,) = LOGIC.expire(state, 105_001)
    assert (found.outcome, found.began_us, found.done) == ("stuck", 5_000_000, "ordered,paid")
    assert state == {}


def test_an_order_that_is_over_is_forgotten_quietly():
    state = dict[str, Any]()
    taken(state, event("paid failed", 0))
    assert [*LOGIC.expire(state, 100_001)] == []
    assert state == {}


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(900)
def test_orders_end_as_they_were_drawn_and_commands_are_sent_once(spark, topics, tmp_path):
    source, commands = topics.make(2), topics.make(1)
    events = list(order_events(COUNT, 6, UNTIL_MS))
    write_events(topics.bootstrap, source, events)
    settings = ServiceSettings(commands=commands, batch_size=250)
    job = job_on(topics.bootstrap, source, tmp_path, spark)
    run(job, settings)
    for query in ("query", "orders"):
        forget_last_commit(tmp_path, query)
    run(job, settings)

    lake = str(tmp_path / "lake")
    orders = rows_of(f"{lake}/orders", {})
    assert max(Counter(row["order"] for row in orders).values()) == 1
    failed = {event.key.decode() for event in events if event.mark == "failed"}
    assert failed
    assert {row["order"] for row in orders if row["outcome"] == "failed"} == failed
    cut = {event.key.decode() for event in events if event.reason}
    completed = {event.key.decode() for event in events if event.mark == "completed"} - cut
    assert {row["order"] for row in orders if row["outcome"] == "completed"} == completed
    sent = [json.loads(each.value() or b"") for each in read_committed(topics.bootstrap, commands)]
    bad = [(row["order"], row["outcome"]) for row in orders if row["outcome"] != "completed"]
    assert sorted((each["order"], each["outcome"]) for each in sent) == sorted(bad)
    assert reconcile(lake, {}, ["bronze", "silver", "dead_letters"]).differences == []
