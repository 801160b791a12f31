"""What consumers with read_committed do not see of a page, beside what such a consumer says."""

import time

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from moldau.client import TopicPartition as Part
from moldau.client.core.consuming.record import ConsumerRecord
from moldau.programs.console.topics.unseen import ABORTED, COMMITTED, WAITING, Unseen

SECONDS_MAX = 60


@pytest.fixture
def transactions(console, topic):
    """Committed, aborted, without a transaction, and open, each of two records in one batch."""
    settings = {"bootstrap.servers": console.bootstrap, "linger.ms": 100}
    producer = Producer({**settings, "transactional.id": topic})
    producer.init_transactions(SECONDS_MAX)
    plain = Producer(settings)
    for outcome in ("commit_transaction", "abort_transaction", "", None):
        one = plain if outcome == "" else producer
        if outcome != "":
            producer.begin_transaction()
        for number in range(2):
            one.produce(topic, f"{outcome} {number}", partition=0)
        assert one.flush(SECONDS_MAX) == 0
        if outcome:
            getattr(producer, outcome)(SECONDS_MAX)
    yield topic
    producer.abort_transaction(SECONDS_MAX)


def marks(page):
    return {one["value"]["text"]: one["unseen"] for one in page["records"]}


def seen(console, topic, count):
    """By librdkafka, which reads what is committed."""
    settings = {"bootstrap.servers": console.bootstrap, "group.id": f"{topic}.committed"}
    consumer = Consumer({**settings, "isolation.level": COMMITTED})
    consumer.assign([TopicPartition(topic, 0, 0)])
    found: list[bytes | None] = []
    end = time.monotonic() + SECONDS_MAX
    while len(found) < count and time.monotonic() < end:
        message = consumer.poll(1)
        if message is not None:
            found.append(message.value())
    consumer.close()
    return [(one or b"").decode() for one in found]


@pytest.mark.parametrize("query", ["", "?after=start", "?count=500&after=0:1"])
def test_records_that_a_consumer_of_committed_ones_does_not_see_say_why(
    console, transactions, query
):
    found = marks(console.get(f"/topics/{transactions}/records{query}"))
    visible = [text for text, why in found.items() if why is None]
    assert seen(console, transactions, 4)[-len(visible) :] == visible
    assert [text for text, why in found.items() if why == ABORTED] == [
        "abort_transaction 0",
        "abort_transaction 1",
    ]
    assert [text for text, why in found.items() if why == WAITING] == ["None 0", "None 1"]


def test_one_record_is_downloaded_whatever_became_of_it(console, transactions):
    page = console.get(f"/topics/{transactions}/records")
    for one in page["records"]:
        path = f"/api/topics/{transactions}/records/0/{one['offset']}/value"
        assert console.raw("GET", path)[2].decode() == one["value"]["text"]


def test_what_is_decided_is_read_apart_from_what_waits():
    part = Part("t", 0)
    ranges = Unseen({part: 5}).ranges
    assert ranges(part, 2, 9) == [(2, 5, "read_committed"), (5, 9, "read_uncommitted")]
    assert ranges(part, 2, 4) == [(2, 4, "read_committed")]
    assert ranges(part, 6, 9) == [(6, 9, "read_uncommitted")]
    assert ranges(part, 5, 5) == []


def test_each_record_from_the_last_stable_offset_on_waits():
    unseen = Unseen({Part("t", 0): 5})
    found = [unseen.of(ConsumerRecord("t", 0, at, 0, None, b"")) for at in (4, 5, 6)]
    assert found == [None, WAITING, WAITING]
