"""A record whose producer gave it up too early: it is in the log after all, and hides no other."""

from __future__ import annotations

import pytest

from moldau.client.errors import TimedOutError
from moldau.client.sync.consumer import Consumer
from moldau.client.sync.producer import Producer
from moldau.testing import Node

IMPATIENT = {"request_timeout_ms": 1500, "delivery_timeout_ms": 2500, "linger_ms": 0}
LATE_S = 4.0
WAIT_S = 60


def test_what_is_sent_after_it_is_appended_and_taken_for_no_repetition():
    with Node() as node, Producer(node.bootstrap, **IMPATIENT) as producer:
        producer.send("orders", b"first").result(WAIT_S)
        with node.faults.delay("Produce", LATE_S), pytest.raises(TimedOutError):
            producer.send("orders", b"given up").result(WAIT_S)
        with Consumer(node.bootstrap, auto_offset_reset="earliest") as consumer:
            consumer.assign([("orders", 0)])
            values: list[bytes] = []
            while len(values) < 2:  # it arrives when it is not waited for any more
                values += [record.value for record in consumer.poll(0.1)]
            metadata = producer.send("orders", b"last").result(WAIT_S)
            while len(values) < 3:
                values += [record.value for record in consumer.poll(0.1)]
    assert values == [b"first", b"given up", b"last"]
    assert metadata.offset == 2
