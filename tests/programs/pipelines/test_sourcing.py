"""Events, snapshots and balances beside a plain model of the same commands."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import pytest
from pyspark.sql import Row

from moldau.programs.pipelines.accounts import Account, AccountLogic, replayed
from moldau.programs.pipelines.commands import commands, projections_compared, rebuilt
from moldau.programs.pipelines.reconciliation import reconcile, rows_of
from moldau.programs.pipelines.sourcing import SourcingSettings, balances_of, run
from tests.programs.pipelines.running import forget_last_commit, job_on, write_events
from tests.spark.sink.reading import read_committed

COUNT = 600
UNTIL_MS = 1_795_000_000_000


def plain(events):
    """What accounts decide, without Spark."""
    states = defaultdict[Any, dict[str, Any]](dict)
    for event in events:
        if not event.reason:
            command = Row(**{**json.loads(event.value), "at_us": 0})
            yield from AccountLogic().take(states[command.account], command)


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(900)
def test_every_projection_is_what_the_events_make_from_zero(spark, topics, tmp_path):
    source, events = topics.make(2), topics.make(2)
    snapshots = f"{source}-snapshots"
    made = list(commands(COUNT, 6, UNTIL_MS))
    write_events(topics.bootstrap, source, made)
    settings = SourcingSettings(events=events, snapshots=snapshots, batch_size=250)
    job = job_on(topics.bootstrap, source, tmp_path, spark)
    run(job, settings)
    for query in ("query", "events"):
        forget_last_commit(tmp_path, query)
    run(job, settings)

    decided = list(plain(made))
    wanted = {(each.account, each.version, each.name, each.amount)
              for each in decided if each.kind == "event"}  # fmt: skip
    sent = [json.loads(each.value() or b"") for each in read_committed(topics.bootstrap, events)]
    assert len(sent) == len(wanted)
    names = ("account", "version", "name", "amount")
    assert {tuple(each[name] for name in names) for each in sent} == wanted
    lake = str(tmp_path / "lake")
    assert len(rows_of(f"{lake}/refusals", {})) == sum(each.kind == "refusal" for each in decided)

    anew = rebuilt(sent)
    assert "from zero" in projections_compared(made, job.route)["projection"]
    frame = balances_of(spark.createDataFrame([Row(**each) for each in sent]))
    assert {(row.account, row.balance, row.events) for row in frame.collect()} == {
        (account, found.balance, found.version) for account, found in anew.items()
    }
    last = {}
    for each in read_committed(topics.bootstrap, snapshots):
        last[(each.key() or b"").decode()] = json.loads(each.value() or b"")
    assert last
    for account, row in last.items():
        begun = Account(row["version"], row["balance"], row["is_open"])
        of_account = [each for each in sent if each["account"] == account]
        later = [each for each in of_account if each["version"] > begun.version]
        later.sort(key=lambda each: each["version"])
        steps = [(each["name"], each["amount"]) for each in later]
        assert replayed(steps, begun) == anew[account]
    assert reconcile(lake, {}, ["bronze", "silver", "dead_letters"]).differences == []
