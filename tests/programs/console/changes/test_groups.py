"""Moving offsets and deleting groups; what is moved is what the next consumer reads."""

import uuid

import pytest
from confluent_kafka import Consumer, TopicPartition

from moldau.client import ShareConsumer
from tests.programs.console.shell import pasted


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


def test_an_undo_forgets_offsets_where_there_were_none(console, topic, group, tmp_path):
    other = console.make(f"{topic}.other", partitions=2)
    given = {"group": group, "topic": other, "to": "earliest"}
    shown = console.plan("reset-offsets", **given)
    assert shown["differences"] == [[f"{other}-0", None, "0"], [f"{other}-1", None, "0"]]
    kind, body = console.run("reset-offsets", **given)["undo"]
    undo = console.plan(kind, **body)
    assert undo["differences"] == [[f"{other}-0", "0", None], [f"{other}-1", "0", None]]
    assert undo["command"].endswith(f"--delete-offsets --group {group} --topic {other}:0,1")
    again = console.run(kind, **body)["undo"]
    assert offsets_of(console, group) == {f"{topic}-0": 2}
    console.run(again[0], **again[1])
    assert offsets_of(console, group) == {f"{topic}-0": 2, f"{other}-0": 0, f"{other}-1": 0}
    pasted(undo["command"], tmp_path)
    assert offsets_of(console, group) == {f"{topic}-0": 2}


def test_offsets_one_by_one_stay_in_their_logs_as_the_command_does(console, topic, group, tmp_path):
    plan = console.plan("restore-offsets", group=group, offsets={f"{topic}-0": 10**12})
    assert plan["differences"] == [[f"{topic}-0", "2", "5"]]
    assert "nearest" in plan["warning"]
    assert (
        console.plan("restore-offsets", group=group, offsets={f"{topic}-0": 4})["warning"] is None
    )
    pasted(plan["command"], tmp_path)
    assert offsets_of(console, group) == {f"{topic}-0": 5}


@pytest.mark.parametrize(
    ("offsets", "sentence"),
    [
        ({}, "1 to 10000 partitions"),
        ({f"t-{number}": 0 for number in range(10_001)}, "1 to 10000 partitions"),
        ({"-0": 2**63}, "no offset from 0 to"),
        ({"-0": -1}, "no offset from 0 to"),
        ({"-0": "1"}, "no offset from 0 to"),
        ({"-7": 1}, "has no partition 7"),
        ({".none-0": 1}, "There is no topic"),
    ],
)
def test_offsets_one_by_one_are_bounded(console, topic, group, offsets, sentence):
    given = {f"{topic}{name}" if name[0] in "-." else name: to for name, to in offsets.items()}
    body = {"group": group, "offsets": given}
    status, found = console.refusal("POST", "/changes/restore-offsets/plan", body)
    assert (status in (400, 404), sentence in found) == (True, True), found


def test_a_share_group_is_moved_by_offset_and_back(console, topic, tmp_path):
    console.send(topic, *"abc")
    name = f"share-{uuid.uuid4().hex[:8]}"
    with ShareConsumer(console.bootstrap, group_id=name) as member:
        member.subscribe(topic)
        member.poll(1)
        while offsets_of(console, name).get(f"{topic}-0") is None:
            console.send(topic, "more")
            member.poll(1)
    before = offsets_of(console, name)
    given = {"group": name, "topic": topic, "to": "offset", "offset": 1}
    plan = console.plan("reset-offsets", **given)
    pasted(plan["command"], tmp_path)
    assert offsets_of(console, name) == {f"{topic}-0": 1}
    kind, body = "restore-offsets", {"group": name, "offsets": before}
    pasted(console.plan(kind, **body)["command"], tmp_path)
    assert offsets_of(console, name) == before
    other = console.make(f"{topic}.shared")
    kind, body = console.run("reset-offsets", group=name, topic=other, to="latest")["undo"]
    console.run(kind, **body)
    assert offsets_of(console, name) == before


def offsets_of(console, group):
    found = console.get(f"/groups/{group}")["offsets"]
    return {f"{one['topic']}-{one['partition']}": one["committed"] for one in found}
