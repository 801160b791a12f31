"""What a type checker makes of a program that uses the clients.

`assert_type` is looked at where types are checked, and does nothing when this runs; it runs all the
same, so that what is declared is also what comes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import assert_type

import pyarrow as pa

import moldau
from moldau.client import (
    AsyncDelivery,
    ConsumerRecord,
    Deserializer,
    RecordMetadata,
    Serializer,
    SyncDelivery,
    Topic,
    TopicPartition,
)
from moldau.client.admin import CreatedTopic, NewTopic, Outcomes, TopicView
from moldau.errors import MoldauError
from tests.client.around import AroundNode

SOON_S = 30.0


@dataclass
class Order:
    """A user's own type."""

    number: int
    what: str


def test_values_of_a_topic_have_the_users_type(our_node: AroundNode, topic: str):
    orders = Topic(topic, Order)
    assert_type(orders, Topic[Order])
    with moldau.Producer(our_node.bootstrap) as producer:
        delivery = producer.send(orders.name, orders.dump(Order(1, "tea")))
        assert_type(delivery, SyncDelivery)
        metadata = delivery.result(SOON_S)
        assert_type(metadata, RecordMetadata)
        assert_type(metadata.offset, int)
    with moldau.Consumer(our_node.bootstrap, auto_offset_reset="earliest") as consumer:
        assert_type(consumer, moldau.Consumer)
        consumer.assign(topic)
        for record in consumer:
            assert_type(record, ConsumerRecord)
            order = orders.load(record.value)
            assert_type(order, Order)
            break
        assert_type(consumer.assignment(), set[TopicPartition])
    assert order == Order(1, "tea")


def test_iterators_of_a_loop_have_types_too(our_node: AroundNode, topic: str):
    async def copy() -> list[ConsumerRecord]:
        async with moldau.AsyncProducer(our_node.bootstrap) as producer:
            assert_type(producer, moldau.AsyncProducer)
            delivery = await producer.send(topic, b"one", headers={"a": b"1"})
            assert_type(delivery, AsyncDelivery)
            assert_type(await delivery, RecordMetadata)
            assert_type(await producer.send_and_wait(topic, b"two"), RecordMetadata)
            async with producer_of(our_node) as transactional, transactional.transaction() as same:
                assert_type(same, moldau.AsyncProducer)
        found: list[ConsumerRecord] = []
        async with moldau.AsyncConsumer(
            our_node.bootstrap, auto_offset_reset="earliest"
        ) as consumer:
            await consumer.assign(topic)
            async for record in consumer:
                assert_type(record, ConsumerRecord)
                found.append(record)
                if len(found) == 2:
                    break
            assert_type(await consumer.lag(), dict[TopicPartition, int])
            batches = consumer.arrow(timeout=0.1)
            assert_type(batches, AsyncIterator[pa.RecordBatch])
        return found

    assert {record.value for record in asyncio.run(copy())} == {b"one", b"two"}


def producer_of(node: AroundNode) -> moldau.AsyncProducer:
    return moldau.AsyncProducer(node.bootstrap, transactional_id="types")


def test_outcomes_of_an_admin_client_know_what_they_have(our_node: AroundNode, topic: str):
    with moldau.Admin(our_node.bootstrap) as admin:
        created = admin.create_topics([NewTopic(topic, partitions=2)])
        assert_type(created, Outcomes[str, CreatedTopic])
        assert_type(created[topic], CreatedTopic)
        assert_type(created.all(), dict[str, CreatedTopic])
        assert_type(created.errors, dict[str, MoldauError])
        view = admin.describe_topics(topic)[topic]
        assert_type(view, TopicView)
        assert_type(len(view.partitions), int)
    assert view.name == topic


def test_functions_of_users_are_held_against_what_they_are_called_with():
    def to_bytes(topic: str, value: Order) -> bytes | None:
        return f"{value.number}".encode()

    def from_bytes(topic: str, data: bytes) -> int:
        return int(data)

    made: Serializer = to_bytes
    read: Deserializer = from_bytes
    assert read("t", made("t", Order(3, "tea")) or b"") == 3


def values(records: Iterator[ConsumerRecord]) -> Iterator[bytes]:
    """What a record has is anything: that is up to its deserializer."""
    for record in records:
        assert_type(record.topic, str)
        number: int = record.timestamp
        assert_type(record.headers, tuple[tuple[str, bytes | None], ...])
        yield record.value if number else b""
