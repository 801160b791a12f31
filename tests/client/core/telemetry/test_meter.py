"""What a client measures of itself."""

from __future__ import annotations

from moldau.client.core.telemetry.meter import Meter, Point


def test_counts_are_totals_or_differences_and_stay_until_a_push_has_arrived():
    meter = Meter()
    for _ in range(3):
        meter.count("connection.creation")
    first = meter.points(1000, is_delta=True)
    assert first == [
        Point("connection.creation.total", 3, is_sum=True),
        Point("connection.creation.rate", 3.0),
    ]
    assert meter.points(1000, is_delta=True) == first
    meter.pushed(1000)
    meter.count("connection.creation")
    assert meter.points(3000, is_delta=True)[0].value == 1
    assert meter.points(3000, is_delta=False)[0].value == 4
    assert meter.points(3000, is_delta=True)[1].value == 0.5


def test_times_have_an_average_and_a_longest_for_each_node():
    meter = Meter()
    for took_ms, node_id in ((2.0, "1"), (4.0, "1"), (9.0, "2")):
        meter.time("node.request.latency", took_ms, node_id)
    assert meter.points(1, is_delta=True) == [
        Point("node.request.latency.avg", 3.0, node_id="1"),
        Point("node.request.latency.max", 4.0, node_id="1"),
        Point("node.request.latency.avg", 9.0, node_id="2"),
        Point("node.request.latency.max", 9.0, node_id="2"),
    ]
    meter.pushed(1)
    assert meter.points(2, is_delta=True) == []


def test_gauges_are_looked_at_when_they_are_pushed():
    meter, parts = Meter(), [1]
    meter.gauges["assigned.partitions"] = lambda: len(parts)
    parts.append(2)
    assert meter.points(1, is_delta=True) == [Point("assigned.partitions", 2)]
