"""What is run is what was shown, and it is written down."""

import uuid


def test_a_plan_changes_nothing(console):
    name = f"planned-{uuid.uuid4().hex[:8]}"
    console.plan("create-topic", topic=name)
    assert console.refusal("GET", f"/topics/{name}")[0] == 404


def test_what_has_changed_since_it_was_shown_is_not_run(console, topic):
    plan = console.plan("add-partitions", topic=topic, partitions=4)
    console.run("add-partitions", topic=topic, partitions=2)
    body = {"topic": topic, "partitions": 4, "expected": plan["differences"]}
    status, sentence = console.refusal("POST", "/changes/add-partitions", body)
    assert (status, "look at it again" in sentence) == (409, True)
    assert len(console.get(f"/topics/{topic}")["partitions"]) == 2


def test_a_request_that_is_sent_again_changes_nothing_again(console, topic):
    sent = [console.run("produce", topic=topic, value="a", once=topic) for _ in range(2)]
    assert [one["result"]["offset"] for one in sent] == [0, 0]
    console.run("produce", topic=topic, value="a", once=f"{topic}-2")
    assert console.get(f"/topics/{topic}")["partitions"][0]["end"] == 2


def test_each_change_leaves_a_line(console, topic):
    console.run("alter-configs", of="topic", name=topic, set={"retention.ms": "7"})
    line = next(one for one in console.get("/audit") if f"--topic {topic} " in one["command"])
    assert (line["failure"], "retention.ms=7" in line["command"]) == (None, True)


def test_a_kind_that_is_none_is_not_found(console):
    assert console.raw("POST", "/api/changes/fly", {})[0] == 404
