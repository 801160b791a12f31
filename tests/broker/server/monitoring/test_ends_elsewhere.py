"""Ends of partitions that others have are those of their leaders, or of the page before."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.server.monitoring import ends_elsewhere
from moldau.broker.server.monitoring.ends_elsewhere import EndsElsewhere
from moldau.errors import KafkaError
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.monitoring.figures.test_groups import broker as broker_of_groups
from tests.broker.server.monitoring.figures.test_groups import shard

ONE, OTHER = ("t", 0), ("t", 1)
SILENT = KafkaError(ErrorCode.NETWORK_EXCEPTION, "it is silent")


@pytest.fixture
def after_pages(monkeypatch):
    """What is known after pages, each with partitions that are elsewhere and leaders' answers."""

    def after(*pages):
        broker: Any = SimpleNamespace(ends_elsewhere={})
        ends = EndsElsewhere(broker)

        async def main(tasks):
            for wanted, answers in pages:
                monkeypatch.setattr(ends, "_wanted", wanting(wanted))
                monkeypatch.setattr(ends_elsewhere, "ends_at_once", answering(answers))
                await ends.look()
            return broker.ends_elsewhere

        return simulated_tasks.run(main)

    return after


def wanting(names):
    async def wanted():
        return names

    return wanted


def answering(answers):
    async def ends_at_once(broker, names, timeout_ms):
        return {name: answers[name] for name in names}

    return ends_at_once


def test_leaders_are_asked(after_pages):
    assert after_pages(([ONE, OTHER], {ONE: 10, OTHER: 20})) == {ONE: 10, OTHER: 20}


def test_of_a_silent_leader_the_end_before_stays(after_pages):
    first = [ONE, OTHER], {ONE: 10, OTHER: 20}
    assert after_pages(first, ([ONE, OTHER], {ONE: SILENT, OTHER: 25})) == {ONE: 10, OTHER: 25}


def test_of_a_leader_that_has_always_been_silent_nothing_is_known(after_pages):
    assert after_pages(([ONE], {ONE: SILENT})) == {}


def test_partitions_that_no_group_reads_any_more_are_forgotten(after_pages):
    assert after_pages(([ONE, OTHER], {ONE: 10, OTHER: 20}), ([OTHER], {OTHER: 20})) == {OTHER: 20}
    assert after_pages(([ONE], {ONE: 10}), ([], {})) == {}


def test_ends_are_wanted_of_partitions_that_exist_and_are_not_here():
    node = broker_of_groups(shard(["a", "b"], partitions=4))
    node.clock = SimulatedClock()
    is_here, exists = {("t", 0)}, {("t", 0), ("t", 1), ("t", 3)}
    node.replicas.find = lambda *place: place if place in is_here else None
    topics = SimpleNamespace(partition=lambda *place: place if place in exists else None)
    node.metadata = SimpleNamespace(image=SimpleNamespace(topics=topics))

    async def main(tasks):
        node.tasks = tasks
        return await EndsElsewhere(node)._wanted()

    assert simulated_tasks.run(main) == [("t", 1), ("t", 3)]
