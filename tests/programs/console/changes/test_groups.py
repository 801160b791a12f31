"""Moving offsets and deleting groups; what is moved is what the next consumer reads."""

import uuid

import pytest
from confluent_kafka import Consumer, TopicPartition


@pytest.fixture
def group(console, topic):
    """At the offset 2 of 5, without members."""
    console.send(topic, *"abcde")
    name = f"group-{uuid.uuid4().hex[:8]}"
    consumer = Consumer({"bootstrap.servers": console.bootstrap, "group.id": name})
    consumer.commit(offsets=[TopicPartition(topic, 0, 2)], asynchronous=False)
    consumer.close()
    return name


@pytest.mark.parametrize(
    ("given", "offset", "flag"),
    [
        ({"to": "earliest"}, 0, "--to-earliest"),
        ({"to": "latest"}, 5, "--to-latest"),
        ({"to": "shift", "by": -1}, 1, "--shift-by -1"),
        ({"to": "shift", "by": -99}, 0, "--shift-by -99"),
        ({"to": "offset", "offset": 4}, 4, "--to-offset 4"),
        ({"to": "time", "time": 1000}, 0, "--to-datetime 1970-01-01T00:00:01.000Z"),
    ],
)
def test_offsets_are_moved_and_restored(console, topic, group, given, offset, flag):
    plan = console.plan("reset-offsets", group=group, topic=topic, **given)
    after = "the end" if given["to"] == "latest" else str(offset)
    assert plan["differences"] == [[f"{topic}-0", "2", after]]
    assert plan["command"].endswith(f"--topic {topic} {flag} --execute")
    done = console.run("reset-offsets", group=group, topic=topic, **given)
    assert console.get(f"/groups/{group}")["offsets"][0]["committed"] == offset
    kind, body = done["undo"]
    console.run(kind, **body)
    assert console.get(f"/groups/{group}")["offsets"][0]["committed"] == 2


def test_a_group_is_deleted_with_its_offsets(console, topic, group):
    done = console.run("delete-group", group=group)
    assert [f"{topic}-0", "2", None] in done["differences"]
    assert console.refusal("GET", f"/groups/{group}")[0] == 404


def test_a_place_that_is_none_is_refused(console, group):
    body = {"group": group, "to": "moon"}
    assert console.refusal("POST", "/changes/reset-offsets/plan", body)[0] == 400
    body = {"group": group, "offsets": {"t-" + "9" * 5000: 1}}
    assert console.refusal("POST", "/changes/restore-offsets/plan", body)[0] == 400


def test_offsets_are_moved_to_the_end_though_records_come_meanwhile(console, topic):
    console.send(topic, "one")
    reader = Consumer({"bootstrap.servers": console.bootstrap, "group.id": f"{topic}.end"})
    reader.commit(offsets=[TopicPartition(topic, 0, 0)], asynchronous=False)
    reader.close()
    given = {"group": f"{topic}.end", "to": "latest"}
    shown = console.plan("reset-offsets", **given)
    assert shown["differences"] == [[f"{topic}-0", "0", "the end"]]
    console.send(topic, "two")
    console.run("reset-offsets", **given, expected=shown["differences"])
    (found,) = console.get(f"/groups/{topic}.end")["offsets"]
    assert found["committed"] == 2
