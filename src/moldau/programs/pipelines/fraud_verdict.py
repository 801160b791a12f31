"""How much of the planted fraud was found, and how much of what was found is fraud."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from moldau.programs.pipelines.events import Event
from moldau.programs.pipelines.reconciliation import rows_of
from moldau.programs.pipelines.route import Route

__all__ = ["fraud_found", "precision_and_recall"]


def fraud_found(events: Sequence[Event], route: Route) -> Mapping[str, str]:
    """Lines for the report."""
    alerts = [row["id"] for row in rows_of(route.table("alerts"), route.storage, ["id"])]
    right, found, planted = precision_and_recall(events, alerts)
    share = f"{right / len(alerts):.1%}" if alerts else "none"
    return {
        "precision": f"{share} of {len(alerts):,} alerts are about planted fraud",
        "recall": f"{found:,} of {planted:,} planted frauds have an alert",
    }


def precision_and_recall(events: Sequence[Event], alerts: Sequence[str]) -> tuple[int, int, int]:
    """Alerts about planted fraud; planted frauds that have an alert; planted frauds."""
    marks = {
        json.loads(event.value)["id"]: event.mark for event in events if event.mark and event.value
    }
    right = [marks[alert] for alert in alerts if alert in marks]
    return len(right), len(set(right)), len(set(marks.values()))
