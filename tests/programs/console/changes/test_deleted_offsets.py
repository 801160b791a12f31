"""Offsets of a group in one topic are deleted; others stay, and so do those that members read."""

import uuid

from confluent_kafka import Consumer, TopicPartition

from moldau.client import ShareConsumer


def reader(console):
    name = f"group-{uuid.uuid4().hex[:8]}"
    return name, Consumer({"bootstrap.servers": console.bootstrap, "group.id": name})


def committed(console, group):
    found = console.get(f"/groups/{group}")["offsets"]
    return {one["topic"]: one["committed"] for one in found}


def test_offsets_of_one_topic_are_forgotten_and_restored(console, topic):
    other = console.make(f"{topic}.other")
    for name in (topic, other):
        console.send(name, *"abc")
    group, consumer = reader(console)
    offsets = [TopicPartition(topic, 0, 2), TopicPartition(other, 0, 1)]
    consumer.commit(offsets=offsets, asynchronous=False)
    consumer.close()
    plan = console.plan("delete-offsets", group=group, topic=topic)
    assert plan["differences"] == [[f"{topic}-0", "2", None]]
    assert plan["command"].endswith(f"--delete-offsets --group {group} --topic {topic}")
    done = console.run("delete-offsets", group=group, topic=topic)
    assert committed(console, group) == {other: 1}
    kind, body = done["undo"]
    console.run(kind, **body)
    assert committed(console, group) == {topic: 2, other: 1}


def test_a_topic_that_members_read_is_not_forgotten(console, topic):
    console.send(topic, "a")
    group, consumer = reader(console)
    consumer.subscribe([topic])
    consumer.poll(10)
    consumer.commit(offsets=[TopicPartition(topic, 0, 1)], asynchronous=False)
    body = {"group": group, "topic": topic}
    status, sentence = console.refusal("POST", "/changes/delete-offsets", body)
    assert (status, "still subscribe" in sentence) == (409, True)
    consumer.close()


def test_offsets_of_a_share_group_are_forgotten_too(console, topic):
    group = f"share-{uuid.uuid4().hex[:8]}"
    with ShareConsumer(console.bootstrap, group_id=group) as member:
        member.subscribe(topic)
        member.poll(1)
        while committed(console, group).get(topic) is None:
            console.send(topic, "a")
            member.poll(1)
    plan = console.plan("delete-offsets", group=group, topic=topic)
    assert "moldau share-groups" in plan["command"]
    console.run("delete-offsets", group=group, topic=topic)
    assert committed(console, group) == {}


def test_a_topic_that_it_never_read_and_a_group_that_is_none_are_refused(console, topic):
    body = {"group": "no-such-group", "topic": topic}
    assert console.refusal("POST", "/changes/delete-offsets/plan", body)[0] == 404
    group, consumer = reader(console)
    consumer.commit(offsets=[TopicPartition(topic, 0, 0)], asynchronous=False)
    consumer.close()
    body = {"group": group, "topic": "another"}
    status, sentence = console.refusal("POST", "/changes/delete-offsets/plan", body)
    assert (status, "has no offsets in another" in sentence) == (404, True)
