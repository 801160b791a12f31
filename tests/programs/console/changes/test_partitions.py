"""Where partitions lie; three brokers are in the long test of the pages."""

import json


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
