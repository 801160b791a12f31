"""What the controller receives about a broker's replicas."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.metadata.cluster import BrokerState
from moldau.broker.metadata.topics import PartitionState, Topics, TopicState
from moldau.broker.server.controller.replica_reports import ReplicaReports, may_lead
from moldau.errors import KafkaError
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import KnownMetadata

TOPIC, GONE, HERE, THERE = b"t" * 16, b"g" * 16, b"h" * 16, b"T" * 16
STATE = PartitionState((1,), (bytes(16),), (1,))
KNOWN = TopicState("t", TOPIC, {0: STATE, 1: STATE})
TOPICS = Topics({"t": KNOWN}, {TOPIC: KNOWN})
ALIVE = BrokerState(broker_id=2, epoch=8, incarnation_id=bytes(16), endpoints={}, fenced=False)


class Controller(KnownMetadata):
    """Refuses as often as it is set to, and then agrees to everything."""

    def __init__(self, refusals):
        super().__init__()
        self.refusals = refusals
        self.image: Any = SimpleNamespace(
            topics=TOPICS, cluster=SimpleNamespace(brokers={2: ALIVE})
        )

    async def ask(self, request, call):
        self.asked.append(request)
        if self.refusals:
            self.refusals -= 1
            raise KafkaError(ErrorCode.NOT_CONTROLLER)
        return request


def partition(index, directory=HERE, topic_id=TOPIC):
    properties = SimpleNamespace(directory_id=directory)
    return SimpleNamespace(
        topic_id=topic_id,
        index=index,
        directory=SimpleNamespace(properties=properties),
        name=f"t-{index}",
        leader_epoch=3,
        partition_epoch=4,
        proposed_isr=(1, 2),
    )


def requests_of(act, refusals=0):
    """What the controller was asked while `act(reports)` and its consequences happened."""
    controller = Controller(refusals)

    async def main(tasks):
        broker: Any = SimpleNamespace(node_id=1, epoch=7, metadata=controller, tasks=tasks)
        act(ReplicaReports(broker))
        await tasks.sleep(1000)

    simulated_tasks.run(main)
    return controller.asked


def places(request):
    return {
        (topic.topic_id, one.partition_index, directory.id)
        for directory in request.directories
        for topic in directory.topics
        for one in topic.partitions
    }


def test_places_are_gathered_and_reported_once():
    def act(reports):
        reports.placed(partition(0))
        reports.placed(partition(1, THERE))

    (request,) = requests_of(act)
    assert (request.broker_id, request.broker_epoch) == (1, 7)
    assert places(request) == {(TOPIC, 0, HERE), (TOPIC, 1, THERE)}


def test_places_are_reported_again_until_they_are_acknowledged_or_the_topic_has_gone():
    def act(reports):
        reports.placed(partition(0))
        reports.placed(partition(0, topic_id=GONE))

    first, second = requests_of(act, refusals=1)
    assert len(places(first)) == 2
    assert places(second) == {(TOPIC, 0, HERE)}


@pytest.mark.parametrize(
    ("broker_id", "epoch", "may"), [(2, 8, True), (2, -1, True), (2, 7, False), (3, 8, False)]
)
def test_a_broker_may_lead_in_the_life_in_which_it_was_seen(broker_id, epoch, may):
    assert may_lead({2: ALIVE}, broker_id, epoch) is may
