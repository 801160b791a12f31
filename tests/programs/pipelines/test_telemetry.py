"""Windows, gaps and outliers beside a plain model of the same readings."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.sql import Row

from moldau.programs.pipelines.devices import window_of
from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.readings import readings
from moldau.programs.pipelines.reconciliation import reconcile, rows_of
from moldau.programs.pipelines.telemetry import TelemetrySettings, logic_of, run
from tests.programs.pipelines.running import forget_last_commit, job_on, write_events
from tests.spark.sink.reading import read_committed

COUNT = 900
UNTIL_MS = 1_795_000_000_000
US = 1_000_000


def rows_in(events):
    """The good readings as the logic takes them, in the order of writing."""
    for event in events:
        if not event.reason:
            fields = json.loads(event.value)
            at_us = round(datetime.fromisoformat(fields["at"]).timestamp() * US)
            yield Row(**{**fields, "at_us": at_us})


def us_of(time):
    return round(time.astimezone(UTC).timestamp() * US)


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(900)
def test_windows_are_those_of_a_plain_model(spark, topics, tmp_path):
    source, alerts, letters = topics.make(2), topics.make(1), topics.make(1)
    events = list(readings(COUNT, 6, UNTIL_MS))
    write_events(topics.bootstrap, source, events)
    settings = TelemetrySettings(
        alerts=alerts, letters=letters, resolutions_s="60,300", batch_size=500, late_after_s=60
    )
    job = job_on(topics.bootstrap, source, tmp_path, spark)
    run(job, settings)
    for query in ("query", "windows"):
        forget_last_commit(tmp_path, query)
    run(job, settings)

    once = {(row.device, row.seq): row for row in rows_in(events)}
    last_us = max(row.at_us for row in once.values())
    plain, states = defaultdict(list), defaultdict[Any, dict[str, Any]](dict)
    for row in once.values():
        for seconds in (60, 300):
            plain[row.device, window_of(row.at_us, seconds), seconds].append(row.value)
    given = [
        row
        for each in rows_in(events)
        for row in logic_of(settings).take(states[each.device], each)
    ]
    lake = str(tmp_path / "lake")
    windows = rows_of(f"{lake}/windows", {})
    found = {
        (row["device"], us_of(row["window"]), row["seconds"]): (row["readings"], row["mean"])
        for row in windows
    }
    over = {key for key in plain if key[1] + key[2] * US < last_us - 61 * US}
    assert len(over) > 20
    assert len(found) == len(windows)
    assert set(found) == over
    for key, (count, mean) in found.items():
        assert count == len(plain[key])
        assert mean == pytest.approx(sum(plain[key]) / count)
    kinds = Counter(row.kind for row in given)
    tables = {"gap": "gaps", "outlier": "outliers", "again": "again"}
    assert {kind: len(rows_of(f"{lake}/{name}", {})) for kind, name in tables.items()} == {
        kind: kinds[kind] for kind in tables
    }
    assert kinds["outlier"] > 0
    sent = [
        json.loads(each.value() or b"")["kind"] for each in read_committed(topics.bootstrap, alerts)
    ]
    assert sent.count("outlier") == kinds["outlier"]
    assert reconcile(lake, {}, ["bronze", "silver", "dead_letters"]).differences == []


def test_lengths_are_numbers():
    assert logic_of(TelemetrySettings(resolutions_s="60, 900")).resolutions_s == (60, 900)
    with pytest.raises(SettingError, match="resolutions_s are whole numbers of seconds"):
        logic_of(TelemetrySettings(resolutions_s="1m"))
