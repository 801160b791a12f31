"""librdkafka in groups of both protocols: they share, hand over, and copy exactly once."""

from __future__ import annotations

import time

import pytest

confluent_kafka = pytest.importorskip("confluent_kafka", reason="confluent-kafka is not installed")

from confluent_kafka import admin  # noqa: E402

pytestmark = pytest.mark.judge

SECONDS_MAX = 40
CLASSIC = {"group.protocol": "classic", "session.timeout.ms": 6000}
COOPERATIVE = {**CLASSIC, "partition.assignment.strategy": "cooperative-sticky"}
CONSUMER = {"group.protocol": "consumer"}
RANGE = {**CONSUMER, "group.remote.assignor": "range"}
LONG = pytest.mark.long
EVERY = pytest.mark.parametrize(
    "protocol",
    [CLASSIC, COOPERATIVE, CONSUMER, RANGE],
    ids=["eager", "cooperative", "848", "range"],
)
BOTH = pytest.mark.parametrize(
    "protocol", [pytest.param(CLASSIC, id="classic"), pytest.param(CONSUMER, id="848", marks=LONG)]
)


@pytest.fixture
def topic(place, topic):
    """One of four partitions that is there."""
    client = admin.AdminClient({"bootstrap.servers": place})
    client.create_topics([admin.NewTopic(topic, 4, 1)])[topic].result(SECONDS_MAX)
    return topic


def produce(place, topic, values):
    producer = confluent_kafka.Producer({"bootstrap.servers": place})
    for number, value in enumerate(values):
        producer.produce(topic, value, partition=number % 4)
    assert producer.flush(SECONDS_MAX) == 0


def member(place, topic, more):
    consumer = confluent_kafka.Consumer(
        {
            "bootstrap.servers": place,
            "group.id": f"group-{topic}",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            **more,
        }
    )
    consumer.subscribe([topic])
    return consumer


def read(members, is_enough):
    """What the members get, one polled after the other, until it is enough."""
    found: list[bytes] = []
    deadline = time.monotonic() + SECONDS_MAX
    while not is_enough(found):
        assert time.monotonic() < deadline, (len(found), [one.assignment() for one in members])
        for one in members:
            for message in one.consume(100, 0.1):
                assert message.error() is None, message.error()
                found.append(message.value())
    return found


def values(name, count=100):
    return [f"{name} {number}".encode() for number in range(count)]


@LONG
@EVERY
def test_a_second_member_takes_its_share_and_gives_it_back(place, topic, protocol):
    first = member(place, topic, protocol)
    produce(place, topic, values("alone"))
    assert set(read([first], lambda found: len(found) >= 100)) == set(values("alone"))
    first.commit(asynchronous=False)
    second = member(place, topic, protocol)
    both = [first, second]
    read(both, lambda found: [len(one.assignment()) for one in both] == [2, 2])
    produce(place, topic, values("shared"))
    shared = read(both, lambda found: set(values("shared")) <= set(found))
    assert len(shared) == 100
    second.commit(asynchronous=False)
    second.close()
    read([first], lambda found: len(first.assignment()) == 4)
    first.close()


@BOTH
def test_a_member_with_a_name_comes_back_to_its_partitions(place, topic, protocol):
    produce(place, topic, values("first"))
    for name in ("first", "second"):
        one = member(place, topic, {**protocol, "group.instance.id": "static"})
        found = read([one], lambda found: len(found) >= 100)
        assert set(found) == set(values(name))
        assert len(one.assignment()) == 4
        one.commit(asynchronous=False)
        one.close()
        produce(place, topic, values("second"))


@BOTH
def test_topics_that_match_a_pattern_are_read_when_they_appear(place, topic, protocol):
    one = member(place, f"^{topic}.*", {**protocol, "topic.metadata.refresh.interval.ms": 500})
    produce(place, topic, values("old"))
    assert set(read([one], lambda found: len(found) >= 100)) == set(values("old"))
    client = admin.AdminClient({"bootstrap.servers": place})
    client.create_topics([admin.NewTopic(f"{topic}x", 4, 1)])[f"{topic}x"].result(SECONDS_MAX)
    produce(place, f"{topic}x", values("new"))
    read([one], lambda found: set(values("new")) <= set(found))
    one.close()


@BOTH
def test_offsets_go_with_the_transaction_that_copies(place, topic, protocol):
    produce(place, topic, values("copied"))
    producer = confluent_kafka.Producer(
        {"bootstrap.servers": place, "transactional.id": f"copier-{topic}"}
    )
    producer.init_transactions(SECONDS_MAX)
    for fate in (producer.abort_transaction, producer.commit_transaction):
        reader = member(place, topic, protocol)
        found = read([reader], lambda found: len(found) >= 100)
        producer.begin_transaction()
        for value in found:
            producer.produce(f"{topic}-copy", value)
        positions = reader.position(reader.assignment())
        producer.send_offsets_to_transaction(positions, reader.consumer_group_metadata())
        fate(SECONDS_MAX)
        reader.close()
    copies = member(place, f"{topic}-copy", protocol)
    copied = read([copies], lambda found: len(found) >= 100)
    assert sorted(copied) == sorted(values("copied"))
    copies.close()
    again = member(place, topic, protocol)
    read([again], lambda found: len(again.assignment()) == 4)
    committed = again.committed(again.assignment(), SECONDS_MAX)
    assert sum(one.offset for one in committed) == 100
    again.close()
