"""Faults on request, as clients that are not ours see them."""

from __future__ import annotations

import asyncio

import confluent_kafka
import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from moldau.client import Admin, TopicPartition
from moldau.client.admin import OffsetPlace
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.testing import Node, UnknownFaultError

kafka = pytest.importorskip("kafka", reason="kafka-python is not installed")
aiokafka = pytest.importorskip("aiokafka", reason="aiokafka is not installed")

TIMEOUT_S = 60
HOUR_S = 3600


@pytest.fixture(scope="module")
def node():
    with Node() as started:
        yield started


@pytest.fixture(autouse=True)
def no_fault_stays(node):
    yield
    node.faults.clear()


def produce(node, topic, **settings):
    """The errors of what was delivered: one record."""
    outcome = []
    given = {"bootstrap.servers": node.bootstrap, "retry.backoff.ms": 10, "acks": "all"}
    producer = confluent_kafka.Producer({**given, **settings})
    producer.produce(topic, b"v", on_delivery=lambda error, _: outcome.append(error))
    assert producer.flush(TIMEOUT_S) == 0
    return outcome


def count(node, topic):
    with Admin(node.bootstrap) as admin:
        place = TopicPartition(topic, 0)
        return admin.list_offsets({place: OffsetPlace.LATEST}).all()[place].offset


def sees_topics(node, client_id="any"):
    admin = AdminClient({"bootstrap.servers": node.bootstrap, "client.id": client_id})
    try:
        return bool(admin.list_topics(timeout=1))
    except confluent_kafka.KafkaException:
        return False


def test_a_producer_tries_again_after_as_many_errors_as_were_asked_for(node):
    fault = node.faults.error("Produce", ErrorCode.NOT_LEADER_OR_FOLLOWER, times=2)
    assert produce(node, "refused") == [None]
    assert (fault.met, count(node, "refused")) == (2, 1)


def test_an_error_that_does_not_pass_is_the_clients_to_report(node):
    assert produce(node, "forbidden") == [None]
    with node.faults.error("Produce", "TOPIC_AUTHORIZATION_FAILED"):
        (error,) = produce(node, "forbidden")
    assert error.code() == confluent_kafka.KafkaError.TOPIC_AUTHORIZATION_FAILED
    assert produce(node, "forbidden") == [None]


def test_what_is_refused_is_not_done(node):
    admin = AdminClient({"bootstrap.servers": node.bootstrap})
    node.faults.error(ApiKey.CREATE_TOPICS, ErrorCode.POLICY_VIOLATION, times=1)
    with pytest.raises(confluent_kafka.KafkaException) as refused:
        admin.create_topics([NewTopic("wanted", 1)])["wanted"].result(TIMEOUT_S)
    assert refused.value.args[0].name() == "POLICY_VIOLATION"
    admin.create_topics([NewTopic("wanted", 1)])["wanted"].result(TIMEOUT_S)


def test_requests_are_not_answered_while_a_long_delay_lasts(node):
    assert sees_topics(node)
    with node.faults.delay("Metadata", HOUR_S):
        assert not sees_topics(node)
    assert sees_topics(node)


def test_a_delayed_request_is_answered_all_the_same(node):
    fault = node.faults.delay("Produce", 0.1, times=1)
    assert produce(node, "delayed") == [None]
    assert (fault.met, fault.is_over, count(node, "delayed")) == (1, True, 1)


def test_after_a_delay_comes_the_next_fault(node):
    late = node.faults.delay("Produce", 0.01)
    refused = node.faults.error("Produce", "NOT_ENOUGH_REPLICAS", times=1)
    assert produce(node, "both") == [None]
    assert (late.met, refused.met, count(node, "both")) == (2, 1, 1)


def test_connections_end_in_place_of_an_answer(node):
    with node.faults.drop("Metadata") as fault:
        assert not sees_topics(node)
    assert fault.met > 0
    assert sees_topics(node)


@pytest.mark.parametrize(("idempotent", "records"), [(False, 2), (True, 1)])
def test_an_answer_that_is_lost_doubles_a_record_without_idempotence(node, idempotent, records):
    topic = f"lost-{records}"
    fault = node.faults.drop_answer("Produce", times=1)
    assert produce(node, topic, **{"enable.idempotence": idempotent}) == [None]
    assert (fault.met, count(node, topic)) == (1, records)


def test_a_producer_that_waits_for_no_answer_loses_its_connection(node):
    fault = node.faults.error("Produce", "NOT_LEADER_OR_FOLLOWER", times=1)
    assert produce(node, "unanswered", acks=0) == [None]
    assert produce(node, "unanswered") == [None]
    assert fault.is_over


def test_other_clients_pass(node):
    node.faults.drop("Metadata", client_id="the victim")
    assert not sees_topics(node, "the victim")
    assert sees_topics(node, "another")


def test_kafka_python_and_aiokafka_meet_them_too(node):
    async def send():
        async with aiokafka.AIOKafkaProducer(
            bootstrap_servers=node.bootstrap, acks="all"
        ) as producer:
            return await producer.send_and_wait("theirs", b"v")

    for number in (1, 2):
        fault = node.faults.error("Produce", "NOT_LEADER_OR_FOLLOWER", times=1)
        if number == 1:
            asyncio.run(send())
        else:
            producer = kafka.KafkaProducer(bootstrap_servers=node.bootstrap)
            producer.send("theirs", b"v").get(TIMEOUT_S)
            producer.close()
        assert (fault.met, count(node, "theirs")) == (1, number)


def test_a_node_shows_its_faults(node):
    assert repr(node.faults) == "<Faults: none>"
    node.faults.drop("Fetch", times=3)
    assert repr(node.faults) == "<Faults: <Fault of Fetch: met 0 of 3>>"
    node.faults.clear()
    assert repr(node.faults) == "<Faults: none>"


@pytest.mark.parametrize(
    ("api", "error", "says"),
    [
        ("Product", "NONE", "'Product' is no API of a broker: did you mean 'Produce'?"),
        (ApiKey.VOTE, "NONE", "is no API of a broker"),
        ("Fetch", "NOT_LEADER", "'NOT_LEADER' is no error of Kafka"),
    ],
)
def test_a_fault_of_what_kafka_does_not_have_is_refused(node, api, error, says):
    with pytest.raises(UnknownFaultError) as refused:
        node.faults.error(api, error)
    assert says in str(refused.value)


@pytest.mark.parametrize("seconds", [0, "1"])
def test_a_delay_of_nothing_is_refused(node, seconds):
    with pytest.raises(UnknownFaultError, match=f"more than 0 seconds, and not {seconds!r}"):
        node.faults.delay("Fetch", seconds)


@pytest.mark.parametrize("times", [0, -1, "2"])
def test_a_fault_that_would_meet_nothing_is_refused(node, times):
    with pytest.raises(UnknownFaultError, match=f"one request or more, and not {times!r}"):
        node.faults.drop("Fetch", times=times)
