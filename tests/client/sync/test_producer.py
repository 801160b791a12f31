"""The blocking producer, with a node of ours."""

from __future__ import annotations

import os
import threading
from typing import Any

import pyarrow as pa
import pytest

from moldau.client.admin import Admin, NewTopic
from moldau.client.errors import (
    BufferFullError,
    CallBackError,
    ClosedError,
    InvalidArgumentError,
    NotYetError,
    PartitionerError,
    RecordTooLargeError,
    TransactionError,
    UnknownTopicError,
)
from moldau.client.sync.consumer import Consumer
from moldau.client.sync.producer import Producer, SyncDelivery

LEAVE_S = 60


@pytest.fixture
def values(around, topic):
    def read(isolation="read_uncommitted"):
        with around.connect() as connection:
            found = connection.read_table(topic, isolation=isolation, columns="value")
            return found.column("value").to_pylist()

    return read


def fail_after(sent: SyncDelivery) -> None:
    sent.result()
    raise ZeroDivisionError


def fill(producer: Producer) -> None:
    for _ in range(10):
        producer.send("t", b"x" * 400)


def make(broker: str, topic: str) -> None:
    with Admin(broker) as admin:
        admin.create_topics(NewTopic(topic, 1)).all()


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate() if "producer" in thread.name}


def test_a_record_arrives_and_says_where(around, topic, values):
    seen: list[Any] = []
    with Producer(around.bootstrap) as producer:
        sent = producer.send(topic, b"v", on_delivery=lambda metadata, error: seen.append(metadata))
        assert sent.result(30).offset == 0
        assert not sent.error()
    assert [metadata.offset for metadata in seen] == [0]
    assert values() == [b"v"]
    assert threads() == set()


def test_threads_share_one_and_each_keeps_its_order(around, topic, values):
    def work(name: int) -> None:
        for number in range(500):
            producer.send(topic, b"%d:%d" % (name, number))

    with Producer(around.bootstrap, buffer_memory=20_000, batch_size=2000) as producer:
        workers = [threading.Thread(target=work, args=(name,)) for name in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        producer.flush()
    found = [value.split(b":") for value in values()]
    for name in range(4):
        own = [int(number) for thread, number in found if int(thread) == name]
        assert own == list(range(500))


def test_closing_sends_what_is_left(around, topic, values):
    producer = Producer(around.bootstrap, linger_ms=10_000)
    producer.send(topic, b"late")
    producer.close()
    producer.close()
    assert values() == [b"late"]
    with pytest.raises(ClosedError):
        producer.send(topic, b"later")


def test_a_table_is_sent_behind_what_was_sent_before(around, topic, values):
    with Producer(around.bootstrap, compression_type="zstd") as producer:
        producer.send(topic, b"first")
        sent = producer.send_arrow(topic, pa.table({"value": [b"%d" % n for n in range(1000)]}))
        assert sent.result(30) == 1000
    assert values() == [b"first", *(b"%d" % n for n in range(1000))]


def test_a_transaction_is_seen_whole_or_not_at_all(around, topic, values):
    with Producer(around.bootstrap, transactional_id=topic) as producer:
        with producer.transaction():
            producer.send(topic, b"kept")
            producer.send_offsets({(topic, 0): 3}, topic)
        with pytest.raises(ZeroDivisionError), producer.transaction():
            fail_after(producer.send(topic, b"gone"))
        producer.begin_transaction()
        producer.send(topic, b"last")
        producer.commit_transaction()
        producer.begin_transaction()
        producer.abort_transaction()
    assert values("read_committed") == [b"kept", b"last"]


def test_errors_come_with_the_result(around, topic):
    with Producer(around.bootstrap, max_request_size=1000) as producer:
        with pytest.raises(RecordTooLargeError):
            producer.send(topic, b"x" * 2000).result()
        producer.send(topic, b"x").result()
        with pytest.raises(UnknownTopicError, match="has no partition 99"):
            producer.send(topic, b"x", partition=99).result()


def test_a_wait_may_end_before_the_record_has_arrived():
    with Producer("127.0.0.1:1", max_block_ms=100) as producer:
        sent = producer.send("t", b"v")
        with pytest.raises(NotYetError):
            sent.result(0.01)
        with pytest.raises(NotYetError):
            producer.flush(0.01)
        producer.close(0.01)
        assert isinstance(sent.error(), ClosedError)


def test_a_full_buffer_is_named():
    with Producer("127.0.0.1:1", buffer_memory=1000, max_block_ms=50) as producer:
        with pytest.raises(BufferFullError, match=r"buffer\.memory"):
            fill(producer)
        producer.close(0)


def test_a_fork_leaves_it_behind(around, topic):
    with Producer(around.bootstrap) as producer:
        producer.send(topic, b"parent").result()
        child = os.fork()
        if not child:
            status = 1
            try:
                producer.send(topic, b"child")
            except ClosedError:
                status = 0
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_no_bad_value_ends_a_producer(broker, topic):
    make(broker, topic)
    with Producer(broker, max_block_ms=LEAVE_S * 1000) as producer:
        for bad in (
            {"timestamp": 2**70},
            {"value": "\ud800"},
            {"key": "\ud800"},
            {"headers": [("\ud800", b"x")]},
            {"on_delivery": 5},
            {"partition": 2**40},
            {"topic": "\ud800"},
        ):
            with pytest.raises(InvalidArgumentError):
                producer.send(**{"topic": topic, "value": b"x", **bad})
        assert producer.send(topic, b"x").result(LEAVE_S).offset == 0


@pytest.mark.parametrize("timeout", [-1, "x", float("nan"), True])
def test_a_timeout_is_a_number_of_seconds(around, topic, timeout):
    with Producer(around.bootstrap) as producer:
        delivery = producer.send(topic, b"x")
        for call in (producer.flush, producer.close):
            with pytest.raises(InvalidArgumentError, match="number of seconds"):
                call(timeout)
        with pytest.raises((InvalidArgumentError, TypeError)):  # compiled, text is a TypeError
            delivery.result(timeout)
        assert delivery.result(LEAVE_S).topic == topic


def test_a_partitioner_that_raises_fails_its_record_alone(around, topic, values):
    def choose(topic, key, value, count):
        return {b"here": 0}[value]

    failed: list[Any] = []
    with Producer(around.bootstrap, partitioner=choose, buffer_memory=1000) as producer:
        for _ in range(2):  # before the topic is known, and after
            sent = producer.send(topic, b"nowhere", on_delivery=lambda *ends: failed.append(ends))
            with pytest.raises(PartitionerError, match="nowhere"):
                sent.result(LEAVE_S)
            producer.send(topic, b"here").result(LEAVE_S)
        for _ in range(20):  # their bytes are given back, or there were no room
            producer.send(topic, b"nowhere")
        producer.send(topic, b"here").result(LEAVE_S)
        assert producer._producing.used_bytes == 0
    assert [(where, type(error)) for where, error in failed] == [(None, PartitionerError)] * 2
    assert values() == [b"here"] * 3
    assert not threads()


def test_a_call_back_that_raises_is_logged_and_costs_no_other(around, topic, caplog):
    seen: list[int] = []

    def note(where, error):
        seen.append(where.offset)
        raise KeyError("no such city")

    with Producer(around.bootstrap, linger_ms=100) as producer:
        for _ in range(3):
            producer.send(topic, b"x", on_delivery=note)
        refused = producer.send(topic, b"x", partition=1, on_delivery=lambda *_: 1 // 0)
        with pytest.raises(UnknownTopicError):
            refused.result(LEAVE_S)
        producer.flush()
        assert producer.send(topic, b"x").result(LEAVE_S).offset == 3
    assert seen == [0, 1, 2]
    assert caplog.text.count("on_delivery of a record has failed") == 4
    assert "no such city" in caplog.text


def test_a_transaction_is_not_committed_without_a_record_that_was_refused_late(around, topic):
    with Producer(around.bootstrap, transactional_id=topic) as producer:
        producer.begin_transaction()
        late = producer.send(topic, b"x", partition=7)  # the topic is not known yet
        with pytest.raises(UnknownTopicError):
            late.result(LEAVE_S)
        with pytest.raises(TransactionError, match="no partition 7"):
            producer.commit_transaction()
        producer.abort_transaction()


def test_a_transaction_is_not_committed_without_a_record_that_was_refused(broker, topic):
    make(broker, topic)
    with Producer(broker, transactional_id=topic, max_request_size=1000) as producer:
        producer.begin_transaction()
        producer.send(topic, b"kept").result(LEAVE_S)
        with pytest.raises(RecordTooLargeError):
            producer.send(topic, bytes(2000)).result(LEAVE_S)
        with pytest.raises(TransactionError, match=r"has failed.*max\.request\.size"):
            producer.commit_transaction()
        producer.abort_transaction()
        with producer.transaction():
            producer.send(topic, b"next")
    with Consumer(broker, isolation_level="read_committed", auto_offset_reset="earliest") as reader:
        reader.assign(topic)
        assert next(iter(reader)).value == b"next"


def test_serializers_may_stand_among_settings_by_names_of_javas_classes(around, topic):
    java = "org.apache.kafka.common.serialization"
    settings = {
        "bootstrap.servers": around.bootstrap,
        "key.serializer": f"{java}.StringSerializer",
        "value.serializer": f"{java}.LongSerializer",
    }
    with Producer(settings) as producer:
        producer.send(topic, 7, key="k").result(LEAVE_S)
    given = {
        "bootstrap.servers": around.bootstrap,
        "auto.offset.reset": "earliest",
        "key.deserializer": f"{java}.StringDeserializer",
        "value.deserializer": f"{java}.LongDeserializer",
    }
    with Consumer(given) as reader:
        reader.assign(topic)
        record = next(iter(reader))
    assert (record.key, record.value) == ("k", 7)


def test_a_record_outside_of_a_transaction_is_refused_where_it_is_sent(around, topic):
    with Producer(around.bootstrap, transactional_id=topic) as producer:
        with pytest.raises(TransactionError, match="begin"):
            producer.send(topic, b"before")
        with producer.transaction():
            producer.send(topic, b"inside")
        with pytest.raises(TransactionError, match="begin"):
            producer.send(topic, b"behind")


def test_a_call_back_that_would_wait_for_its_own_producer_is_refused(around, topic):
    refused: list[str] = []

    def wait(metadata, error):
        delivery = producer.send(topic, b"from within")
        for call in (delivery.result, producer.flush, producer.close):
            try:
                call()
            except CallBackError as error:
                refused.append(str(error))

    with Producer(around.bootstrap) as producer:
        producer.send(topic, b"x", on_delivery=wait).result(LEAVE_S)
        producer.flush(LEAVE_S)
        assert producer.send(topic, b"x").result(LEAVE_S).offset == 2
    assert len(refused) == 3


def test_what_a_forgotten_producer_has_sent_arrives_and_its_thread_ends(around, topic, values):
    def forget() -> None:
        producer = Producer(around.bootstrap, linger_ms=50)
        producer.send(topic, b"last")

    def outlive() -> None:
        before = set(threading.enumerate())
        forget()
        for thread in set(threading.enumerate()) - before:
            thread.join(LEAVE_S)
            assert not thread.is_alive()

    with pytest.warns(ResourceWarning, match="unclosed <Producer"):
        outlive()
    assert values() == [b"last"]
