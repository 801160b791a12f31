"""What a running node of Apache Kafka serves of a partition.

Records come through librdkafka's consumer, which checks every checksum and drops aborted
transactions by itself; positions through its admin client; single fetches and the state of
producers through messages of ours, since no client library shows them.
"""

from __future__ import annotations

import time

from confluent_kafka import (
    Consumer,
    IsolationLevel,
    KafkaError,
    KafkaException,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient, OffsetSpec

from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest, ListOffsetsResponse
from moldau.protocol.messages.transaction.describe_producers import (
    DescribeProducersRequest,
    DescribeProducersResponse,
)
from tests.judges.kafka_calls import ask
from tests.judges.kafka_node import KafkaNode
from tests.judges.log_view import (
    FETCH_BYTES,
    Fetched,
    ProducerSeen,
    Seen,
    View,
    probes_of_offset,
    probes_of_time,
)

AT_END, CONSUMER, LIST_OFFSETS_VERSION = -1, -1, 7
FETCH_VERSION = 12
"""The last one that names topics."""
UNCOMMITTED, COMMITTED = 0, 1
LOG_APPEND_TIME = 2
ELECTING = (
    KafkaError.UNKNOWN_LEADER_EPOCH,
    KafkaError.FENCED_LEADER_EPOCH,
    KafkaError.NOT_LEADER_FOR_PARTITION,
    KafkaError.LEADER_NOT_AVAILABLE,
)
"""A node that starts leads its partitions in one epoch, and in the next a moment later."""
POLL_S = 0.05
TIMEOUT_S = 60


def view_of_node(node: KafkaNode, topic: str) -> View:
    admin = AdminClient({"bootstrap.servers": node.bootstrap})
    start = _offset(admin, topic, OffsetSpec.earliest())[0]
    uncommitted = _consumed(node, topic, start, "read_uncommitted")
    end = _offset(admin, topic, OffsetSpec.latest())[0]
    return View(
        start,
        end,
        _offset(admin, topic, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED)[0],
        uncommitted,
        _consumed(node, topic, start, "read_committed"),
        {
            stamp: _offset(admin, topic, OffsetSpec.for_timestamp(stamp))
            for stamp in probes_of_time(uncommitted)
        },
        _offset(admin, topic, OffsetSpec.max_timestamp()),
        producers_of_node(node, topic) or [],
        [
            (_fetched(node, topic, offset, UNCOMMITTED), _fetched(node, topic, offset, COMMITTED))
            for offset in probes_of_offset(start, end)
        ],
    )


def _consumed(node: KafkaNode, topic: str, start: int, isolation: str) -> list[Seen]:
    consumer = Consumer(
        {
            "bootstrap.servers": node.bootstrap,
            "group.id": "judge",
            "isolation.level": isolation,
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "check.crcs": True,
            "fetch.wait.max.ms": 10,
            "auto.offset.reset": "error",
        }
    )
    consumer.list_topics(topic, TIMEOUT_S)  # or it would wait for half a second before it asks
    consumer.assign([TopicPartition(topic, 0, start)])
    found: list[Seen] = []
    try:
        while (message := consumer.poll(TIMEOUT_S)) is not None:
            error = message.error()
            if error is not None and error.code() == KafkaError._PARTITION_EOF:
                return found
            if error is not None:
                raise KafkaException(error)
            found.append(_seen(message))
    finally:
        consumer.close()
    raise AssertionError(f"the node served {len(found)} records of {topic} and then no more")


def _seen(message) -> Seen:
    kind, timestamp = message.timestamp()
    return Seen(
        message.offset(),
        timestamp,
        kind == LOG_APPEND_TIME,
        message.key(),
        message.value(),
        tuple(message.headers() or ()),
        message.leader_epoch(),
    )


def _offset(
    admin: AdminClient,
    topic: str,
    wanted: OffsetSpec,
    isolation: IsolationLevel = IsolationLevel.READ_UNCOMMITTED,
) -> tuple[int, int]:
    partition = TopicPartition(topic, 0)
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        asked = admin.list_offsets({partition: wanted}, isolation_level=isolation)
        try:
            found = asked[partition].result(TIMEOUT_S)
        except KafkaException as error:
            if error.args[0].code() not in ELECTING or time.monotonic() > deadline:
                raise
            time.sleep(POLL_S)
            continue
        return found.offset, found.timestamp


def _fetched(node: KafkaNode, topic: str, offset: int, isolation: int) -> Fetched:
    partition = FetchRequest.FetchTopic.FetchPartition(
        partition=0, fetch_offset=offset, partition_max_bytes=FETCH_BYTES
    )
    topics = [FetchRequest.FetchTopic(topic=topic, partitions=[partition])]
    request = FetchRequest(
        max_wait_ms=0, min_bytes=0, isolation_level=isolation, session_epoch=-1, topics=topics
    )
    answer = ask(node.client_port, request, FetchResponse, FETCH_VERSION)
    (found,) = answer.responses[0].partitions
    assert (answer.error_code, found.error_code) == (0, 0)
    aborted = found.aborted_transactions
    return Fetched(
        found.high_watermark,
        found.last_stable_offset,
        found.log_start_offset,
        None if aborted is None else tuple((one.producer_id, one.first_offset) for one in aborted),
        bytes(found.records or b""),
    )


def is_led(node: KafkaNode, topic: str) -> bool:
    """Whether records can be written: a node that starts describes producers before it leads."""
    part = ListOffsetsRequest.ListOffsetsTopic.ListOffsetsPartition(
        partition_index=0, timestamp=AT_END
    )
    topics = [ListOffsetsRequest.ListOffsetsTopic(name=topic, partitions=[part])]
    request = ListOffsetsRequest(replica_id=CONSUMER, isolation_level=0, topics=topics)
    answer = ask(node.client_port, request, ListOffsetsResponse, LIST_OFFSETS_VERSION)
    return bool(answer.topics[0].partitions[0].error_code == 0)


def producers_of_node(node: KafkaNode, topic: str) -> list[ProducerSeen] | None:
    """Those that the partition remembers; None while the node does not lead it."""
    topics = [DescribeProducersRequest.TopicRequest(name=topic, partition_indexes=[0])]
    request = DescribeProducersRequest(topics=topics)
    answer = ask(node.client_port, request, DescribeProducersResponse, 0)
    (found,) = answer.topics[0].partitions
    if found.error_code:
        return None
    return sorted(
        ProducerSeen(
            one.producer_id,
            one.producer_epoch,
            one.last_sequence,
            one.last_timestamp,
            one.coordinator_epoch,
            one.current_txn_start_offset,
        )
        for one in found.active_producers
    )


def wait_for_transactions(node: KafkaNode, topic: str, open_count: int = 0) -> None:
    """Until the node leads the partition and no more than these transactions are open in it.

    A commit is confirmed before its markers are written.
    """
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        producers = producers_of_node(node, topic)
        if producers is not None and is_led(node, topic):
            begun = [one for one in producers if one.transaction_first_offset >= 0]
            if len(begun) == open_count:
                return
        time.sleep(POLL_S)
    raise AssertionError(f"{topic} did not come to {open_count} open transactions")
