"""Transactions that librdkafka has begun, and ending one that hangs."""

import uuid

from tests.programs.console.open_transaction import open_transaction


def test_an_open_transaction_is_shown_and_ended(console, topic):
    name = f"tx-{uuid.uuid4().hex[:8]}"
    open_transaction(console.bootstrap, name, topic)
    one = next(one for one in console.get("/transactions") if one["id"] == name)
    assert (one["state"], one["partitions"]) == ("Ongoing", [f"{topic}-0"])
    assert one["open_ms"] >= 0
    (state,) = console.get(f"/topics/{topic}/producers")
    assert state["transaction_start"] == 0
    plan = console.plan("abort-transaction", topic=topic, partition=0, start_offset=0)
    assert "abort --topic" in plan["command"]
    done = console.run("terminate-transaction", id=name)
    assert done["differences"][0][1:] == ["Ongoing", "aborted"]
    (state,) = console.get(f"/topics/{topic}/producers")
    assert state["transaction_start"] is None


def test_a_transaction_that_has_ended_is_not_open(console, topic):
    name = f"tx-{uuid.uuid4().hex[:8]}"
    open_transaction(console.bootstrap, name, topic).commit_transaction(60)
    (one,) = [one for one in console.get("/transactions") if one["id"] == name]
    while one["state"] == "PrepareCommit":
        (one,) = [one for one in console.get("/transactions") if one["id"] == name]
    assert (one["state"], one["open_ms"]) == ("CompleteCommit", None)


def test_nothing_moves_on_one_broker(console):
    assert console.get("/reassignments") == []
