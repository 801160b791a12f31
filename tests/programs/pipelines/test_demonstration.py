"""A demonstration from nothing to its report, beside a plain model of the same events."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager

import pytest

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.programs.pipelines.catalogue import pipeline_named
from moldau.programs.pipelines.demonstration import Demo, demonstrate
from moldau.programs.pipelines.events import orders
from moldau.programs.pipelines.reconciliation import rows_of

COUNT = 2_000
SEED = 11


@contextmanager
def notified(spark):
    """The session, which has notified its listeners of everything when the node stops."""
    yield spark
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_the_etl_of_orders_ends_with_the_totals_of_the_events(spark, tmp_path):
    lines: list[str] = []
    demo = Demo(
        pipeline=pipeline_named("etl"),
        directory=str(tmp_path),
        records=COUNT,
        seed=SEED,
        files=SystemFiles(),
        clock=SystemClock(),
        show=lines.append,
    )
    shown = demonstrate(demo, lambda: notified(spark))
    events = list(orders(COUNT, SEED, until_ms=0))
    letters = rows_of(shown.paths["dead_letters"], {})
    gold = rows_of(shown.paths["gold"], {})

    assert shown.reconciled.differences == []
    assert shown.reconciled.read == shown.reconciled.rows["bronze"] == COUNT
    reasons = Counter(event.reason for event in events if event.reason)
    assert Counter(row["reason"] for row in letters) == reasons
    assert sum(row["records"] for row in gold) == COUNT - len(letters)
    revenue = sum(event.amount for event in events)
    assert sum(row["amount"] for row in gold) == pytest.approx(revenue)
    assert "It adds up" in (tmp_path / "report.html").read_text()
    assert any(line.startswith("batch 0: ") for line in lines)
