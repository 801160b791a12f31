"""A former leader is reported once, and a quorum that has none is looked at again."""

from __future__ import annotations

import logging
from random import Random

import pytest

from moldau.broker.quorum.events import Started
from moldau.broker.quorum.node import QuorumNode
from moldau.broker.quorum.voters import ReplicaKey, VoterHistory
from moldau.broker.runtime.quorum.leader_changes import LEADERLESS_MS, LeaderChanges
from moldau.platform.ports.network import Address
from moldau.platform.simulated.tasks import run
from tests.broker.quorum.simulated_member import voters
from tests.simulation.quorum_log import MemoryLog

FIRST, SECOND = Address("host", 1), Address("host", 2)


def result_of(scene):
    """With a member that knows no leader."""

    async def main(tasks):
        node = QuorumNode(ReplicaKey(1), MemoryLog(), VoterHistory(voters(1, 2, 3)), Random(1))
        node.step(Started(), 0)
        return await scene(LeaderChanges(tasks), node, tasks)

    return run(main)


def test_each_leader_that_is_one_no_more_is_reported_once():
    async def scene(changes, node, tasks):
        lost: list[Address] = []
        changes.when_lost = lost.append
        for leader in (None, FIRST, FIRST, SECOND, None, None):
            changes.changed(node, leader, list)
        changes.end()
        return lost

    assert result_of(scene) == [FIRST, SECOND]


def test_no_leader_for_some_seconds_is_one_line_with_the_newest_reasons(caplog):
    async def scene(changes, node, tasks):
        troubles = ["old"]
        changes.changed(node, None, lambda: troubles)
        await tasks.sleep(LEADERLESS_MS - 1)
        assert not caplog.messages
        troubles[0] = "host:2: refused"
        await tasks.sleep(5 * LEADERLESS_MS)
        changes.end()

    caplog.set_level(logging.INFO)
    result_of(scene)
    (line,) = caplog.messages
    assert line.endswith("host:2: refused")


@pytest.mark.parametrize("is_waiting", [True, False])
def test_a_quorum_that_has_stopped_reports_nothing(caplog, is_waiting):
    async def scene(changes, node, tasks):
        if is_waiting:
            changes.changed(node, None, list)
        changes.end()
        changes.changed(node, None, list)
        await tasks.sleep(3 * LEADERLESS_MS)

    caplog.set_level(logging.INFO)
    result_of(scene)
    assert not caplog.messages
