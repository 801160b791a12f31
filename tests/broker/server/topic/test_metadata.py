"""Metadata, compared with what Kafka 4.3.1 answered to the same questions."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.cluster import BrokerState, Cluster, Endpoint
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import LOST_DIRECTORY, PartitionState, Topics, TopicState
from moldau.broker.security.access import Operation
from moldau.broker.server.topic.metadata import handle
from moldau.errors import KafkaError
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of, outcome, production_features

ORDERS_ID = b"orders".ljust(16, b"\0")
Asked = MetadataRequest.MetadataRequestTopic


class Creation:
    """Remembers what was to be created."""

    def __init__(self):
        self.names = []

    def begin(self, broker, names, caller):
        self.names += names


class DescribesAlone:
    """May see every topic, and create none."""

    def allows(self, call, operation, resource, name):
        return operation == Operation.DESCRIBE


def image(fenced=(), leaders=(1, 2), first_directory=bytes(16)):
    brokers = {
        number: BrokerState(
            number,
            number,
            bytes(16),
            {"PLAINTEXT": Endpoint("PLAINTEXT", f"host{number}", 9092, 0)},
            fenced=number in fenced,
        )
        for number in (1, 2)
    }
    partitions = {
        index: PartitionState(
            (1, 2), (first_directory, bytes(16)), (1, 2), leader=leader, leader_epoch=5
        )
        for index, leader in enumerate(leaders)
    }
    orders = TopicState("orders", ORDERS_ID, partitions)
    topics = Topics({"orders": orders}, {ORDERS_ID: orders})
    return Image(offset=10, features=production_features(), cluster=Cluster(brokers), topics=topics)


def ask(version, topics, known=None, **wishes):
    broker = broker_with(known or image(), auto_create_topics_enable=True)
    broker.topic_creation = Creation()
    request = MetadataRequest(topics=topics, **wishes)
    answer = outcome(broker, handle(call_of(request, version), broker), version)
    return answer, broker.topic_creation.names


def names_of(response):
    return [(topic.name, topic.error_code) for topic in response.topics]


def test_brokers_leaders_and_replicas_are_reported_as_the_image_has_them():
    response, _ = ask(12, [Asked(name="orders")])
    (topic,) = response.topics
    assert [(b.node_id, b.host) for b in response.brokers] == [(1, "host1"), (2, "host2")]
    assert response.cluster_id == "a cluster"
    assert response.controller_id in (1, 2)
    assert (topic.topic_id, topic.is_internal) == (ORDERS_ID, False)
    partitions = [
        (p.partition_index, p.leader_id, p.leader_epoch, p.isr_nodes) for p in topic.partitions
    ]
    assert partitions == [(0, 1, 5, [1, 2]), (1, 2, 5, [1, 2])]


@pytest.mark.parametrize(
    ("version", "topics", "expected"),
    [(0, [], ["orders"]), (1, [], []), (1, None, ["orders"]), (13, None, ["orders"])],
)
def test_all_topics_are_an_empty_list_in_version_0_and_null_later(version, topics, expected):
    response, _ = ask(version, topics)
    assert [topic.name for topic in response.topics] == expected


def test_a_topic_that_is_not_there_is_created_if_both_sides_agree():
    asked = [Asked(name="absent"), Asked(name="absent"), Asked(name="bad name")]
    response, created = ask(12, asked)
    assert names_of(response) == [
        ("absent", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        ("bad name", ErrorCode.INVALID_TOPIC_EXCEPTION),
    ]
    assert created == ["absent"]
    assert ask(12, asked, allow_auto_topic_creation=False)[1] == []


def test_a_client_that_may_not_create_a_topic_is_refused_where_it_would_be_created():
    broker = broker_with(image(), auto_create_topics_enable=True)
    broker.authorizer, broker.topic_creation = DescribesAlone(), Creation()
    request = MetadataRequest(
        topics=[Asked(name=name) for name in ("absent", "bad name", "orders")]
    )
    answer = outcome(broker, handle(call_of(request, 12), broker), 12)
    refused = ErrorCode.TOPIC_AUTHORIZATION_FAILED
    assert names_of(answer) == [("absent", refused), ("bad name", refused), ("orders", 0)]
    assert broker.topic_creation.names == []
    request.allow_auto_topic_creation = False
    answer = outcome(broker, handle(call_of(request, 12), broker), 12)
    assert names_of(answer)[0] == ("absent", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)


def test_an_internal_topic_is_known_as_such_before_it_is_there():
    response, _ = ask(12, [Asked(name="__consumer_offsets")], allow_auto_topic_creation=False)
    assert response.topics[0].is_internal


def test_who_asks_by_id_gets_answers_to_ids_alone():
    asked = [Asked(name=None, topic_id=ORDERS_ID), Asked(name=None, topic_id=b"x" * 16)]
    response, _ = ask(12, [*asked, Asked(name="absent")])
    assert names_of(response) == [("orders", 0), (None, ErrorCode.UNKNOWN_TOPIC_ID)]


@pytest.mark.parametrize("topic", [Asked(name=None), Asked(name="orders", topic_id=ORDERS_ID)])
def test_ids_are_refused_in_versions_that_only_have_a_field_for_them(topic):
    with pytest.raises(KafkaError) as refusal:
        ask(11, [topic])
    assert refusal.value.code == ErrorCode.INVALID_REQUEST


def test_a_topic_with_neither_name_nor_id_is_what_kafka_did_not_foresee():
    with pytest.raises(KafkaError) as refusal:
        ask(12, [Asked(name=None)])
    assert refusal.value.code == ErrorCode.UNKNOWN_SERVER_ERROR


def test_a_fenced_broker_is_left_out_and_its_partitions_have_no_leader():
    response, _ = ask(12, None, image(fenced=(2,)))
    first, second = response.topics[0].partitions
    assert [broker.node_id for broker in response.brokers] == [1]
    assert (first.error_code, first.offline_replicas) == (0, [2])
    assert (second.error_code, second.leader_id) == (ErrorCode.LEADER_NOT_AVAILABLE, -1)


def test_version_0_names_only_replicas_that_can_be_reached():
    response, _ = ask(0, [], image(fenced=(2,)))
    assert response.topics[0].partitions[0].replica_nodes == [1]


def test_what_may_be_done_is_sent_to_who_asks_for_it():
    response, _ = ask(
        10,
        [Asked(name="absent")],
        include_cluster_authorized_operations=True,
        include_topic_authorized_operations=True,
    )
    assert response.cluster_authorized_operations == 8096
    assert response.topics[0].topic_authorized_operations == 3576


def test_no_broker_is_listed_where_none_is_alive():
    response, _ = ask(12, [], image(fenced=(1, 2)))
    assert (response.brokers, response.controller_id) == ([], -1)


def test_a_replica_in_a_lost_directory_is_offline_though_its_broker_is_there():
    response, _ = ask(12, [Asked(name="orders")], image(first_directory=LOST_DIRECTORY))
    partitions = response.topics[0].partitions
    assert [one.offline_replicas for one in partitions] == [[1], [1]]
