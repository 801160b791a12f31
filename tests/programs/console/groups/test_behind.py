"""Samples of groups, and the operation at a group whose consumer has gone."""

import time
import uuid
from contextlib import contextmanager

import pytest
from confluent_kafka import Consumer, TopicPartition

from moldau.programs.console.groups.behind import GROUPS_MAX, KEPT_MS, GroupSamples
from moldau.programs.console.groups.lag_facts import Sample

PATIENCE_S = 60


def test_a_sample_is_compared_with_the_oldest_that_is_kept():
    samples = GroupSamples()
    first = Sample(0, {}, {})
    assert samples.add("a", first) is first
    assert samples.add("a", Sample(KEPT_MS, {}, {})) is first
    assert samples.add("a", Sample(KEPT_MS + 1, {}, {})).time_ms == KEPT_MS
    for number in range(GROUPS_MAX):
        samples.add(f"g{number}", first)
    assert samples.add("a", first) is first


def test_a_group_without_members_is_named(console, topic):
    console.send(topic, *"abc")
    group = f"group-{uuid.uuid4().hex[:8]}"
    consumer = Consumer({"bootstrap.servers": console.bootstrap, "group.id": group})
    consumer.commit(offsets=[TopicPartition(topic, 0, 1)], asynchronous=False)
    consumer.close()
    found = console.get(f"/groups/{group}/behind?seconds=1")
    assert (found["finding"]["cause"], found["lag"]) == ("no_members", 2)
    assert f"group.id={group}" in found["finding"]["sentence"]
    assert found["partitions"][0]["rate_in"] == 0
    assert console.refusal("GET", "/groups/gone/behind")[0] == 404


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_the_last_rebalance_is_shown_with_its_reason(console, topic, protocol):
    group = f"group-{uuid.uuid4().hex[:8]}"
    with member(console, group, protocol, "stays", topic) as stays:
        until_owner(stays, 1)
        first = console.get(f"/groups/{group}/behind?seconds=1")
        assert first["rebalance"] is None
        with member(console, group, protocol, "comes", topic) as comes:
            joined = rebalance_of(console, group, [stays, comes], "joined")
        left = rebalance_of(console, group, [stays], "left")
    assert joined["why"].startswith("comes on ")
    assert left["why"].startswith("comes on ")
    assert first["watched_since"] <= left["after_ms"] < left["before_ms"]
    assert (left["epochs"] is None) == (protocol == "classic")


@contextmanager
def member(console, group, protocol, client, topic):
    settings = {"bootstrap.servers": console.bootstrap, "group.id": group, "client.id": client}
    quick = {"heartbeat.interval.ms": 300} if protocol == "classic" else {}
    consumer = Consumer({**settings, **quick, "group.protocol": protocol})
    consumer.subscribe([topic])
    yield consumer
    consumer.close()


def until_owner(consumer, partitions):
    deadline = time.monotonic() + PATIENCE_S
    while len(consumer.assignment()) != partitions:
        assert time.monotonic() < deadline
        consumer.poll(0.1)


def rebalance_of(console, group, members, verb):
    """As soon as one is over whose sentence has this verb; the members poll meanwhile."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        for one in members:
            one.poll(0.1)
        found = console.get(f"/groups/{group}/behind?seconds=1")["rebalance"]
        if found and not found["is_going_on"] and verb in found["why"]:
            return found
        assert time.monotonic() < deadline, found
