"""Our client with brokers of Apache Kafka 3.1, the oldest that it works with, and of others since.

The newest one is asked by all other tests. What a version does not have yet is refused at once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import confluent_kafka
import pyarrow as pa
import pytest

from moldau import Admin, Consumer, Producer, ShareConsumer
from moldau.client import UnsupportedVersionError
from moldau.client.admin import CommittedOffset, NewTopic, OffsetPlace
from tests.judges.kafka_jars import MissingJudge, find_server_libs
from tests.judges.kafka_node import KafkaNode

pytestmark = pytest.mark.judge

OLDEST = "3.1.2"
LATER = ("3.9.1", "4.0.0", "4.1.1", "4.2.0")
"""The last before 4, and those since: without ZooKeeper, with KIP-848, with share groups."""
PARTITIONS = 2
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
ASSIGNORS = ("range", "roundrobin", "sticky", "cooperative-sticky")
POLLS_MAX = 300
KEEPS_ALL = {"log.retention.ms": "-1"}
"""Records with times of 1970 are deleted otherwise; the first check cannot be put off in 3.1."""


@pytest.fixture(
    scope="module",
    params=[OLDEST, *(pytest.param(later, marks=pytest.mark.long) for later in LATER)],
)
def version(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def old(version: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where it listens."""
    try:
        libs: Path = find_server_libs(version)
    except MissingJudge as missing:
        pytest.skip(str(missing))
    node = KafkaNode(libs, tmp_path_factory.mktemp("old"), settings=KEEPS_ALL)
    node.start()
    yield node.bootstrap
    node.kill()


@pytest.fixture
def made(old: str, topic: str) -> str:
    """A topic."""
    with Admin(old) as admin:
        admin.create_topics(NewTopic(topic, PARTITIONS)).all()
    return topic


def read(consumer: Consumer, count: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(POLLS_MAX):
        found += consumer.poll(0.1)
        if len(found) >= count:
            break
    return found


@pytest.mark.parametrize("codec", CODECS)
def test_records_of_every_codec_arrive_and_are_read_by_us_and_by_librdkafka(old, made, codec):
    with Producer(old, compression_type=codec) as producer:
        for number in range(200):
            producer.send(made, f"v{number}", key=f"k{number}", headers={"n": str(number)})
        table = pa.table({"value": [b"v%d" % number for number in range(200, 400)]})
        assert producer.send_arrow(made, table).result(30) == 200
    with Consumer(old, auto_offset_reset="earliest") as consumer:
        consumer.assign(made)
        found = read(consumer, 400)
    assert sorted(int(one.value[1:]) for one in found) == list(range(400))
    assert all(dict(one.headers)["n"] == one.key[1:] for one in found if one.key)
    given = {"bootstrap.servers": old, "group.id": made, "auto.offset.reset": "earliest"}
    other = confluent_kafka.Consumer(given)
    other.subscribe([made])
    assert len(other.consume(400, 30)) == 400
    other.close()


@pytest.mark.parametrize("assignor", ASSIGNORS)
def test_a_group_shares_its_partitions_and_goes_on_where_it_committed(old, made, assignor):
    with Producer(old) as producer:
        for number in range(20):
            producer.send(made, b"%d" % number, partition=number % PARTITIONS)
    given = {
        "group_id": made,
        "auto_offset_reset": "earliest",
        "partition_assignment_strategy": assignor,
        "heartbeat_interval_ms": 100,
    }
    with Consumer(old, **given) as first:
        first.subscribe(made)
        assert len(read(first, 20)) == 20
        first.commit()
        with Consumer(old, **given) as second:
            second.subscribe(made)
            for _ in range(POLLS_MAX):
                assert not first.poll(0.1) + second.poll(0.1), "all of it was committed"
                if len(first.assignment()) == len(second.assignment()) == 1:
                    break
            assert first.assignment() | second.assignment() == {(made, 0), (made, 1)}


def test_transactions_are_whole_with_their_offsets(old, made):
    with Producer(old) as producer:
        producer.send(made, b"in", partition=0).result(30)
    by_hand = {"group_id": made, "enable_auto_commit": False, "auto_offset_reset": "earliest"}
    with Consumer(old, **by_hand) as consumer, Producer(old, transactional_id=made) as producer:
        consumer.subscribe(made)
        (record,) = read(consumer, 1)
        with producer.transaction():
            producer.send(made, b"out", partition=1)
            producer.send_offsets({(made, 0): record.offset + 1}, consumer)
        producer.begin_transaction()
        producer.send(made, b"never", partition=1).result(30)
        producer.abort_transaction()
        assert consumer.committed([(made, 0)]) == {(made, 0): 1}
    committed = {"isolation_level": "read_committed", "auto_offset_reset": "earliest"}
    with Consumer(old, **committed) as consumer:
        consumer.assign(made)
        assert {one.value for one in read(consumer, 3)} == {b"in", b"out"}


def test_offsets_are_found_by_time_and_by_place(old, made):
    with Producer(old) as producer:
        for number in range(10):
            producer.send(made, b"", partition=0, timestamp=1_000 * number).result(30)
    with Consumer(old) as consumer:
        consumer.assign([(made, 0)])
        consumer.seek_to_time(6_500)
        assert read(consumer, 1)[0].offset == 7
    with Admin(old) as admin:
        (found,) = admin.list_offsets({(made, 0): OffsetPlace.LATEST}).all().values()
    assert found.offset == 10


def test_the_admin_describes_changes_and_deletes(old, made):
    topic = ("topic", made)
    with Admin(old) as admin:
        assert len(admin.describe_cluster().nodes) == 1
        admin.create_partitions({made: 3}).all()
        admin.incremental_alter_configs({topic: {"retention.ms": "77000"}}).all()
        # It answers once its controller has written, and before its broker has read that.
        for _ in range(POLLS_MAX):
            (found,) = admin.describe_configs(topic).all().values()
            partitions = admin.describe_topics(made)[made].partitions
            if (seen := (found["retention.ms"].value, len(partitions))) == ("77000", 3):
                break
            time.sleep(0.1)
        assert seen == ("77000", 3)
        admin.delete_topics(made).all()


def test_the_groups_of_kip_848_are_there_from_4_0_on(old, made, version):
    with Producer(old) as producer:
        producer.send(made, b"one", partition=0).result(30)
    given = {"group_id": made, "group_protocol": "consumer", "auto_offset_reset": "earliest"}
    with Consumer(old, **given) as consumer:
        consumer.subscribe(made)
        if version >= "4.0":
            assert [one.value for one in read(consumer, 1)] == [b"one"]
            return
        with pytest.raises(UnsupportedVersionError, match=r"group\.protocol=classic"):
            read(consumer, 1)


def test_share_groups_are_there_from_4_2_on(old, made, version):
    with Producer(old) as producer:
        producer.send(made, b"one", partition=0).result(30)
    with Admin(old) as admin:
        if version >= "4.2":
            resource = {("group", made): {"share.auto.offset.reset": "earliest"}}
            admin.incremental_alter_configs(resource).all()
    with ShareConsumer(old, group_id=made) as sharing:
        sharing.subscribe(made)
        if version >= "4.2":
            found = next(filter(None, (sharing.poll(1) for _ in range(POLLS_MAX))))
            assert [one.value for one in found] == [b"one"]
            return
        with pytest.raises(UnsupportedVersionError, match="share groups"):
            sharing.poll(20)


def test_the_quorum_is_described_from_3_3_on(old, version):
    with Admin(old) as admin:
        if version >= "3.3":
            assert admin.describe_metadata_quorum().leader_id == 1
            return
        with pytest.raises(UnsupportedVersionError, match="DescribeQuorum"):
            admin.describe_metadata_quorum()


def test_a_commit_keeps_its_leader_epoch_and_its_text(old, made):
    with Producer(old) as producer:
        producer.send(made, b"one", partition=0).result(30)
    with Consumer(old, group_id=made, auto_offset_reset="earliest") as consumer:
        consumer.assign([(made, 0)])
        assert len(read(consumer, 1)) == 1
        consumer.commit(metadata="so far")
    with Admin(old) as admin:
        (found,) = admin.list_consumer_group_offsets(made)[made].values()
    assert found == CommittedOffset(1, 0, "so far")
