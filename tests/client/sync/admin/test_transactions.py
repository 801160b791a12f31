"""Producers and transactions, with either broker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import moldau
from moldau.client import ClientError
from moldau.client.admin import Admin, NewTopic
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.sync.admin.settling import settled
from tests.client.sync.admin.test_topics import code_of


@pytest.fixture
def hanging(admin: Admin, broker: str, topic: str) -> Iterator[TopicPartition]:
    """A partition in which a transaction is open, under the topic's name."""
    admin.create_topics(NewTopic(topic, 1)).all()
    with moldau.Producer(broker, transactional_id=topic) as producer:
        producer.begin_transaction()
        producer.send(topic, b"open").result(10)
        yield TopicPartition(topic, 0)


def test_an_open_transaction_is_listed_and_described(admin: Admin, hanging):
    name = hanging.topic
    listed = admin.list_transactions(states=["Ongoing"])[name]
    assert listed.state == "Ongoing"
    view = admin.describe_transactions([name])[name]
    assert (view.state, view.partitions) == ("Ongoing", (hanging,))
    assert (view.producer_id, view.start_ms is None) == (listed.producer_id, False)
    assert name in admin.list_transactions(producer_ids=[view.producer_id], longer_than_ms=0)
    assert name not in admin.list_transactions(states=["Empty"])
    assert name in admin.list_transactions(pattern=f"{name[:5]}.*")
    assert name not in admin.list_transactions(pattern="x.*")


def test_a_leader_knows_the_producer_and_its_marker_is_written_by_hand(admin: Admin, hanging):
    (state,) = admin.describe_producers([hanging])[hanging]
    assert state.transaction_start_offset == 0
    node = admin.describe_cluster().nodes[0].node_id
    assert admin.describe_producers([hanging], node_id=node)[hanging] == (state,)
    admin.abort_transaction(
        hanging,
        producer_id=state.producer_id,
        producer_epoch=state.producer_epoch,
        coordinator_epoch=state.coordinator_epoch or 0,
    )
    (after,) = admin.describe_producers([hanging])[hanging]
    assert after.transaction_start_offset is None


def test_fencing_ends_what_is_open(admin: Admin, hanging):
    name = hanging.topic
    before = admin.describe_transactions(name)[name]
    fenced = admin.fence_producers([name])[name]
    assert (fenced.producer_id, fenced.producer_epoch) > (before.producer_id, before.producer_epoch)

    def state() -> str:
        return admin.describe_transactions(name)[name].state

    assert settled(state, "Empty".__eq__) == "Empty"
    admin.force_terminate_transaction(name)


def test_an_unknown_id_is_its_own_error(admin: Admin, topic):
    outcomes = admin.describe_transactions([topic])
    assert code_of(outcomes.errors[topic]) is ErrorCode.TRANSACTIONAL_ID_NOT_FOUND
    with pytest.raises(ClientError, match="no states Nope"):
        admin.list_transactions(states=["Nope"])
