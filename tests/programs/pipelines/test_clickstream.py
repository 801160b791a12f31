"""Sessions, pages and the funnel of a site, beside a plain model of the same clicks."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from datetime import datetime

import pytest

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.programs.pipelines.catalogue import pipeline_named
from moldau.programs.pipelines.demonstration import Demo, demonstrate
from moldau.programs.pipelines.events import clicks
from moldau.programs.pipelines.reconciliation import rows_of
from moldau.programs.pipelines.sessions import Session, joined
from tests.programs.pipelines.test_demonstration import notified

COUNT = 3_000
SEED = 5
GAP_US = 900 * 1_000_000
LATE_US = 600 * 1_000_000


def plain_sessions(events):
    """All sessions of the good clicks, and the time of the last one."""
    visits = defaultdict(list)
    latest = 0
    for event in events:
        if not event.reason:
            click = json.loads(event.value)
            at_us = round(datetime.fromisoformat(click["at"]).timestamp() * 1_000_000)
            latest = max(latest, at_us)
            bought = int(click["action"] == "purchase")
            visits[click["visitor"]].append(Session(at_us, at_us, 1, bought, click["page"]))
    return {who: joined(sessions, GAP_US) for who, sessions in visits.items()}, latest


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_site_is_counted_as_a_plain_model_counts_it(spark, tmp_path):
    clock = SystemClock()
    demo = Demo(
        pipeline=pipeline_named("clickstream"),
        directory=str(tmp_path),
        records=COUNT,
        seed=SEED,
        files=SystemFiles(),
        clock=clock,
        show=lambda line: None,
    )
    shown = demonstrate(demo, lambda: notified(spark))
    bronze = rows_of(shown.paths["bronze"], {})
    until_ms = max(int(row["timestamp"].timestamp() * 1_000) for row in bronze)
    early = list(clicks(COUNT, SEED, until_ms))
    shift_ms = until_ms - max(event.timestamp_ms for event in early)
    events = list(clicks(COUNT, SEED, until_ms + shift_ms))
    good = [json.loads(event.value or b"") for event in events if not event.reason]

    assert shown.reconciled.differences == []
    views: Counter[str] = Counter()
    for row in rows_of(shown.paths["pages"], {}):
        views[row["page"]] += row["views"]
    assert views == Counter(click["page"] for click in good)
    funnel: Counter[str] = Counter()
    for row in rows_of(shown.paths["funnel"], {}):
        funnel[row["action"]] += row["clicks"]
    assert funnel == Counter(click["action"] for click in good)

    model, latest_us = plain_sessions(events)
    rows = {
        (row["visitor"], row["began"], row["ended"], row["clicks"], row["purchases"])
        for row in rows_of(shown.paths["sessions"], {})
    }
    over = {
        (who, session.begin_us, session.end_us, session.clicks, session.purchases)
        for who, sessions in model.items()
        for session in sessions
        if session.end_us + GAP_US + 1_000 < latest_us - LATE_US
    }
    found = {(who, micros(begin), micros(end), *counts) for who, begin, end, *counts in rows}
    assert found == over


def micros(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000)
