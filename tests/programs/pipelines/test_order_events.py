"""Events of orders: the same for the same seed, with every end that there is."""

from __future__ import annotations

from collections import Counter

from moldau.programs.pipelines.order_events import order_events

UNTIL_MS = 1_795_000_000_000


def test_the_same_seed_gives_the_same_events():
    assert list(order_events(400, 4, UNTIL_MS)) == list(order_events(400, 4, UNTIL_MS))


def test_orders_end_in_every_way_once():
    made = list(order_events(2_000, 1, UNTIL_MS))
    assert set(Counter(event.mark for event in made)) == {"", "completed", "failed", "stuck"}
    ends = Counter(event.key for event in made if event.mark)
    assert max(ends.values()) == 1
    times_ms = [event.timestamp_ms for event in made]
    assert times_ms == sorted(times_ms)
