"""A quorum without a leader is a line of the log, once, and so is the leader that ends it."""

from __future__ import annotations

import logging
from random import Random

import pytest

from moldau.broker.quorum.events import Flushed, Started
from moldau.broker.quorum.node import QuorumNode
from moldau.broker.quorum.voters import ReplicaKey, VoterHistory, VoterSet
from moldau.broker.runtime.quorum.leaderless import has_leader, report
from tests.broker.quorum.simulated_member import voters
from tests.simulation.quorum_log import Entry, MemoryLog

REASON = "host:1: connection refused"


def node_among(among: VoterSet) -> QuorumNode:
    node = QuorumNode(ReplicaKey(1), MemoryLog(), VoterHistory(among), Random(1))
    node.step(Started(), 0)
    return node


def led(among: VoterSet) -> QuorumNode:
    node = node_among(among)
    assert isinstance(node.log, MemoryLog)
    node.log.entries.append(Entry(node.epoch, "leads"))
    node.step(Flushed(1), 1)
    return node


@pytest.fixture
def lines(caplog):
    """What was logged by the time of the call."""
    caplog.set_level(logging.INFO)
    return lambda: caplog.messages


def test_an_outage_is_one_line_with_who_is_needed_and_what_was_found(lines):
    node = node_among(voters(1, 2, 3))
    assert report(node, [REASON], 5000, is_reported=False)
    assert report(node, [REASON], 5000, is_reported=True)
    (line,) = lines()
    assert "no leader for 5 s" in line
    assert "Needed: 2 of the voters 1, 2, 3." in line
    assert line.endswith(REASON)


def test_its_end_is_a_line_and_where_nothing_was_reported_there_is_none(lines):
    node = led(voters(1))
    assert has_leader(node)
    assert not report(node, [], 5000, is_reported=False)
    assert lines() == []
    assert not report(node, [], 5000, is_reported=True)
    assert lines() == ["Node 1 leads the metadata quorum, in epoch 1"]


def test_to_know_who_led_is_not_to_have_a_leader():
    node = node_among(voters(1, 2, 3))
    node.become_follower(3, 2, 0)
    assert node.leader_id == 2
    assert not has_leader(node)
