"""Metrics found by name."""

import pytest

from moldau.broker.metrics import registry as module
from moldau.broker.metrics.kinds import Meter
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.registry import Registry


def test_the_same_name_is_the_same_metric_and_tags_tell_apart():
    registry = Registry()
    first = registry.meter("kafka.server", "T", "N", topic="a")
    first.mark()
    assert registry.meter("kafka.server", "T", "N", topic="a").count == 1
    assert registry.meter("kafka.server", "T", "N", topic="b").count == 0
    assert repr(registry) == "Registry(2 metrics)"


def test_metrics_are_listed_by_name_and_a_later_gauge_replaces_an_earlier():
    registry = Registry()
    registry.gauge(lambda: 1, "kafka.server", "Z", "N")
    registry.gauge(lambda: 2, "kafka.server", "Z", "N")
    registry.histogram("kafka.network", "A", "N").record(5)
    assert [str(name) for name, _ in registry] == [
        "kafka.network:type=A,name=N",
        "kafka.server:type=Z,name=N",
    ]
    assert len(registry) == 2


def test_beyond_the_limit_metrics_count_for_none(monkeypatch):
    monkeypatch.setattr(module, "METRICS_MAX", 1)
    registry = Registry()
    registry.meter("g", "t", "kept")
    registry.meter("g", "t", "lost").mark()
    assert len(registry) == 1


def test_a_name_has_one_kind():
    registry = Registry()
    registry.meter("g", "t", "n")
    with pytest.raises(AssertionError):
        registry.histogram("g", "t", "n")


def test_what_is_gone_is_not_measured_any_more():
    registry = Registry()
    registry.meter("g", "t", "n", topic="a")
    registry.meter("g", "t", "n", topic="b")
    registry.forget("topic", "a")
    assert [str(name) for name, _ in registry] == ["g:type=t,name=n,topic=b"]


def test_what_a_source_says_is_listed_among_the_rest_and_asked_anew():
    registry = Registry()
    registry.meter("g", "t", "m").mark(2)
    counts = {"a": 1}
    registry.add_source(
        lambda: [(MetricName("g", "t", name), Meter(count)) for name, count in counts.items()]
    )
    counts["z"] = 3
    found = [(name.name, repr(metric)) for name, metric in registry]
    assert found == [("a", "Meter(1)"), ("m", "Meter(2)"), ("z", "Meter(3)")]


def test_metrics_are_found_by_a_tag():
    registry = Registry()
    fetches = registry.meter("g", "t", "n", request="Fetch", version="1")
    registry.meter("g", "t", "n", request="Produce", version="1")
    ((name, metric),) = registry.tagged("request", "Fetch")
    assert metric is fetches
    assert dict(name.tags) == {"request": "Fetch", "version": "1"}
