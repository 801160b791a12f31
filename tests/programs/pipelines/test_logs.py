"""Levels and alerts of many services, beside a plain model of the same lines."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime

import pytest

from moldau.programs.pipelines.events import log_lines
from moldau.programs.pipelines.logs import LogSettings, run
from moldau.programs.pipelines.reconciliation import reconcile, rows_of
from tests.programs.pipelines.running import forget_last_commit, job_on, write_events
from tests.spark.sink.reading import read_committed

COUNT = 600
UNTIL_MS = 1_795_000_000_000
TABLES = ["bronze", "silver", "dead_letters"]


def level_of(line):
    minute = datetime.fromisoformat(line["at"]).replace(second=0, microsecond=0)
    return minute, line["service"], line["level"]


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_lines_are_counted_and_each_alert_is_in_its_topic_once(spark, topics, tmp_path):
    source, alerts = topics.make(2), topics.make(2)
    events = list(log_lines(COUNT, 5, UNTIL_MS))
    write_events(topics.bootstrap, source, events)
    job = job_on(topics.bootstrap, source, tmp_path, spark)
    settings = LogSettings(alerts=alerts, batch_size=300)
    run(job, settings)
    forget_last_commit(tmp_path)
    run(job, settings)

    lines = [json.loads(event.value or b"") for event in events if not event.reason]
    lake = str(tmp_path / "lake")
    found = {level_of({**row, "at": row["window"].isoformat()}): row["lines"]
             for row in rows_of(f"{lake}/levels", {})}  # fmt: skip
    assert found == Counter(level_of(line) for line in lines)
    bad = Counter(line["message"] for line in lines if line["level"] in ("ERROR", "FATAL"))
    sent = read_committed(topics.bootstrap, alerts)
    assert Counter(json.loads(each.value() or b"")["message"] for each in sent) == bad
    assert {each.key() for each in sent} <= {event.key for event in events}
    reconciled = reconcile(lake, {}, TABLES)
    assert reconciled.differences == []
    assert (reconciled.read, reconciled.rejected) == (COUNT, COUNT - len(lines))
