"""Topics that come into being because a client named them."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.settings import Quotas as QuotaImage
from moldau.broker.server.quota.quotas import Quotas
from moldau.broker.server.topic.creation import INTERNAL_TOPICS, TopicCreation, is_legal_name
from moldau.errors import KafkaError
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.protocol.messages.topic.create_topics import CreateTopicsResponse
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.broker.server.asking import broker_with, call_of

Result = CreateTopicsResponse.CreatableTopicResult
SETTINGS = {
    "request_timeout_ms": 30_000,
    "offsets_topic_num_partitions": 50,
    "offsets_topic_replication_factor": 1,
    "offsets_topic_segment_bytes": 104857600,
    "transaction_state_log_num_partitions": 50,
    "transaction_state_log_replication_factor": 1,
    "transaction_state_log_min_isr": 1,
    "transaction_state_log_segment_bytes": 104857600,
    "share_coordinator_state_topic_num_partitions": 50,
    "share_coordinator_state_topic_replication_factor": 1,
    "share_coordinator_state_topic_min_isr": 1,
    "share_coordinator_state_topic_segment_bytes": 104857600,
}


def answer(name, error=0, message=None):
    result = Result(name=name, error_code=error, error_message=message, configs=[])
    return CreateTopicsResponse(topics=[result])


def create(*rounds, answers, **settings):
    """Ask for each round of names at once; what the controller was asked."""

    async def main(tasks):
        broker = broker_with(answers=answers, tasks=tasks, **{**SETTINGS, **settings})
        creation = TopicCreation()
        for names in rounds:
            creation.begin(broker, names)
        await tasks.sleep(10)
        creation.begin(broker, ["again"])
        await tasks.sleep(10)
        return broker.metadata.asked

    return simulated_tasks.run(main)


def test_a_topic_gets_what_the_controller_gives_by_default():
    first, _ = create(["orders"], answers=[answer("orders"), answer("again")])
    (topic,) = first.topics
    assert (topic.name, topic.num_partitions, topic.replication_factor) == ("orders", -1, -1)


def test_what_was_set_for_this_broker_goes_before_what_the_controller_gives():
    (topic,) = create(
        ["orders"],
        answers=[answer("orders"), answer("again")],
        given={"num.partitions"},
        num_partitions=5,
    )[0].topics
    assert (topic.num_partitions, topic.replication_factor) == (5, -1)


def test_one_that_is_under_way_is_not_asked_for_again():
    asked = create(["a"], ["a"], ["a"], answers=[answer("a"), answer("again")])
    assert [[topic.name for topic in request.topics] for request in asked] == [["a"], ["again"]]


def test_internal_topics_are_made_as_kafka_makes_them():
    first, _ = create(sorted(INTERNAL_TOPICS), answers=[answer("x"), answer("again")])
    made = {topic.name: {c.name: c.value for c in topic.configs} for topic in first.topics}
    assert made["__consumer_offsets"] == {
        "cleanup.policy": "compact",
        "compression.type": "producer",
        "segment.bytes": "104857600",
    }
    assert made["__transaction_state"]["compression.type"] == "uncompressed"
    assert made["__share_group_state"]["retention.ms"] == "-1"
    assert {topic.num_partitions for topic in first.topics} == {50}


def test_what_the_controller_refuses_is_a_line_in_the_log(caplog):
    create(["orders"], answers=[answer("orders", 38, "too few brokers"), answer("again")])
    assert "Could not create orders: too few brokers" in caplog.text


@pytest.mark.parametrize("name", ["a", "a.b_c-D9", "x" * 249])
def test_legal_names(name):
    assert is_legal_name(name)


@pytest.mark.parametrize("name", ["", ".", "..", "a b", "ä", "a/b", "x" * 250, "a\n"])
def test_names_that_are_not_legal(name):
    assert not is_legal_name(name)


def test_a_controller_that_cannot_be_asked_is_a_line_in_the_log(caplog):
    class Unreachable:
        async def ask(self, request, call):
            raise KafkaError(41, "no controller")

    async def main(tasks):
        broker = broker_with(tasks=tasks, **SETTINGS)
        broker.metadata = Unreachable()
        TopicCreation().begin(broker, ["orders"])
        await tasks.sleep(10)

    simulated_tasks.run(main)
    assert "Could not create orders: no controller" in caplog.text


def test_what_a_client_brings_about_counts_against_its_quota():
    known = QuotaImage({(("client-id", None),): {"controller_mutation_rate": 1.0}})
    caller = call_of(MetadataRequest(topics=None), 13)

    async def main(tasks):
        answers = [answer("orders"), answer("__own")]
        broker = broker_with(answers=answers, tasks=tasks, **SETTINGS)
        broker.quotas = Quotas(broker.clock, lambda: known)
        TopicCreation().begin(broker, ["orders"], caller)
        TopicCreation().begin(broker, ["__own"])
        await tasks.sleep(10)
        return broker.metadata.calls

    clients, own = simulated_tasks.run(main)
    for call in (clients, own, own):
        call.charge(20)
    with pytest.raises(KafkaError):
        clients.charge(1)
