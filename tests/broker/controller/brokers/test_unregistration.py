"""A broker that will not come back is forgotten, and no other counts on it."""

from moldau.protocol.messages.cluster.unregister_broker import UnregisterBrokerRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation, names


def test_a_broker_leaves_every_set_before_it_is_forgotten():
    cluster = Conversation(brokers=3, min_insync_replicas="2")
    cluster.create("led", (1, 2))
    cluster.create("eligible", (2, 1, 3))
    cluster.beat(1, want_fence=True)
    records, reply = cluster.ask(UnregisterBrokerRequest(broker_id=1))
    assert (names(records)[-1], reply.error_code) == ("UnregisterBroker", 0)
    assert 1 not in cluster.image.cluster.brokers
    assert cluster.partition("led").isr == (2,)


def test_a_live_broker_is_forgotten_too():
    cluster = Conversation(brokers=2)
    cluster.create("t", (1, 2))
    records, _ = cluster.ask(UnregisterBrokerRequest(broker_id=1))
    assert names(records) == ["PartitionChange", "UnregisterBroker"]
    assert cluster.partition("t").leader == 2


def test_a_broker_that_is_not_there_cannot_be_forgotten():
    refused = Conversation().refusal(UnregisterBrokerRequest(broker_id=5))
    assert refused == ErrorCode.BROKER_ID_NOT_REGISTERED
