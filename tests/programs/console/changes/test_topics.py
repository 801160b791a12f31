"""Creating, widening and deleting."""

import uuid

from tests.programs.console.shell import pasted


def test_a_topic_is_created_copied_widened_and_deleted(console):
    name = f"made-{uuid.uuid4().hex[:8]}"
    console.run("create-topic", topic=name, partitions=2, configs={"cleanup.policy": "compact"})
    plan = console.plan("copy-topic", topic=name, to=f"{name}.copy")
    assert ["cleanup.policy", None, "compact"] in plan["differences"]
    assert plan["undo"] == ["delete-topic", {"topic": f"{name}.copy"}]
    console.run("copy-topic", topic=name, to=f"{name}.copy")
    done = console.run("add-partitions", topic=f"{name}.copy", partitions=5)
    assert done["differences"] == [[f"partitions of {name}.copy", "2", "5"]]
    assert len(console.get(f"/topics/{name}.copy")["partitions"]) == 5
    console.run("delete-topic", topic=name)
    assert console.refusal("GET", f"/topics/{name}")[0] == 404


def test_what_cannot_be_created_is_refused_before_it_is_shown(console, topic):
    status, sentence = console.refusal("POST", "/changes/create-topic/plan", {"topic": topic})
    assert (status, topic in sentence) == (400, True)
    body = {"topic": "x", "configs": {"retention.ms": 5}}
    assert console.refusal("POST", "/changes/create-topic/plan", body)[0] == 400


def test_the_command_touches_the_topic_alone_whatever_its_name_is_as_an_expression(
    console, tmp_path
):
    """`topics --topic` takes a regular expression, in which a dot is any letter."""
    name = f"a.{uuid.uuid4().hex[:8]}"
    other = name.replace(".", "x")
    for one in (name, other):
        console.make(one)
    pasted(console.plan("add-partitions", topic=name, partitions=3)["command"], tmp_path)
    assert len(console.get(f"/topics/{name}")["partitions"]) == 3
    assert len(console.get(f"/topics/{other}")["partitions"]) == 1
    pasted(console.plan("delete-topic", topic=name)["command"], tmp_path)
    assert console.refusal("GET", f"/topics/{name}")[0] == 404
    console.make(name)
    pasted(console.plan("delete-topics", topics=[name])["command"], tmp_path)
    assert console.refusal("GET", f"/topics/{name}")[0] == 404
    assert console.get(f"/topics/{other}")["name"] == other
