"""Groups in which our consumer and librdkafka's share partitions, and what ours reads of theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import confluent_kafka
import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from moldau.client import Consumer, ConsumerRecord
from tests.judges.kafka_tools import KafkaTools

pytestmark = pytest.mark.judge

PARTITIONS = 4
POLLS_MAX = 300
PROTOCOLS = (
    {"partition.assignment.strategy": "range"},
    {"partition.assignment.strategy": "roundrobin"},
    {"partition.assignment.strategy": "cooperative-sticky"},
    {"group.protocol": "consumer"},
)


@pytest.fixture(params=["kafka", "moldau"])
def broker(request):
    """Where Apache Kafka listens, and then where a node of ours does."""
    if request.param == "moldau":
        return request.getfixturevalue("place")
    return request.getfixturevalue("kafka_node").bootstrap


@pytest.fixture
def filled(broker: str, topic: str) -> str:
    admin = AdminClient({"bootstrap.servers": broker})
    admin.create_topics([NewTopic(topic, PARTITIONS, 1)])[topic].result(30)
    produce(broker, topic)
    return topic


def produce(broker: str, topic: str, **settings: str) -> None:
    """100 records in each partition, by librdkafka."""
    given = {name.replace("_", "."): value for name, value in settings.items()}
    producer = confluent_kafka.Producer({"bootstrap.servers": broker, **given})
    for number in range(100 * PARTITIONS):
        producer.produce(
            topic, b"v%d" % number, b"k%d" % number, number % PARTITIONS, headers={"n": b"1"}
        )
    producer.flush(30)


def ours(broker: str, group: str | None, settings: dict[str, str]) -> Consumer:
    given: dict[str, object] = {
        "bootstrap.servers": broker,
        "group.id": group,
        "auto.offset.reset": "earliest",
        **quick(settings),
        **settings,
    }
    return Consumer(given)


def quick(settings: dict[str, str]) -> dict[str, str]:
    """Coordinators decide it for members of the consumer protocol."""
    return {} if "group.protocol" in settings else {"heartbeat.interval.ms": "200"}


def theirs(broker: str, group: str, settings: dict[str, str]) -> confluent_kafka.Consumer:
    return confluent_kafka.Consumer(
        {
            "bootstrap.servers": broker,
            "group.id": group,
            "auto.offset.reset": "earliest",
            **quick(settings),
            **settings,
        }
    )


def poll(
    member: Consumer, other: confluent_kafka.Consumer | None, is_enough: Callable[[], bool]
) -> list[bytes | None]:
    """What both return, until that is enough."""
    found: list[bytes | None] = []
    for _ in range(POLLS_MAX):
        found += [record.value for record in member.poll(0.1)]
        if other is not None:
            found += [record.value() for record in other.consume(100, 0.1)]
        if is_enough():
            return found
    raise AssertionError(f"{member.assignment()} {other and other.assignment()}")


@pytest.mark.parametrize("settings", PROTOCOLS, ids=lambda settings: next(iter(settings.values())))
def test_a_group_is_shared_with_librdkafka(broker, filled, settings) -> None:
    with ours(broker, filled, settings) as member:
        member.subscribe(filled)
        poll(member, None, lambda: len(member.assignment()) == PARTITIONS)
        other = theirs(broker, filled, settings)
        other.subscribe([filled])
        poll(member, other, lambda: len(member.assignment()) == len(other.assignment()) == 2)
        mine = {part.partition for part in member.assignment()}
        assert not mine & {part.partition for part in other.assignment()}
        other.close()
        poll(member, None, lambda: len(member.assignment()) == PARTITIONS)


@pytest.mark.parametrize("settings", PROTOCOLS, ids=lambda settings: next(iter(settings.values())))
def test_a_group_of_librdkafkas_is_joined(broker, filled, settings) -> None:
    other = theirs(broker, filled, settings)
    other.subscribe([filled])
    with ours(broker, filled, settings) as member:
        member.subscribe(filled)
        found: list[Any] = []

        def shared() -> bool:
            return len(member.assignment()) == len(other.assignment()) == 2

        found += poll(member, other, shared)
    other.close()


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_what_librdkafka_sends_is_read(broker, topic, codec) -> None:
    admin = AdminClient({"bootstrap.servers": broker})
    admin.create_topics([NewTopic(topic, PARTITIONS, 1)])[topic].result(30)
    produce(broker, topic, compression_codec=codec)
    with ours(broker, None, {}) as member:
        member.assign(topic)
        records: list[ConsumerRecord] = []
        while len(records) < 100 * PARTITIONS:
            records += member.poll(10)
        member.seek_to_beginning()
        rows = sum(batch.num_rows for batch in member.arrow(timeout=1.0))
    assert rows == len(records) == 100 * PARTITIONS
    assert all(one.value[1:] == one.key[1:] for one in records)
    assert {one.headers for one in records} == {(("n", b"1"),)}


def test_javas_tool_shows_our_member_and_its_lag(tools: KafkaTools, place: str, topic: str) -> None:
    produce(place, topic)
    with ours(place, topic, {"group.protocol": "consumer"}) as member:
        member.subscribe(topic)
        poll(member, None, lambda: bool(member.assignment()))
        member.commit({(topic, 0): 3})
        printed = tools.run("consumer-groups", f"--describe --group {topic}")
        row = next(
            line.split() for line in printed.splitlines() if line.split()[1:3] == [topic, "0"]
        )
        assert row[3] == "3"
        assert member.membership.member_id in row
