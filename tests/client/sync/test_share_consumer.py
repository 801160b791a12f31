"""Share consumers, with a node of ours and with Apache Kafka."""

from __future__ import annotations

import threading

import pyarrow.compute as pc
import pytest

import moldau
from moldau.client import (
    AcknowledgeType,
    ClosedError,
    ConcurrentUseError,
    DeserializationError,
    InvalidArgumentError,
)
from moldau.client.admin import Admin, NewTopic

POLLS_MAX = 100
EXPLICIT = {"share_acknowledgement_mode": "explicit"}


@pytest.fixture
def filled(broker: str, topic: str) -> str:
    """A topic with ten records, which the group of its name reads from the beginning."""
    with Admin(broker) as admin:
        admin.create_topics(NewTopic(topic, 1)).all()
        earliest = {"share.auto.offset.reset": "earliest"}
        admin.incremental_alter_configs({("group", topic): earliest}).all()
    send(broker, topic, 0, 10)
    return topic


def send(broker: str, topic: str, first: int, beyond: int) -> None:
    """A batch for each record."""
    with moldau.Producer(broker) as producer:
        for number in range(first, beyond):
            producer.send(topic, b"%d" % number).result(30)


def member(broker: str, group: str, **settings: object) -> moldau.ShareConsumer:
    made = moldau.ShareConsumer(broker, group_id=group, **settings)
    made.subscribe(group)
    return made


def polled(consumer: moldau.ShareConsumer) -> list[moldau.client.ConsumerRecord]:
    """What the first poll that returns something does."""
    for _ in range(POLLS_MAX):
        if records := consumer.poll(0.3):
            return records
    raise AssertionError("nothing came")


def taken(consumer: moldau.ShareConsumer, count: int) -> list[bytes]:
    """So many values, each accepted as more are asked for."""
    found: list[bytes] = []
    while len(found) < count:
        found += [bytes(record.value) for record in polled(consumer)]
    return found


def test_what_was_returned_is_accepted_when_more_is_asked_for(broker, filled):
    with member(broker, filled) as consumer:
        assert sorted(taken(consumer, 10)) == [b"%d" % number for number in range(10)]
        assert consumer.commit().errors == {}
        assert consumer.acquisition_lock_timeout_ms == 30_000
    send(broker, filled, 10, 12)
    with member(broker, filled) as consumer:
        assert sorted(taken(consumer, 2)) == [b"10", b"11"]


def test_batches_of_arrow_are_acknowledged_row_by_row(broker, filled):
    with member(broker, filled, **EXPLICIT) as consumer:
        values: list[bytes] = []
        for batch in consumer.arrow():
            odd = pc.equal(pc.bit_wise_and(batch.column("offset"), 1), 1)
            consumer.acknowledge(batch.filter(odd))
            consumer.acknowledge(batch.filter(pc.invert(odd)), AcknowledgeType.REJECT)
            values += batch.column("value").to_pylist()
            if len(values) >= 10:
                break
        assert consumer.commit().errors == {}
        assert sorted(values) == [b"%d" % number for number in range(10)]
        assert list(consumer.arrow(timeout=0.1)) == []


def test_each_record_is_acknowledged_by_its_own_type(broker, filled):
    with member(broker, filled, **EXPLICIT) as consumer:
        found: dict[int, int | None] = {}
        while len(found) < 10:
            for record in polled(consumer):
                found[record.offset] = record.delivery_count
                kind = AcknowledgeType.RELEASE if record.offset == 3 else AcknowledgeType.ACCEPT
                kind = AcknowledgeType.REJECT if record.offset == 4 else kind
                consumer.acknowledge(record, kind)
        assert set(found.values()) == {1}
        assert consumer.commit().errors == {}
        (again,) = polled(consumer)
        assert (again.offset, again.delivery_count) == (3, 2)
        consumer.acknowledge((again.topic, again.partition, again.offset))
        consumer.commit().all()


def test_more_cannot_be_asked_for_before_everything_is_acknowledged(broker, filled):
    with member(broker, filled, **EXPLICIT) as consumer:
        first = polled(consumer)[0]
        with pytest.raises(InvalidArgumentError, match="not acknowledged, the first at offset 0"):
            consumer.poll()
        consumer.acknowledge(first)
        with pytest.raises(InvalidArgumentError, match="is not held"):
            consumer.acknowledge(first)


def test_what_takes_longer_is_renewed_and_returned_again(broker, filled):
    with member(
        broker, filled, share_acquire_mode="record_limit", max_poll_records=2, **EXPLICIT
    ) as consumer:
        first, second = polled(consumer)
        consumer.acknowledge(first, AcknowledgeType.RENEW)
        consumer.acknowledge(second)
        (again,) = polled(consumer)
        assert again.offset == first.offset
        consumer.acknowledge(again)
        third, fourth = polled(consumer)
        assert (third.offset, fourth.offset) == (2, 3)
        consumer.acknowledge(third)
        consumer.acknowledge(fourth)


def test_what_a_member_did_not_acknowledge_goes_to_another(broker, filled):
    with member(broker, filled, **EXPLICIT) as consumer:
        assert polled(consumer)
    with member(broker, filled) as other:
        assert sorted(taken(other, 10)) == [b"%d" % number for number in range(10)]


def test_members_share_what_is_there(broker, filled):
    limit = {"share_acquire_mode": "record_limit", "max_poll_records": 1}
    with member(broker, filled, **limit) as one, member(broker, filled, **limit) as other:
        found = [*taken(one, 1), *taken(other, 1)]
        while len(found) < 10:
            found += [bytes(record.value) for record in [*one.poll(0.3), *other.poll(0.3)]]
        assert sorted(found) == [b"%d" % number for number in range(10)]


def test_a_closed_one_says_so(broker, filled):
    consumer = member(broker, filled)
    assert consumer.subscription() == {filled}
    assert broker in repr(consumer)
    consumer.close()
    consumer.close()
    with pytest.raises(ClosedError, match="share consumer"):
        consumer.poll()


def bad_third(broker: str, topic: str) -> None:
    """Five more records in one batch, of which the third is no JSON."""
    with moldau.Producer(broker, linger_ms=200) as producer:
        for value in (b"20", b"21", b"{", b"23", b"24"):
            producer.send(topic, value)


@pytest.mark.parametrize("settings", [{}, EXPLICIT], ids=["implicit", "explicit"])
def test_a_record_that_cannot_be_read_holds_up_no_others(broker, filled, settings):
    bad_third(broker, filled)
    with member(broker, filled, value_deserializer="json", **settings) as consumer:
        found: list[object] = []
        errors = []
        while len(found) < 14:
            try:
                records = consumer.poll(0.2)
            except DeserializationError as poison:
                errors.append(poison.offset)
                if settings:
                    consumer.acknowledge((filled, 0, poison.offset), AcknowledgeType.REJECT)
                continue
            found += [record.value for record in records]
            for record in records if settings else ():
                consumer.acknowledge(record)
        assert found == [*range(10), 20, 21, 23, 24]
        assert set(errors) == {12}


def test_what_cannot_be_read_is_released_where_the_program_does_not_say_otherwise(broker, filled):
    with member(broker, filled, value_deserializer=refuse, **EXPLICIT) as consumer:
        errors: list[int] = []
        remedies: set[str] = set()
        for _ in range(POLLS_MAX):
            try:
                assert consumer.poll(0.2) == []
            except DeserializationError as poison:
                errors.append(poison.offset)
                remedies.add(str(poison).partition("; ")[2])
            if errors.count(0) == 2:  # that of the first delivery, and that of the second
                break
    assert errors[:10] == list(range(10))
    assert remedies == {"it was released, unless you acknowledge it otherwise before the next poll"}


def refuse(topic: str, data: bytes) -> object:
    raise ValueError(data)


def test_an_iteration_that_is_left_goes_on_where_it_was(broker, filled):
    with member(broker, filled) as consumer:
        seen = []
        for record in consumer:
            seen.append(int(record.value))
            if len(seen) % 4 == 0:
                break
        while len(seen) < 10:
            seen += [int(record.value) for record in polled(consumer)]
    assert sorted(seen) == list(range(10))


def test_a_commit_in_an_iteration_accepts_what_was_taken(broker, filled):
    with member(broker, filled, value_deserializer="str") as consumer:
        seen = []
        for record in consumer:
            seen.append(int(record.value))
            if len(seen) == 4:
                consumer.commit().all()
                break
    with member(broker, filled) as consumer:
        rest = [int(value) for value in taken(consumer, 6)]
    assert sorted(seen + rest) == list(range(10))


def test_a_second_thread_is_refused(broker, topic):
    with moldau.ShareConsumer(broker, group_id=topic) as consumer:
        consumer.subscribe(topic)
        errors: list[Exception] = []

        def poll() -> None:
            while not errors:
                try:
                    consumer.poll(0.2)
                except ConcurrentUseError as error:
                    errors.append(error)

        threads = [threading.Thread(target=poll) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert "another thread" in str(errors[0])


def test_a_topic_that_is_subscribed_to_is_created_by_the_broker(broker, topic):
    with member(broker, topic) as consumer, moldau.Admin(broker) as admin:
        consumer.subscribe(topic)
        while topic not in admin.list_topics():
            consumer.poll(0.1)
