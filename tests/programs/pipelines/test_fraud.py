"""Alerts about planted fraud, each in its topic once, beside a plain model of the same payments."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import Any, cast

import pytest

from moldau.programs.pipelines.fraud import FraudSettings, rules, run
from moldau.programs.pipelines.model import payment_of
from moldau.programs.pipelines.payments import payments
from moldau.programs.pipelines.reconciliation import reconcile, rows_of
from tests.programs.pipelines.running import forget_last_commit, job_on, write_events
from tests.spark.sink.reading import read_committed

COUNT = 700
SEED = 7
UNTIL_MS = 1_795_000_000_000


def plain(events, settings):
    """What the rules give for each payment and its card, in the order of writing."""
    states, found = defaultdict[Any, dict[str, Any]](dict), list[Any]()
    for event in events:
        if not event.reason:
            payment = payment_of(json.loads(event.value))
            found += rules(settings).take(states[event.key], payment)
    return found


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(900)
def test_alerts_are_those_of_a_plain_model_and_each_is_sent_once(spark, topics, tmp_path):
    source, alerts, letters = topics.make(2), topics.make(1), topics.make(1)
    events = list(payments(COUNT, SEED, UNTIL_MS))
    write_events(topics.bootstrap, source, events)
    settings = FraudSettings(alerts=alerts, letters=letters, batch_size=400)
    job = job_on(topics.bootstrap, source, tmp_path, spark)
    run(job, settings)
    for query in ("query", "alerts"):
        forget_last_commit(tmp_path, query)
    run(job, settings)

    wanted = {row.id: row.reasons for row in plain(events, settings) if row.reasons}
    lake = str(tmp_path / "lake")
    table = {row["id"]: row["reasons"] for row in rows_of(f"{lake}/alerts", {})}
    sent = [json.loads(each.value() or b"") for each in read_committed(topics.bootstrap, alerts)]
    assert len(wanted) > 5
    assert table == wanted
    assert Counter((each["id"], each["reasons"]) for each in sent) == Counter(wanted.items())

    cases = {(row.card, row.alerts) for row in plain(events, settings) if row.kind == "case"}
    assert cases <= {(row["card"], row["alerts"]) for row in rows_of(f"{lake}/cases", {})}
    rejected = read_committed(topics.bootstrap, letters)
    reasons = Counter(event.reason for event in events if event.reason)
    assert (
        Counter(dict(cast("Any", each.headers()))["moldau.reason"].decode() for each in rejected)
        == reasons
    )
    assert {each.value() for each in rejected} == {each.value for each in events if each.reason}
    found = reconcile(lake, {}, ["bronze", "silver", "dead_letters"])
    assert found.differences == []
    assert (found.read, found.rejected) == (COUNT, reasons.total())
