"""Events of the services behind a shop: most orders end well, some fail and some get stuck."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from moldau.programs.pipelines.events import Event, text_of
from moldau.programs.pipelines.reconciliation import rows_of
from moldau.programs.pipelines.route import Route

__all__ = ["order_events", "outcomes_compared"]

STEPS = (("shop", "ordered"), ("payments", "paid"), ("stock", "packed"), ("carrier", "shipped"))
OUTCOMES, SHARES = ("completed", "failed", "stuck"), (0.9, 0.06, 0.04)
STEP_MS = 120_000
TURNED_SHARE, CUT_SHARE = 0.05, 0.01


def order_events(
    count: int, seed: int, until_ms: int, span_ms: int = 6 * 3_600_000
) -> Iterator[Event]:
    """So many events; `mark` at the last one of an order names its end."""
    draw = np.random.default_rng(seed)
    drawn: list[tuple[int, str, str, str, str]] = []
    number = 0
    while len(drawn) < count:
        number += 1
        began_ms = until_ms - span_ms + int(draw.integers(span_ms - 8 * STEP_MS))
        drawn += _order(draw, f"o{number:06d}", began_ms)
    for time_ms, order, service, event, mark in sorted(drawn)[:count]:
        fields = {"order": order, "service": service, "event": event, "at": text_of(time_ms)}
        value = json.dumps(fields).encode()
        if not mark and draw.random() < CUT_SHARE:
            yield Event(order.encode(), value[:-9], time_ms, "unparsable")
        else:
            yield Event(order.encode(), value, time_ms, "", mark=mark)


def _order(
    draw: np.random.Generator, order: str, began_ms: int
) -> Iterator[tuple[int, str, str, str, str]]:
    outcome = str(draw.choice(OUTCOMES, p=SHARES))
    last = len(STEPS) if outcome == "completed" else int(draw.integers(1, len(STEPS)))
    times_ms = [began_ms + step * STEP_MS + int(draw.integers(STEP_MS)) for step in range(last + 1)]
    if last > 2 and draw.random() < TURNED_SHARE:
        times_ms[1], times_ms[2] = times_ms[2], times_ms[1]
    for step in range(last):
        service, event = STEPS[step]
        is_end = outcome != "failed" and step == last - 1
        yield times_ms[step], order, service, event, outcome if is_end else ""
    if outcome == "failed":
        service, event = STEPS[last]
        yield times_ms[last], order, service, f"{event} failed", outcome


def outcomes_compared(events: Sequence[Event], route: Route) -> Mapping[str, str]:
    """Lines for the report."""
    found = Counter(row["outcome"] for row in rows_of(route.table("orders"), route.storage))
    failed = sum(event.mark == "failed" for event in events)
    return {
        "orders": ", ".join(f"{count:,} {name}" for name, count in sorted(found.items())),
        "failures": f"{found['failed']:,} found, {failed:,} planted",
    }
