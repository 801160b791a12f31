"""Creating, widening and deleting."""

import uuid


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
