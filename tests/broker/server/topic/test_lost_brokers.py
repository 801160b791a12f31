"""What Metadata shows of brokers whose process has just ended."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.broker.server.call import LATER
from moldau.broker.server.topic.lost_brokers import (
    BEGUN,
    CONNECTIONS_MAX,
    MOMENT_MS,
    WAIT_MS,
    WHILE_NS,
    LostBrokers,
)
from moldau.broker.server.topic.metadata import handle
from moldau.protocol.messages.stored.metadata_brokers import (
    BrokerRegistrationChangeRecord,
    RegisterBrokerRecord,
)
from moldau.protocol.messages.stored.metadata_topics import PartitionChangeRecord
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.images import image_of, topic, topic_id
from tests.client.aio.scripted_broker import PORT, ScriptedCluster, in_cluster

LISTED_MS = 9_000
LISTENER = "PLAINTEXT"
FENCED = 1


def registered(broker_id: int, epoch: int = 5) -> RegisterBrokerRecord:
    place = RegisterBrokerRecord.BrokerEndpoint(
        name=LISTENER, host=f"b{broker_id}", port=PORT, security_protocol=0
    )
    return RegisterBrokerRecord(
        broker_id=broker_id,
        broker_epoch=epoch,
        incarnation_id=bytes(16),
        end_points=[place],
        features=[],
        rack=None,
        fenced=False,
    )


class Seen:
    """A broker's metadata, and what it keeps of the others."""

    def __init__(self, cluster: ScriptedCluster) -> None:
        led = topic("led", leader=2, replicas=(1, 2))
        self.image = image_of(registered(1), registered(2), *led)
        self.lost = LostBrokers(cluster.world.network, cluster.tasks, lambda: self.image, LISTED_MS)
        self._town = cluster
        cluster.around.host("b2")

    def change(self, *records) -> None:
        delta = Delta(self.image)
        for record in records:
            delta.apply(record)
        image = delta.build()
        self.lost.follow(delta, image)
        self.image = image

    def fence(self, **fields) -> None:
        """As the controller does: what it led gets another leader first."""
        self.change(
            PartitionChangeRecord(topic_id=topic_id("led"), partition_id=0, leader=1),
            BrokerRegistrationChangeRecord(broker_id=2, broker_epoch=5, fenced=FENCED, **fields),
        )

    @property
    def listed(self) -> list[int]:
        return [one.broker_id for one in self.lost.fenced_lately(self.image, LISTENER)]

    async def settled(self) -> int:
        """How long it takes."""
        before = self._town.clock.monotonic_ns()
        await self.lost.settled()
        return (self._town.clock.monotonic_ns() - before) // 1_000_000


def with_seen(happens):
    async def main(cluster: ScriptedCluster):
        return await happens(cluster, Seen(cluster))

    return in_cluster(main)


def test_a_lost_broker_is_settled_when_it_is_fenced():
    async def happens(cluster, seen):
        seen.lost.connection_lost(2)
        cluster.tasks.after(100, seen.fence)
        return seen.lost.are_unsettled, await seen.settled(), seen.lost.are_unsettled

    assert with_seen(happens) == (True, 100, False)


def test_a_broker_that_is_not_fenced_is_waited_for_so_long():
    async def happens(cluster, seen):
        seen.lost.connection_lost(2)
        seen.lost.connection_lost(2)
        return await seen.settled(), await seen.settled()

    assert with_seen(happens) == (WAIT_MS, 0)


def test_what_is_lost_while_others_are_waited_for_is_not_waited_for():
    async def happens(cluster, seen):
        cluster.around.host("b1")
        seen.lost.connection_lost(2)
        cluster.tasks.after(WAIT_MS - 10, lambda: seen.lost.connection_lost(1))
        return await seen.settled(), seen.lost.are_unsettled

    assert with_seen(happens) == (WAIT_MS, True)


def test_a_broker_that_still_listens_is_not_waited_for():
    async def happens(cluster, seen):
        await cluster.broker("b2")
        seen.lost.connection_lost(2)
        return await seen.settled() < WAIT_MS

    assert with_seen(happens)


@pytest.mark.parametrize("broker_id", [2, 3])
def test_nothing_is_unsettled_about_a_fenced_or_unknown_broker(broker_id):
    async def happens(cluster, seen):
        seen.fence()
        seen.lost.connection_lost(broker_id)
        return seen.lost.are_unsettled

    assert not with_seen(happens)


def test_a_fenced_broker_is_listed_as_long_as_a_session_lasts():
    async def happens(cluster, seen):
        before = seen.lost.changes, seen.listed
        seen.fence()
        fenced = seen.lost.changes, seen.listed
        await cluster.tasks.sleep(LISTED_MS + 1)
        return before, fenced, (seen.lost.changes, seen.listed)

    assert with_seen(happens) == ((0, []), (1, [2]), (2, []))


def test_a_fenced_broker_that_still_listens_is_not_listed():
    async def happens(cluster, seen):
        await cluster.broker("b2")
        seen.fence()
        await cluster.tasks.sleep(1_000)
        return seen.listed

    assert with_seen(happens) == []


def test_a_broker_that_has_left_in_order_is_not_listed():
    async def happens(cluster, seen):
        seen.fence(in_controlled_shutdown=1)
        return seen.listed

    assert with_seen(happens) == []


def test_a_broker_that_led_nothing_is_not_listed():
    async def happens(cluster, seen):
        seen.change(PartitionChangeRecord(topic_id=topic_id("led"), partition_id=0, leader=1))
        seen.fence()
        return seen.lost.changes, seen.listed

    assert with_seen(happens) == (0, [])


def test_a_broker_that_is_back_is_listed_once():
    async def happens(cluster, seen):
        seen.fence()
        seen.change(registered(2, epoch=6))
        return seen.listed

    assert with_seen(happens) == []


def test_other_listeners_have_no_place_for_it():
    async def happens(cluster, seen):
        seen.fence()
        return list(seen.lost.fenced_lately(seen.image, "OTHER"))

    assert with_seen(happens) == []


def test_a_broker_of_the_beginning_was_not_fenced_lately():
    async def happens(cluster, seen):
        fenced = replace(seen.image.cluster.brokers[2], fenced=True)
        image = replace(seen.image, cluster=replace(seen.image.cluster, brokers={2: fenced}))
        seen.lost.follow(Delta(Image()), image)
        return seen.lost.changes

    assert with_seen(happens) == 0


def test_metadata_waits_until_it_is_clear_what_became_of_a_broker():
    async def happens(cluster, seen):
        broker = broker_with(seen.image)
        broker.tasks, broker.lost_brokers = cluster.tasks, seen.lost
        asked = call_of(MetadataRequest(topics=None), 12)
        answers: list[object] = []
        asked.divert(answers.append)
        seen.lost.connection_lost(2)
        is_later = handle(asked, broker) is LATER
        await cluster.tasks.sleep(WAIT_MS - 1)
        early = len(answers)
        await cluster.tasks.sleep(2)
        return is_later, early, len(answers)

    assert with_seen(happens) == (True, 0, 1)


@pytest.mark.parametrize("waits_ms", [200, WAIT_MS])
def test_a_client_that_misses_a_broker_first_gets_what_becomes_of_it(waits_ms):
    async def happens(cluster, seen):
        broker = broker_with(seen.image)
        broker.tasks, broker.lost_brokers = cluster.tasks, seen.lost
        asked = later_call()
        answers: list[object] = []
        asked.divert(answers.append)
        is_later = handle(asked, broker) is LATER
        cluster.tasks.after(MOMENT_MS - 1, lambda: seen.lost.connection_lost(2))
        if waits_ms < WAIT_MS:
            cluster.tasks.after(waits_ms, seen.fence)
        await cluster.tasks.sleep(waits_ms - 1)
        early = len(answers)
        await cluster.tasks.sleep(MOMENT_MS + 1)
        return is_later, early, len(answers)

    assert with_seen(happens) == (True, 0, 1)


def later_call(received_ns: int = 0):
    asked = call_of(MetadataRequest(topics=None), 12)
    asked.correlation_id, asked.received_ns = BEGUN, received_ns
    return asked


def test_a_client_that_misses_nothing_waits_a_moment():
    async def happens(cluster, seen):
        before = cluster.clock.monotonic_ns()
        await seen.lost.settled_soon()
        return (cluster.clock.monotonic_ns() - before) // 1_000_000

    assert with_seen(happens) == MOMENT_MS


def test_a_client_waits_a_moment_if_it_has_begun_and_has_not_asked_for_a_while():
    async def happens(cluster, seen):
        begins = call_of(MetadataRequest(topics=None), 12)
        begins.connection_id, begins.received_ns = 2, 0
        times_ns = (0, WHILE_NS - 1, WHILE_NS, WHILE_NS + 1, 2 * WHILE_NS)
        again = [seen.lost.may_come_first(later_call(when)) for when in times_ns]
        return seen.lost.may_come_first(begins), again

    assert with_seen(happens) == (False, [True, False, True, False, True])


def test_connections_that_have_asked_are_bounded():
    async def happens(cluster, seen):
        for number in range(CONNECTIONS_MAX + 1):
            asked = later_call()
            asked.connection_id = number
            assert seen.lost.may_come_first(asked)
        return seen.lost.has_asked_lately(0, 0), seen.lost.has_asked_lately(CONNECTIONS_MAX, 0)

    assert with_seen(happens) == (False, True)
