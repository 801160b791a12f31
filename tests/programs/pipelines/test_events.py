"""Events are the same for the same seed, and end as they say."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime

from moldau.programs.pipelines.events import COUPONS_FROM, ENDS, OVERSIZED, clicks, orders

NOW_MS = 1_795_000_000_000
COUNT = 5_000


def test_the_same_seed_makes_the_same_events():
    assert list(orders(50, 7, NOW_MS)) == list(orders(50, 7, NOW_MS))
    assert list(orders(50, 7, NOW_MS)) != list(orders(50, 8, NOW_MS))


def test_when_they_end_changes_nothing_but_their_times():
    early, late = orders(500, 7, NOW_MS), orders(500, 7, NOW_MS + 86_400_000)
    for one, other in zip(early, late, strict=True):
        assert (one.key, one.reason, one.amount) == (other.key, other.reason, other.amount)


def test_events_are_in_order_and_end_before_now():
    times = [event.timestamp_ms for event in orders(500, 7, NOW_MS)]
    assert times == sorted(times)
    assert times[-1] < NOW_MS


def test_each_fault_is_there_and_rare():
    reasons = Counter(event.reason for event in orders(COUNT, 1, NOW_MS))
    assert set(reasons) == set(ENDS)
    assert reasons[""] > 0.95 * COUNT


def test_faults_are_what_they_are_called():
    for event in orders(COUNT, 1, NOW_MS):
        value = event.value or b""
        match event.reason:
            case "empty":
                assert event.value is None
            case "unparsable":
                assert not value.endswith(b"}")
            case "drifted":
                assert json.loads(value)["amount"].endswith(" EUR")
            case "oversized":
                assert len(value) > OVERSIZED
            case "":
                assert json.loads(value)["amount"] == event.amount
            case _:
                ordered = datetime.fromisoformat(json.loads(value)["ordered_at"])
                assert ordered.timestamp() * 1_000 < event.timestamp_ms - 86_400_000


def test_later_orders_have_a_column_that_earlier_ones_lack():
    values = [
        json.loads(event.value or b"") for event in orders(200, 2, NOW_MS) if not event.reason
    ]
    early = [value for value in values if value["order_id"] <= 200 * COUPONS_FROM]
    assert not any("coupon" in value for value in early)
    assert any("coupon" in value for value in values)


def test_clicks_are_in_order_and_end_as_they_say():
    events = list(clicks(COUNT, 1, NOW_MS))
    assert [event.timestamp_ms for event in events] == sorted(e.timestamp_ms for e in events)
    assert set(Counter(event.reason for event in events)) == {"", "unparsable", "late"}
    actions = Counter(json.loads(e.value or b"")["action"] for e in events if not e.reason)
    assert actions["view"] > actions["cart"] > actions["checkout"] > actions["purchase"] > 0
