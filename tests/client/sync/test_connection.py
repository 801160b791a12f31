"""The blocking client, against a node of ours."""

from __future__ import annotations

import gc
import re
import threading
from datetime import UTC, datetime

import pytest

from moldau.client import COLUMNS, TopicPartition, connect
from moldau.client.core.offset_lookups import Isolation
from moldau.client.errors import (
    ClosedError,
    InvalidArgumentError,
    OffsetGoneError,
    TimedOutError,
    UnknownTopicError,
    UnsupportedSettingError,
)
from moldau.client.sync import Connection
from moldau.config.refusals import InvalidSettingError
from moldau.protocol.records.compression import Codec
from tests.client.batches import TIME_MS, data_batch


@pytest.fixture
def connection(around):
    with around.connect() as made:
        yield made


def offsets_of(batches) -> list[int]:
    return [offset for batch in batches for offset in batch.column("offset").to_pylist()]


def test_topics_are_listed_without_internal_ones(around, connection, topic):
    part = around.make(topic, partitions=2)
    connection.commit(f"of-{topic}", {part: 0})
    topics = connection.topics()
    assert topics[topic] == [0, 1]
    assert "__consumer_offsets" not in topics


def test_a_pattern_has_to_match_the_whole_name(around, connection, topic):
    around.make(topic)
    around.make(f"{topic}-more")
    assert list(connection.topics(re.compile(topic))) == list(connection.topics(topic)) == [topic]
    assert sorted(connection.topics(re.compile(f"{topic}.*"))) == [topic, f"{topic}-more"]


def test_partitions_are_reported_as_they_are_now(around, connection, topic):
    around.make(topic)
    before = connection.partitions([topic])
    around.do(lambda other: other.grow_topic(topic, 3))
    assert (before, connection.partitions([topic])) == ({topic: [0]}, {topic: [0, 1, 2]})
    assert connection.latest([TopicPartition(topic, 2)]) == {(topic, 2): 0}


def test_a_topic_that_is_not_there_is_named(connection, topic):
    with pytest.raises(UnknownTopicError, match=topic):
        connection.partitions([topic])


def test_logs_begin_and_end_where_the_broker_says(around, connection, topic):
    part = around.make(topic, data_batch(0, 5), data_batch(5, 5))
    around.do(lambda other: other.delete_before(part, 3))
    assert connection.earliest([part]) == {part: 3}
    assert connection.latest([part]) == {part: 10}


def test_times_lead_to_offsets(around, connection, topic):
    part = around.make(topic, data_batch(0, 5))
    assert connection.at_time({part: TIME_MS + 3}) == {part: 3}
    assert connection.at_time({part: TIME_MS + 5}) == {part: None}


def test_records_come_with_the_columns_of_sparks_source(around, connection, topic):
    part = around.make(topic, data_batch(0, 2))
    (batch,) = connection.read(part, 0, 2)
    assert batch.to_pylist()[1] == {
        "key": b"k1",
        "value": b"v1",
        "topic": topic,
        "partition": 0,
        "offset": 1,
        "timestamp": batch.column("timestamp")[1].as_py(),
        "timestampType": 0,
    }
    assert batch.column("timestamp")[1].value == (TIME_MS + 1) * 1000


@pytest.mark.parametrize("codec", list(Codec), ids=lambda codec: codec.name)
def test_every_codec_is_read(around, connection, topic, codec):
    part = around.make(topic, *(data_batch(start, 50, codec=codec) for start in (0, 50)))
    batches = list(connection.read(part, 0, 100, columns=("offset", "value")))
    assert offsets_of(batches) == list(range(100))
    assert batches[-1].column("value")[-1].as_py() == b"v99"


def test_only_what_was_asked_for_is_there(around, connection, topic):
    part = around.make(topic, data_batch(0, 10), data_batch(10, 10))
    batches = list(connection.read(part, 3, 17, columns=("offset",)))
    assert offsets_of(batches) == list(range(3, 17))
    assert batches[0].schema.names == ["offset"]
    assert list(connection.read(part, 5, 5)) == []


def test_small_fetches_bring_the_same_as_large_ones(around, connection, topic):
    part = around.make(topic, *(data_batch(start, 5) for start in range(0, 100, 5)))
    batches = list(connection.read(part, 0, 100, columns=("offset",), max_bytes=1))
    assert len(batches) > 10
    assert offsets_of(batches) == list(range(100))


def test_the_size_of_fetches_can_be_set(around, topic):
    part = around.make(topic, *(data_batch(start, 5) for start in range(0, 100, 5)))
    with around.connect(max_partition_fetch_bytes="1") as connection:
        assert len(list(connection.read(part, 0, 100))) > 10


def test_an_isolation_level_that_there_is_not_is_refused(connection, topic):
    with pytest.raises(InvalidSettingError, match=r"isolation\.level"):
        connection.latest([TopicPartition(topic, 0)], isolation="serializable")


def test_aborted_transactions_are_left_out_when_only_committed_records_count(
    around, connection, topic
):
    part = around.make(topic)
    for commit in (True, False, True):
        name = f"{topic}-{commit}"
        producer = around.do(lambda other, name=name: other.append_in(part, name))
        around.do(lambda other, name=name, end=(producer, commit): other.end(name, *end))
    end = connection.latest([part])[part]
    committed = connection.read(part, 0, end, isolation="read_committed", columns=("offset",))
    assert offsets_of(committed) == [0, 1, 2, 8, 9, 10]
    everything = connection.read(part, 0, end, columns=("offset",))
    assert offsets_of(everything) == [0, 1, 2, 4, 5, 6, 8, 9, 10]


def test_an_open_transaction_ends_what_may_be_read_committed(around, connection, topic):
    part = around.make(topic, data_batch(0))
    producer = around.do(lambda other: other.append_in(part, topic))
    assert connection.latest([part], isolation="read_committed") == {part: 3}
    assert connection.latest([part]) == {part: 6}
    around.do(lambda other: other.end(topic, producer, True))


def test_retention_that_overtook_the_reader_is_reported(around, connection, topic):
    part = around.make(topic, data_batch(0, 5), data_batch(5, 5))
    around.do(lambda other: other.delete_before(part, 7))
    with pytest.raises(OffsetGoneError) as caught:
        list(connection.read(part, 2, 10))
    error = caught.value
    assert (error.part, error.start, error.earliest, error.latest) == (part, 2, 7, 10)


def test_what_is_not_written_in_time_is_no_hang(around, topic):
    part = around.make(topic, data_batch(0, 5))
    impatient = around.connect(default_api_timeout_ms="300", fetch_max_wait_ms="50")
    with impatient, pytest.raises(TimedOutError, match="the log ends at 5"):
        list(impatient.read(part, 0, 10))


def test_a_topic_that_was_made_again_while_it_was_read_is_another(around, connection, topic):
    part = around.make(topic, *(data_batch(start, 5) for start in range(0, 100, 5)))
    batches = connection.read(part, 0, 100, max_bytes=1)
    next(batches)

    async def work(other):
        await other.delete_topic(topic)
        await other.create_topic(topic)

    around.do(work)
    with pytest.raises(UnknownTopicError, match=topic):
        list(batches)


def test_offsets_are_kept_for_a_group(around, connection, topic):
    part, other_part = around.make(topic, partitions=2), TopicPartition(topic, 1)
    connection.commit(topic, {part: 17}, "how far we are")
    assert connection.committed(topic, [part, other_part]) == {part: 17, other_part: None}
    connection.commit(topic, {part: 18, other_part: 5})
    assert connection.committed(topic, [part, other_part]) == {part: 18, other_part: 5}


def test_several_partitions_are_read_at_once(around, connection, topic):
    around.make(topic, partitions=4)
    parts = [TopicPartition(topic, partition) for partition in range(4)]
    for part in parts:
        batches = [data_batch(start, 100) for start in range(0, 1000, 100)]
        around.do(lambda other, part=part, batches=batches: other.append(part, *batches))
    found = {}

    def read(part: TopicPartition) -> None:
        found[part] = offsets_of(connection.read(part, 0, 1000, max_bytes=5000))

    threads = [threading.Thread(target=read, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {part: list(range(1000)) for part in parts}


def test_a_partition_is_read_twice_at_once(around, connection, topic):
    part = around.make(topic, *(data_batch(start, 5) for start in range(0, 100, 5)))
    first = connection.read(part, 0, 100, columns=("offset",), max_bytes=100)
    second = connection.read(part, 50, 100, columns=("offset",), max_bytes=100)
    pairs = list(zip(first, second, strict=False))
    assert offsets_of([one for one, _ in pairs]) == list(range(len(pairs) * 5))
    assert offsets_of([other for _, other in pairs]) == list(range(50, 50 + len(pairs) * 5))


def test_an_address_without_a_listener_is_named():
    settings = {"bootstrap.servers": "127.0.0.1:1", "default.api.timeout.ms": "200"}
    refused = pytest.raises(TimedOutError, match=r"127\.0\.0\.1:1: connection refused")
    with Connection(settings) as connection, refused:
        connection.topics()


def test_a_closed_connection_says_so(around):
    connection = around.connect()
    connection.close()
    connection.close()
    with pytest.raises(ClosedError):
        connection.topics()


def test_a_reading_that_is_broken_off_leaves_the_connection_usable(around, connection, topic):
    part = around.make(topic, *(data_batch(start, 5) for start in range(0, 100, 5)))
    batches = connection.read(part, 0, 100, max_bytes=1)
    next(batches)
    batches.close()
    assert offsets_of(connection.read(part, 95, 100)) == list(range(95, 100))


def test_a_reading_that_is_forgotten_costs_no_more_fetches(around, connection, topic):
    part = around.make(topic, *(data_batch(start, 5) for start in range(0, 100, 5)))
    next(connection.read(part, 0, 100, max_bytes=1))
    gc.collect()
    assert offsets_of(connection.read(part, 0, 100)) == list(range(100))
    connection.partitions([topic])  # whatever was posted before it is done
    readings = connection._inner._fetchings[Isolation.READ_UNCOMMITTED]._inboxes
    assert list(readings) == []


def test_a_topic_is_read_as_one_table(around, connection, topic):
    part, other = around.make(topic, data_batch(0, 5), partitions=2), TopicPartition(topic, 1)
    around.do(lambda work: work.append(other, data_batch(0, 3)))
    table = connection.read_table(topic)
    assert table.schema.names == list(COLUMNS)
    assert table.column("partition").to_pylist() == [0] * 5 + [1] * 3
    assert table.column("offset").to_pylist() == [*range(5), *range(3)]
    around.do(lambda work: work.delete_before(part, 2))
    assert connection.read_table(topic, partitions=0, columns="offset").to_pydict() == {
        "offset": [2, 3, 4]
    }


def test_a_table_begins_and_ends_where_it_is_asked_to(around, connection, topic):
    around.make(topic, data_batch(0, 5), data_batch(5, 5))

    def offsets(**bounds):
        table = connection.read_table(topic, columns=["offset"], **bounds)
        return table.column("offset").to_pylist()

    assert offsets(start=3, end=7) == [3, 4, 5, 6]
    assert offsets(start={0: 8}) == offsets(start={(topic, 0): 8}) == [8, 9]
    moment = datetime.fromtimestamp((TIME_MS + 3) / 1000, UTC)
    assert offsets(start_time=TIME_MS + 2, end_time=moment)[:1] == [2]
    assert offsets(end_time=moment) == [0, 1, 2]
    assert offsets(start_time=TIME_MS + 1_000_000) == []
    assert offsets(start=7, end=3) == []


def test_a_table_of_committed_records_leaves_out_an_open_transaction(around, connection, topic):
    part = around.make(topic, data_batch(0))
    producer = around.do(lambda other: other.append_in(part, topic))
    assert connection.read_table(topic, isolation="read_committed").num_rows == 3
    assert connection.read_table(topic).num_rows == 6
    around.do(lambda other: other.end(topic, producer, True))


def test_an_empty_topic_is_an_empty_table(around, connection, topic):
    around.make(topic)
    table = connection.read_table(topic, columns=("key", "headers"))
    assert (table.num_rows, table.schema.names) == (0, ["key", "headers"])


def test_names_of_topics_stand_for_their_partitions(around, connection, topic):
    parts = [around.make(topic, data_batch(0, 5), partitions=2), TopicPartition(topic, 1)]
    assert connection.earliest([topic]) == connection.earliest(topic) == dict.fromkeys(parts, 0)
    assert connection.latest([topic, parts[0]]) == {parts[0]: 5, parts[1]: 0}
    assert connection.latest(parts[0]) == connection.latest((topic, 0)) == {parts[0]: 5}
    assert connection.at_time({topic: TIME_MS + 3}) == {parts[0]: 3, parts[1]: None}
    assert connection.partitions(topic) == {topic: [0, 1]}
    connection.commit(topic, {(topic, 0): 4})
    assert connection.committed(topic, topic) == {parts[0]: 4, parts[1]: None}


def test_what_cannot_be_meant_is_one_sentence(connection):
    wrong = [
        lambda: connection.topics("["),
        lambda: connection.partitions([5]),
        lambda: connection.earliest([5]),
        lambda: connection.at_time({"t": "yesterday"}),
        lambda: connection.commit("group", {"t": 1}),
        lambda: connection.read_table(["t"]),
        lambda: next(connection.read("t", 0, 1)),
        lambda: next(connection.read(("t", 0), "earliest", 1)),
        lambda: next(connection.read(("t", 0), 0, 1, columns="valeu")),
    ]
    for call in wrong:
        with pytest.raises(InvalidArgumentError):
            call()


def test_settings_are_values_of_python(around):
    with connect([around.bootstrap], fetch_max_bytes=1_000_000, check_crcs=False) as connection:
        assert connection.settings.fetch_max_bytes == 1_000_000
        assert connection.topics() is not None


def test_settings_are_judged_before_anything_begins():
    with pytest.raises(UnsupportedSettingError):
        Connection({"bootstrap.servers": "h:1", "security.protocol": "QUIC"})
