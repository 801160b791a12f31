"""Mistakes of clients get Kafka's own codes, and where there is room for words, words that help.

The codes are Apache Kafka's by its own word: in the long form it is asked the same.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from moldau.protocol.messages.config.incremental_alter_configs import IncrementalAlterConfigsRequest
from moldau.protocol.messages.data.delete_records import DeleteRecordsRequest
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.messages.topic.create_partitions import CreatePartitionsRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdRequest
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Request, Struct
from tests.floods.attacked_node import create_topic
from tests.floods.greed import wait_until
from tests.interop.differential.side import Side
from tests.judges.kafka_node import KafkaNode
from tests.judges.moldau_node import MoldauNode

TOPIC = "orders"
PRODUCER_ID = 4711
TOPIC_TYPE, BROKER_TYPE, NO_TYPE = 2, 4, 99
SET = 0
GROUP, TRANSACTION = 0, 1


class Mistake(NamedTuple):
    """What is asked, and what is answered."""

    request: Request
    version: int
    code: ErrorCode
    words: str = ""
    """Part of the message; nothing where the protocol has no room for one."""


def batch(*, epoch: int = 0, sequence: int = 0, producer_id: int = PRODUCER_ID) -> bytes:
    fields = BatchFields(producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence)
    builder = BatchBuilder(fields)
    builder.append(1_700_000_000_000, None, b"value")
    return bytes(builder.build())


def produce(records: bytes, topic: str = TOPIC, partition: int = 0, acks: int = -1) -> Request:
    data = ProduceRequest.TopicProduceData
    one = data.PartitionProduceData(index=partition, records=records)
    return ProduceRequest(
        acks=acks, timeout_ms=1000, topic_data=[data(name=topic, partition_data=[one])]
    )


def fetch(offset: int, topic: str = TOPIC, leader_epoch: int = -1) -> Request:
    named = FetchRequest.FetchTopic
    one = named.FetchPartition(
        partition=0,
        fetch_offset=offset,
        partition_max_bytes=1000,
        current_leader_epoch=leader_epoch,
    )
    topics = [named(topic=topic, partitions=[one])]
    return FetchRequest(max_wait_ms=0, min_bytes=0, session_epoch=-1, topics=topics)


def set_config(kind: int, name: str, key: str, value: str) -> Request:
    resource = IncrementalAlterConfigsRequest.AlterConfigsResource
    config = resource.AlterableConfig(name=key, config_operation=SET, value=value)
    changed = resource(resource_type=kind, resource_name=name, configs=[config])
    return IncrementalAlterConfigsRequest(resources=[changed], validate_only=False)


def create(name: str, partitions: int = 1, factor: int = 1, **configs: str) -> Request:
    topic = CreateTopicsRequest.CreatableTopic
    config = topic.CreatableTopicConfig
    given = [config(name=key.replace("_", "."), value=value) for key, value in configs.items()]
    made = topic(
        name=name,
        num_partitions=partitions,
        replication_factor=factor,
        assignments=[],
        configs=given,
    )
    return CreateTopicsRequest(topics=[made], timeout_ms=5000)


def partitions(name: str, count: int) -> Request:
    topic = CreatePartitionsRequest.CreatePartitionsTopic
    asked = [topic(name=name, count=count, assignments=None)]
    return CreatePartitionsRequest(topics=asked, timeout_ms=5000, validate_only=False)


def list_offsets(leader_epoch: int) -> Request:
    topic = ListOffsetsRequest.ListOffsetsTopic
    one = topic.ListOffsetsPartition(
        partition_index=0, timestamp=-1, current_leader_epoch=leader_epoch
    )
    return ListOffsetsRequest(
        replica_id=-1, isolation_level=0, topics=[topic(name=TOPIC, partitions=[one])]
    )


def delete_records(topic: str, offset: int) -> Request:
    named = DeleteRecordsRequest.DeleteRecordsTopic
    one = named.DeleteRecordsPartition(partition_index=0, offset=offset)
    return DeleteRecordsRequest(topics=[named(name=topic, partitions=[one])], timeout_ms=1000)


def metadata(name: str) -> Request:
    topics = [MetadataRequest.MetadataRequestTopic(name=name)]
    return MetadataRequest(topics=topics, allow_auto_topic_creation=False)


def commit(group: str, generation: int, member: str) -> Request:
    topic = OffsetCommitRequest.OffsetCommitRequestTopic
    one = topic.OffsetCommitRequestPartition(
        partition_index=0, committed_offset=1, committed_metadata=None
    )
    return OffsetCommitRequest(
        group_id=group,
        generation_id_or_member_epoch=generation,
        member_id=member,
        topics=[topic(name=TOPIC, partitions=[one])],
    )


def find(kind: int, key: str) -> Request:
    return FindCoordinatorRequest(key_type=kind, coordinator_keys=[key])


E = ErrorCode
LOADING = (E.COORDINATOR_LOAD_IN_PROGRESS, E.COORDINATOR_NOT_AVAILABLE, E.NOT_COORDINATOR)
MISTAKES = {
    "unknown topic, metadata": Mistake(metadata("nowhere"), 9, E.UNKNOWN_TOPIC_OR_PARTITION),
    "a name that is none": Mistake(metadata("a b"), 9, E.INVALID_TOPIC_EXCEPTION),
    "unknown topic, produce": Mistake(produce(batch(), "no"), 9, E.UNKNOWN_TOPIC_OR_PARTITION),
    "unknown partition": Mistake(produce(batch(), TOPIC, 7), 9, E.UNKNOWN_TOPIC_OR_PARTITION),
    "acks of two": Mistake(produce(batch(), acks=2), 9, E.INVALID_REQUIRED_ACKS),
    "unknown topic, fetch": Mistake(fetch(0, "nowhere"), 11, E.UNKNOWN_TOPIC_OR_PARTITION),
    "an offset that is not there": Mistake(fetch(10_000), 11, E.OFFSET_OUT_OF_RANGE),
    "an epoch to come": Mistake(fetch(0, leader_epoch=99), 11, E.UNKNOWN_LEADER_EPOCH),
    "an epoch that is over": Mistake(fetch(0, leader_epoch=0), 11, E.FENCED_LEADER_EPOCH),
    "an epoch to come, offsets": Mistake(list_offsets(99), 5, E.UNKNOWN_LEADER_EPOCH),
    "a sequence too far": Mistake(
        produce(batch(epoch=1, sequence=9)), 9, E.OUT_OF_ORDER_SEQUENCE_NUMBER, "sequence"
    ),
    "a fenced producer": Mistake(produce(batch(epoch=0, sequence=1)), 9, E.INVALID_PRODUCER_EPOCH),
    "a damaged batch": Mistake(produce(batch()[:-1] + b"\xff"), 9, E.CORRUPT_MESSAGE),
    "records below the start": Mistake(delete_records(TOPIC, 10_000), 1, E.OFFSET_OUT_OF_RANGE),
    "a topic that is there": Mistake(create(TOPIC), 5, E.TOPIC_ALREADY_EXISTS, TOPIC),
    "no partitions": Mistake(create("x", 0), 5, E.INVALID_PARTITIONS, "0 partitions"),
    "too many replicas": Mistake(create("x", 1, 3), 5, E.INVALID_REPLICATION_FACTOR, "1"),
    "a bad name": Mistake(create("a/b"), 5, E.INVALID_TOPIC_EXCEPTION, "a/b"),
    "an unknown config": Mistake(create("x", no_such="1"), 5, E.INVALID_CONFIG, "no.such"),
    "a bad config": Mistake(create("x", retention_ms="soon"), 5, E.INVALID_CONFIG, "retention.ms"),
    "fewer partitions": Mistake(partitions(TOPIC, 1), 1, E.INVALID_PARTITIONS, "1"),
    "partitions of nothing": Mistake(partitions("no", 4), 1, E.UNKNOWN_TOPIC_OR_PARTITION),
    "a bad config, altered": Mistake(
        set_config(TOPIC_TYPE, TOPIC, "cleanup.policy", "burn"), 1, E.INVALID_CONFIG, "burn"
    ),
    "a config of no topic": Mistake(
        set_config(TOPIC_TYPE, "no", "retention.ms", "1"), 1, E.UNKNOWN_TOPIC_OR_PARTITION
    ),
    "a config that is not dynamic": Mistake(
        set_config(BROKER_TYPE, "1", "node.id", "9"), 1, E.INVALID_REQUEST, "node.id"
    ),
    "a resource of no type": Mistake(
        set_config(NO_TYPE, "x", "a", "b"), 1, E.INVALID_REQUEST, "99"
    ),
    "a topic to delete that is not there": Mistake(
        DeleteTopicsRequest(topic_names=["no"], timeout_ms=1000), 5, E.UNKNOWN_TOPIC_OR_PARTITION
    ),
    "an unknown member": Mistake(
        HeartbeatRequest(group_id="g", generation_id=1, member_id="m"), 4, E.UNKNOWN_MEMBER_ID
    ),
    "a group without a name": Mistake(
        HeartbeatRequest(group_id="", generation_id=1, member_id="m"), 4, E.INVALID_GROUP_ID
    ),
    "offsets of a stranger": Mistake(commit("g", 3, "m"), 8, E.ILLEGAL_GENERATION),
    "a transaction for ever": Mistake(
        InitProducerIdRequest(transactional_id="t", transaction_timeout_ms=2**31 - 1),
        4,
        E.INVALID_TRANSACTION_TIMEOUT,
    ),
}


KAFKA = pytest.param("kafka", marks=[pytest.mark.judge, pytest.mark.long])


@pytest.fixture(scope="module", params=["moldau", KAFKA])
def side(request, tmp_path_factory):
    """A node with a topic of two partitions that is led for the second time, and a producer that
    has moved on to epoch 1; its coordinators are at work."""
    folder = tmp_path_factory.mktemp("node")
    node: KafkaNode | MoldauNode
    if request.param == "kafka":
        node = KafkaNode(request.getfixturevalue("kafka_libs"), folder, settings={})
    else:
        node = MoldauNode(folder)
    node.start()
    client = Side(request.param, node.client_port)
    create_topic(client, TOPIC)
    client.ask(partitions(TOPIC, 2), 1)
    client.close()
    node.stop()
    node.start()
    for epoch in (0, 1):
        answer = client.ask(produce(batch(epoch=epoch)), 9)
        assert code_and_words(answer)[0] == E.NONE, answer
    for kind, name in ((GROUP, "g"), (GROUP, ""), (TRANSACTION, "t")):
        wait_until(
            lambda kind=kind, name=name: code_and_words(client.ask(find(kind, name), 4))[0] == 0
        )
    for mistake in (MISTAKES["an unknown member"], MISTAKES["a transaction for ever"]):
        wait_until(lambda asked=mistake: code_and_words(client.ask(*asked[:2]))[0] not in LOADING)
    yield client
    client.close()
    node.stop()
    assert isinstance(node, KafkaNode) or "Traceback" not in node.last_words()


def code_and_words(answer: Struct) -> tuple[int, str]:
    """The first code in an answer that is not 0, wherever it is, and the words beside it."""
    code = getattr(answer, "error_code", 0) or getattr(answer, "partition_error_code", 0)
    if code:
        return code, getattr(answer, "error_message", None) or ""
    for name in answer.DECLARED:
        value = getattr(answer, name)
        for element in value if isinstance(value, list) else (value,):
            if isinstance(element, Struct) and (found := code_and_words(element))[0]:
                return found
    return 0, ""


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_gets_its_code_and_words_that_name_it(side, name):
    mistake = MISTAKES[name]
    code, words = code_and_words(side.ask(mistake.request, mistake.version))
    assert code == mistake.code, words
    assert side.name == "kafka" or mistake.words in words
