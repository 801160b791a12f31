"""Transactions that are at no coordinator, among those that one will end."""

import uuid

from tests.programs.console.hung_transaction import hang
from tests.programs.console.open_transaction import open_transaction


def hanging_in(console, topic, minutes=0):
    found = console.get(f"/transactions/hanging?minutes={minutes}")["hanging"]
    return [one for one in found if one["topic"] == topic]


def test_one_that_hangs_is_found_and_ended(console, topic):
    producer_id = hang(console, topic, 0, f"lost-{uuid.uuid4().hex[:8]}")
    (one,) = hanging_in(console, topic)
    assert (one["producer_id"], one["partition"], one["start_offset"]) == (producer_id, 0, 0)
    assert hanging_in(console, topic, minutes=15) == [], "it has only begun"
    console.run("abort-transaction", topic=topic, partition=0, start_offset=0)
    assert hanging_in(console, topic) == []


def test_one_that_its_coordinator_will_end_does_not_hang(console, topic):
    name = f"tx-{uuid.uuid4().hex[:8]}"
    producer = open_transaction(console.bootstrap, name, topic)
    assert hanging_in(console, topic) == []
    producer.abort_transaction(60)


def test_all_partitions_are_looked_at(console, topic):
    found = console.get("/transactions/hanging")
    assert found["partitions"] >= 1
    assert found["unseen"] == 0


def test_minutes_that_are_no_number_are_refused(console):
    status, sentence = console.refusal("GET", "/transactions/hanging?minutes=soon")
    assert (status, sentence) == (400, "minutes is a number from 0 to 527040")
