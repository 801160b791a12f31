"""Markers get to their partitions, or are tried again, or are another's to write."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.coordinator.transaction.markers import WriteMarkers
from moldau.broker.runtime.marker_delivery import NO_LEADER, MarkerDelivery
from moldau.errors import KafkaError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import run
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.transaction.stage import Stage, partitions


class Leaders:
    """Partitions are led where `where` says; answers come from a list, and then are all good."""

    def __init__(self):
        self.where = {}
        self.codes = []
        self.meanwhile = lambda: None
        self.asked = []

    def leader_of(self, partition):
        return self.where.get(partition, 1)

    def coordinator_epoch(self, index):
        return 40 + index

    async def write(self, leader_id, markers, coordinator_epoch, names):
        self.meanwhile()
        self.asked.append((leader_id, coordinator_epoch, list(names)))
        code = self.codes.pop(0) if self.codes else ErrorCode.NONE
        return dict.fromkeys(names, code)


class Scene:
    """A commit over two partitions whose markers are to be written."""

    def __init__(self):
        self.stage = Stage()
        who = self.stage.init()
        self.stage.add(who, 0, 1)
        self.stage.end(who)
        self.leaders = Leaders()
        self.shard = SimpleNamespace(shard=self.stage.shard, carry_out=self.stage.carry_out)
        self.running: Any = self.shard
        self.clock = SimulatedClock()

    def find(self, index):
        if self.running is None:
            raise KafkaError(ErrorCode.NOT_COORDINATOR)
        return self.running

    def run(self, duration_ms=10_000):
        async def main(tasks):
            delivery = MarkerDelivery(self.find, self.leaders, self.clock, tasks)
            delivery.on_effect(2, self.stage.effects.pop())
            await tasks.sleep(duration_ms)
            return delivery.under_way

        self.under_way = run(main, self.clock)
        return self.stage.state()


def test_each_leader_is_asked_once_for_its_partitions():
    scene = Scene()
    scene.leaders.where = dict(zip(partitions("orders", 0, 1), (1, 2), strict=True))
    assert scene.run() == "CompleteCommit"
    asked = [(1, 42, partitions("orders", 0)), (2, 42, partitions("orders", 1))]
    assert sorted(scene.leaders.asked) == asked


def test_what_fails_is_tried_again_until_it_is_done():
    scene = Scene()
    scene.leaders.codes = [ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.NETWORK_EXCEPTION]
    assert scene.run() == "CompleteCommit"
    assert len(scene.leaders.asked) == 3
    assert scene.under_way == 0


def test_a_partition_without_a_leader_is_waited_for():
    scene = Scene()
    scene.leaders.where = {partitions("orders", 0)[0]: NO_LEADER}
    assert scene.run() == "PrepareCommit"
    assert scene.stage.shard.book.unmarked(scene.stage.transaction()).in_order == tuple(
        partitions("orders", 0)
    )


def test_a_partition_that_is_deleted_needs_no_marker():
    scene = Scene()
    scene.leaders.where = dict.fromkeys(partitions("orders", 0, 1))
    assert scene.run() == "CompleteCommit"
    assert not scene.leaders.asked


def test_a_transaction_without_partitions_is_complete_at_once():
    scene = Scene()
    scene.stage.finish()
    scene.stage.end(scene.stage.transaction().client, commit=False)
    assert scene.run() == "CompleteAbort"


@pytest.mark.parametrize(
    "code", [ErrorCode.TRANSACTION_COORDINATOR_FENCED, ErrorCode.INVALID_PRODUCER_EPOCH]
)
def test_where_another_is_in_charge_the_delivery_ends(code):
    scene = Scene()
    scene.leaders.codes = [code]
    assert scene.run() == "PrepareCommit"
    assert (len(scene.leaders.asked), scene.under_way) == (1, 0)


def test_a_coordinator_that_has_moved_notifies_none():
    scene = Scene()
    scene.leaders.codes = [ErrorCode.NETWORK_EXCEPTION]
    scene.leaders.meanwhile = lambda: setattr(scene, "running", None)
    assert scene.run() == "PrepareCommit"
    assert scene.under_way == 0


def test_effects_are_what_transactions_ask_for():
    scene = Scene()
    assert isinstance(scene.stage.effects[0], WriteMarkers)
