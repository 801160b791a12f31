"""What a failover has cost."""

from __future__ import annotations

from moldau.programs.tools.failover_report import NS_PER_MS, PartitionOutcome, Report

KILLED_MS = 1000


def outcome(*times_ms, leader=1, found=None, failed=0):
    acknowledged = {number: time * NS_PER_MS for number, time in enumerate(times_ms)}
    kept = list(acknowledged) if found is None else found
    return PartitionOutcome(leader, len(times_ms) + failed, acknowledged, failed, kept)


def report(*outcomes):
    return Report(1, KILLED_MS * NS_PER_MS, dict(enumerate(outcomes)))


def test_the_gap_begins_with_the_last_acknowledgement_before_the_kill():
    assert report(outcome(100, 980, 990, 1190, 1200)).gap_ms == 200
    assert report(outcome(100, 800)).gap_ms == 0
    assert report(outcome()).gap_ms == 0


def test_only_partitions_of_the_killed_node_count_for_its_gap():
    cost = report(outcome(990, 1100), outcome(990, 1900, leader=2))
    assert cost.gap_ms == 110
    assert cost.as_json()["partitions"]["1"]["gap_ms"] == 910


def test_what_was_acknowledged_and_is_not_found_is_lost():
    cost = report(outcome(1, 2, 3, found=[0, 2]), outcome(1, 2))
    assert (cost.lost, cost.doubled, cost.reordered) == (1, 0, 0)


def test_what_is_found_twice_or_behind_a_later_one_is_reported():
    cost = report(outcome(1, 2, 3, found=[0, 2, 1, 1]))
    assert (cost.lost, cost.doubled, cost.reordered) == (0, 1, 1)


def test_a_value_that_failed_may_be_found():
    cost = report(outcome(1, 2, found=[0, 1, 2], failed=1))
    assert (cost.lost, cost.as_json()["failed"]) == (0, 1)
    assert "3 values sent, 2 acknowledged, 1 failed, 3 found: 0 lost" in cost.lines()[-1]
