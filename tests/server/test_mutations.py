"""Partitions that come and go count against a quota."""

from __future__ import annotations

import pytest

from moldau.errors import KafkaError
from moldau.messages.topic.create_partitions import CreatePartitionsRequest
from moldau.messages.topic.create_topics import CreateTopicsRequest
from moldau.messages.topic.delete_topics import DeleteTopicsRequest
from moldau.metadata.image import Image
from moldau.metadata.settings import Quotas as QuotaImage
from moldau.metadata.topics import PartitionState, Topics, TopicState
from moldau.server.mutations import charge_mutations, mutations_in
from moldau.server.quotas import Quotas
from tests.server.asking import broker_with, call_of

ID = b"t" * 16
STATE = PartitionState((1,), (bytes(16),), (1,))
TOPIC = TopicState("t", ID, dict.fromkeys(range(4), STATE))
IMAGE = Image(topics=Topics({"t": TOPIC}, {ID: TOPIC}))


def creation(count, assignments=(), *, validate_only=False):
    topic = CreateTopicsRequest.CreatableTopic(
        name="new",
        num_partitions=count,
        replication_factor=1,
        assignments=list(assignments),
        configs=[],
    )
    return CreateTopicsRequest(topics=[topic], validate_only=validate_only)


def growth(name, count, *, validate_only=False):
    topic = CreatePartitionsRequest.CreatePartitionsTopic(name=name, count=count, assignments=None)
    return CreatePartitionsRequest(topics=[topic], timeout_ms=1, validate_only=validate_only)


def deletion(**topic):
    asked = DeleteTopicsRequest.DeleteTopicState(**{"name": None, "topic_id": bytes(16), **topic})
    return DeleteTopicsRequest(topics=[asked], topic_names=[], timeout_ms=1)


@pytest.mark.parametrize(
    ("request_", "count"),
    [
        (creation(6), 6),
        (creation(-1), 3),
        (creation(6, validate_only=True), 0),
        (growth("t", 9), 5),
        (growth("t", 2), 0),
        (growth("unknown", 9), 0),
        (growth("t", 9, validate_only=True), 0),
        (deletion(name="t"), 4),
        (deletion(topic_id=ID), 4),
        (deletion(name="unknown"), 0),
    ],
)
def test_partitions_are_counted(request_, count):
    assert mutations_in(request_, IMAGE, 3) == count


def test_what_knows_the_error_is_refused_and_what_does_not_is_muted():
    broker = broker_with(IMAGE, num_partitions=3)
    known = QuotaImage({(("client-id", None),): {"controller_mutation_rate": 1.0}})
    broker.quotas = Quotas(broker.clock, lambda: known)
    charge_mutations(call_of(creation(20), 7), broker, creation(20))
    old, current = call_of(creation(1), 5), call_of(creation(1), 7)
    charge_mutations(old, broker, creation(1))
    with pytest.raises(KafkaError):
        charge_mutations(current, broker, creation(1))
    assert old.throttle_ms == 10_000


def test_other_requests_and_unlimited_senders_cost_nothing():
    broker = broker_with(IMAGE, num_partitions=3)
    call = call_of(creation(20), 7)
    charge_mutations(call, broker, creation(20))
    assert call.throttle_ms == 0
