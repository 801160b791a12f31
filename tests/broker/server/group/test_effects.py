"""What shards of groups want done."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.coordinator.group.classic.sync import RebalanceCompleted
from moldau.broker.coordinator.group.streams.configured import Creatable
from moldau.broker.coordinator.group.streams.heartbeat import CreateInternalTopics
from moldau.broker.server.call import ANONYMOUS, Call
from moldau.broker.server.group.effects import carry_out, completed_rebalances, may_describe
from moldau.platform.ports.network import Address
from tests.broker.coordinator.group.streams.conversation import join
from tests.broker.server.asking import broker_with
from tests.broker.server.group_broker import Forbids

TOPIC = Creatable(name="log", num_partitions=2, replication_factor=-1, assignments=[], configs=[])


class Noted:
    """Stands where topics are created; notes what was wanted."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def begin_described(self, broker: Any, topics: Any) -> None:
        self.names += [topic.name for topic in topics]


def call() -> Call:
    peer = Address("client", 4711)
    return Call(88, 0, 1, "c", join().request, ANONYMOUS, "PLAINTEXT", peer, 1, 0)


@pytest.mark.parametrize(
    ("forbidden", "created"),
    [((), ["log"]), (("kafka-cluster",), ["log"]), (("kafka-cluster", "log"), [])],
)
def test_internal_topics_are_created_in_the_name_of_who_needs_them(forbidden, created):
    broker = broker_with(answers=[])
    broker.topic_creation, broker.authorizer = Noted(), Forbids(*forbidden)
    carry_out(broker, CreateInternalTopics((TOPIC,), call()))
    assert broker.topic_creation.names == created


def test_completed_rebalances_are_counted():
    broker = broker_with(answers=[])
    for _ in range(2):
        carry_out(broker, RebalanceCompleted("g"))
    assert completed_rebalances(broker.metrics).count == 2


def test_a_member_does_not_see_topics_that_are_hidden_from_it():
    broker = broker_with(answers=[])
    broker.authorizer = Forbids("hidden")
    assert [may_describe(broker, call(), topic) for topic in ("t", "hidden")] == [True, False]
    assert may_describe(broker, None, "hidden")
