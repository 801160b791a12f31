"""Where partitions lie; three brokers are in the long test of the pages."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from moldau.client import TopicPartition
from moldau.client.admin import Outcomes
from moldau.programs.console.changes.partitions import PARTITION_KINDS


def test_a_move_is_shown_as_the_file_that_the_tool_reads(console, topic):
    broker = console.get("/cluster")["brokers"][0]["id"]
    plan = console.plan("reassign", topic=topic, replicas={"0": [broker]})
    assert plan["differences"] == [[f"{topic}-0", str(broker), str(broker)]]
    moves = json.loads(plan["command"].splitlines()[0].split("'")[1])
    assert moves["partitions"] == [{"topic": topic, "partition": 0, "replicas": [broker]}]
    assert plan["undo"][0] == "reassign"


def test_a_broker_that_is_not_there_is_named(console, topic):
    body = {"topic": topic, "replicas": {"0": [77]}}
    status, sentence = console.refusal("POST", "/changes/reassign/plan", body)
    assert (status, "no broker 77" in sentence) == (400, True)
    for number in ("5", "9" * 5000):
        body = {"topic": topic, "replicas": {number: [1]}}
        assert console.refusal("POST", "/changes/reassign/plan", body)[0] == 400


def test_where_all_topics_are_led_by_their_first_replicas_none_is_elected(console, topic):
    status, sentence = console.refusal("POST", "/changes/elect-leaders/plan", {})
    assert (status, "all topics" in sentence) == (409, True)


def test_what_needs_no_change_is_a_sentence(console, topic):
    for kind in ("elect-leaders", "cancel-reassignment"):
        assert console.refusal("POST", f"/changes/{kind}/plan", {"topic": topic})[0] == 409


class Moving:
    """Of a cluster in which one partition moves."""

    async def list_partition_reassignments(self):
        return {TopicPartition("a", 0): SimpleNamespace(replicas=[1, 2, 3])}


def test_the_command_that_stops_a_move_leaves_throttles_as_they_are():
    """As the change itself does; the tool lifts those of all brokers."""
    (cancel,) = [kind for kind in PARTITION_KINDS if kind.name == "cancel-reassignment"]
    settings = SimpleNamespace(servers="here:9092", config_file=None)
    reach: Any = SimpleNamespace(admin=Moving(), settings=settings)
    plan: Any = cancel.plan(reach, {"topic": "a"})
    assert asyncio.run(plan).command.endswith("moves.json --cancel --preserve-throttles")


def placed(name, *leaders):
    """A topic whose first replicas are on broker 1."""
    partitions = [
        SimpleNamespace(partition=number, leader=leader, replicas=[1, 2])
        for number, leader in enumerate(leaders)
    ]
    return SimpleNamespace(name=name, partitions=partitions)


class Admin:
    """Of a cluster whose topics come in two pages."""

    TOPICS = (placed("a", 2, 1), placed("b", 1), placed("c", None))

    def __init__(self):
        self.elected = None

    async def describe_first_topics(self, *, partitions, begin):
        found = self.TOPICS[2:] if begin else self.TOPICS[:2]
        return SimpleNamespace(
            topics={one.name: one for one in found}, next_topic=None if begin else "c"
        )

    async def elect_leaders(self, parts):
        self.elected = parts
        return Outcomes(dict.fromkeys(parts), {})


@pytest.mark.parametrize(
    ("given", "words", "led"),
    [
        ({}, "--all-topic-partitions", {("a", 0): "2", ("c", 0): "None"}),
        ({"topic": "a"}, "--path-to-json-file elect.json", {("a", 0): "2"}),
    ],
)
def test_first_replicas_that_do_not_lead_are_elected(given, words, led):
    admin = Admin()

    async def topic(name):
        return next(one for one in Admin.TOPICS if one.name == name)

    settings = SimpleNamespace(servers="here:9092", config_file=None)
    reach: Any = SimpleNamespace(admin=admin, settings=settings, topic=topic)
    (elect,) = [kind for kind in PARTITION_KINDS if kind.name == "elect-leaders"]

    async def elected():
        change = await elect.plan(reach, given)
        await change.run()
        return change

    change = asyncio.run(elected())
    assert change.command.endswith(f"--election-type preferred {words}")
    parts = {TopicPartition(*part): leader for part, leader in led.items()}
    assert change.differences == [
        (f"leader of {part}", leader, "1") for part, leader in parts.items()
    ]
    assert admin.elected == list(parts)
