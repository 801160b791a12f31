"""Our reading client, against a real node of Apache Kafka."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator

import confluent_kafka
import pytest

from moldau.client import TopicPartition
from moldau.client.errors import OffsetGoneError, UnknownTopicError
from moldau.client.sync import Connection
from moldau.protocol.records.compression import Codec
from tests.client.around import Around
from tests.client.batches import TIME_MS, data_batch

pytestmark = pytest.mark.judge


@pytest.fixture(scope="module")
def around(kafka_node) -> Iterator[Around]:
    made = Around(kafka_node.bootstrap)
    yield made
    made.close()


@pytest.fixture
def connection(around) -> Iterator[Connection]:
    with around.connect() as made:
        yield made


@pytest.fixture
def topic() -> str:
    return f"t-{uuid.uuid4().hex[:12]}"


def offsets_of(batches) -> list[int]:
    return [offset for batch in batches for offset in batch.column("offset").to_pylist()]


def test_topics_offsets_and_times_are_kafkas(around, connection, topic):
    part = around.make(topic, data_batch(0, 5), data_batch(5, 5), partitions=2)
    around.do(lambda other: other.delete_before(part, 3))
    assert connection.topics()[topic] == connection.partitions([topic])[topic] == [0, 1]
    assert connection.earliest([part]) == {part: 3}
    assert connection.latest([part, TopicPartition(topic, 1)]) == {part: 10, (topic, 1): 0}
    assert connection.at_time({part: TIME_MS + 7}) == {part: 7}
    assert connection.at_time({part: TIME_MS + 10}) == {part: None}
    with pytest.raises(OffsetGoneError, match="from 3 to 10"):
        list(connection.read(part, 0, 10))


def test_a_topic_that_is_not_there_is_named(connection, topic):
    with pytest.raises(UnknownTopicError, match=topic):
        connection.partitions([topic])


@pytest.mark.parametrize("codec", list(Codec), ids=lambda codec: codec.name)
def test_records_of_every_codec_are_read(around, connection, topic, codec):
    batches = [data_batch(start, 50, codec=codec) for start in range(0, 1000, 50)]
    part = around.make(topic, *batches)
    found = list(connection.read(part, 7, 993, max_bytes=2000))
    assert offsets_of(found) == list(range(7, 993))
    last = found[-1].slice(found[-1].num_rows - 1).to_pylist()[0]
    assert (last["key"], last["value"], last["topic"]) == (b"k992", b"v992", topic)


def test_several_partitions_are_read_at_once_in_one_session(around, connection, topic):
    around.make(topic, partitions=4)
    parts = [TopicPartition(topic, partition) for partition in range(4)]
    batches = [data_batch(start, 50) for start in range(0, 1000, 50)]
    for part in parts:
        around.do(lambda other, part=part: other.append(part, *batches))
    found: dict[TopicPartition, list[int]] = {}

    def read(part: TopicPartition) -> None:
        found[part] = offsets_of(connection.read(part, 0, 1000, max_bytes=1500))

    threads = [threading.Thread(target=read, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {part: list(range(1000)) for part in parts}


def test_aborted_transactions_are_left_out(around, connection, topic):
    part = around.make(topic)
    for commit in (True, False, True):
        name = f"{topic}-{commit}"
        producer = around.do(lambda other, name=name: other.append_in(part, name))
        around.do(lambda other, name=name, end=(producer, commit): other.end(name, *end))
    opened = around.do(lambda other: other.append_in(part, topic))
    stable = connection.latest([part], isolation="read_committed")[part]
    assert stable == 12
    committed = connection.read(part, 0, stable, isolation="read_committed", columns=("offset",))
    assert offsets_of(committed) == [0, 1, 2, 8, 9, 10]
    around.do(lambda other: other.end(topic, opened, False))


def test_offsets_that_we_keep_are_seen_by_others_and_the_reverse(around, connection, topic):
    part = around.make(topic, data_batch(0, 5))
    connection.commit(topic, {part: 3}, "how far we are")
    settings = {"bootstrap.servers": around.bootstrap, "group.id": topic}
    other = confluent_kafka.Consumer(settings)
    (seen,) = other.committed([confluent_kafka.TopicPartition(topic, 0)], timeout=20)
    assert seen.offset == 3
    other.commit(offsets=[confluent_kafka.TopicPartition(topic, 0, 4)], asynchronous=False)
    other.close()
    assert connection.committed(topic, [part]) == {part: 4}


def test_a_node_that_is_killed_while_it_is_read_costs_no_record(kafka_node, around, topic):
    part = around.make(topic, *(data_batch(start, 50) for start in range(0, 2000, 50)))
    with around.connect() as connection:
        batches = connection.read(part, 0, 2000, columns=("offset",), max_bytes=1)
        found = offsets_of([next(batches)])
        kafka_node.kill()
        starting = threading.Thread(target=kafka_node.start)
        starting.start()
        found += offsets_of(batches)
        starting.join()
    assert found == list(range(2000))
