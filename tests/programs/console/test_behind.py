"""Samples of groups, and the operation at a group whose consumer has gone."""

import uuid

from confluent_kafka import Consumer, TopicPartition

from moldau.programs.console.behind import GROUPS_MAX, KEPT_MS, GroupSamples
from moldau.programs.console.lag_facts import Sample


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
