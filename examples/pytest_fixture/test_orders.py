"""Tests of a program against a real node, without Docker.

    pytest -q examples/pytest_fixture

prints

    ..                                                                       [100%]
    2 passed in …s
"""

from __future__ import annotations

from confluent_kafka import Consumer, Producer


def place_order(bootstrap: str, topic: str, customer: str, what: str) -> None:
    """The program under test, in this example."""
    producer = Producer({"bootstrap.servers": bootstrap})
    producer.produce(topic, key=customer, value=what)
    producer.flush(30)


def read(bootstrap: str, topic: str, count: int) -> list[tuple[bytes | None, bytes | None]]:
    settings = {"bootstrap.servers": bootstrap, "group.id": topic, "auto.offset.reset": "earliest"}
    consumer = Consumer(settings)
    consumer.subscribe([topic])
    messages = consumer.consume(count, 30)
    consumer.close()
    return [(message.key(), message.value()) for message in messages]


def test_an_order_is_written_under_its_customer(bootstrap, topic):
    place_order(bootstrap, topic, "alice", "apples")
    assert read(bootstrap, topic, 1) == [(b"alice", b"apples")]


def test_the_orders_of_a_customer_stay_in_their_order(bootstrap, topic):
    for what in ("apples", "bananas", "cherries"):
        place_order(bootstrap, topic, "bob", what)
    values = [value for _, value in read(bootstrap, topic, 3)]
    assert values == [b"apples", b"bananas", b"cherries"]
