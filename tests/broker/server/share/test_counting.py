"""Requests and acknowledgements of share groups are counted by topic and kind."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from moldau.broker.coordinator.share.partition.acknowledging import Acknowledgement, AcknowledgeType
from moldau.broker.metrics.kinds import Meter
from moldau.broker.metrics.registry import Registry
from moldau.broker.server.monitoring.gauges import (
    ACKNOWLEDGE_KINDS,
    SHARE_FETCH_REQUESTS,
    begin_counting_shares,
)
from moldau.broker.server.monitoring.traffic import Traffic
from moldau.broker.server.share.counting import KINDS, count_acknowledged, count_requests

ORDERS, PAYMENTS, GONE = (name * 16 for name in (b"o", b"p", b"g"))


def broker_of(registry: Registry) -> Any:
    names = {ORDERS: "orders", PAYMENTS: "payments"}
    by_id = {topic_id: SimpleNamespace(name=name) for topic_id, name in names.items()}
    image = SimpleNamespace(topics=SimpleNamespace(by_id=by_id))
    return SimpleNamespace(
        metrics=registry, traffic=Traffic(registry), metadata=SimpleNamespace(image=image)
    )


def counted(registry: Registry, *names: str) -> dict[tuple[str, ...], int]:
    """What is not 0, by name and values of tags."""
    return {
        (name.name, *(value for _, value in name.tags)): metric.count
        for name, metric in registry
        if isinstance(metric, Meter) and metric.count and name.name in names
    }


def test_a_request_counts_once_for_each_topic_of_it():
    registry = Registry()
    asked = [(ORDERS, 0), (ORDERS, 1), (PAYMENTS, 0), (GONE, 0)]
    count_requests(broker_of(registry), SHARE_FETCH_REQUESTS, asked, [(ORDERS, 1), (GONE, 0)])
    total, failed = f"Total{SHARE_FETCH_REQUESTS}", f"Failed{SHARE_FETCH_REQUESTS}"
    assert counted(registry, total, failed) == {
        (total,): 2,
        (total, "orders"): 1,
        (total, "payments"): 1,
        (failed,): 1,
        (failed, "orders"): 1,
    }


def test_the_numbers_of_a_topic_go_with_it():
    registry = Registry()
    broker = broker_of(registry)
    count_requests(broker, SHARE_FETCH_REQUESTS, [(ORDERS, 0)], [])
    broker.traffic.forget("orders")
    assert counted(registry, f"Total{SHARE_FETCH_REQUESTS}") == {
        (f"Total{SHARE_FETCH_REQUESTS}",): 1
    }


def test_acknowledgements_are_counted_by_record_and_gaps_are_not():
    registry = Registry()
    words = [Acknowledgement(0, 9, [1]), Acknowledgement(10, 13, [1, 2, 0, 3])]
    count_acknowledged(broker_of(registry), words)
    assert counted(registry, "RecordAcknowledgementsPerSec") == {
        ("RecordAcknowledgementsPerSec", "Accept"): 11,
        ("RecordAcknowledgementsPerSec", "Release"): 1,
        ("RecordAcknowledgementsPerSec", "Reject"): 1,
    }


def test_all_are_shown_from_the_beginning():
    registry = Registry()
    begin_counting_shares(registry)
    assert [str(name).rpartition("=")[2] for name, _ in registry] == [
        "FailedShareAcknowledgementRequestsPerSec",
        "FailedShareFetchRequestsPerSec",
        "TotalShareAcknowledgementRequestsPerSec",
        "TotalShareFetchRequestsPerSec",
        *("Accept", "Reject", "Release", "Renew"),
    ]


def test_kinds_are_counted_under_the_names_that_acknowledgements_have():
    kinds = {KINDS[kind] for kind in AcknowledgeType if kind is not AcknowledgeType.GAP}
    assert kinds == set(ACKNOWLEDGE_KINDS)
