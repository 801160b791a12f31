"""Mirrors of a database that are equal to it at the end, replays and disorder included."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from moldau.platform.system.clock import SystemClock
from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.cdc import ROW_CHANGES, CdcSettings, apply, run
from moldau.programs.pipelines.changes import mirrors_compared, shop_changes
from moldau.programs.pipelines.envelope import Change, decoded
from moldau.programs.pipelines.reconciliation import reconcile, rows_of
from moldau.programs.pipelines.route import Route
from moldau.programs.pipelines.tables import LakeTables
from tests.programs.pipelines.running import forget_last_commit, job_on, write_events
from tests.spark.sink.reading import read_committed

COUNT = 600
FIRST = 37
UNTIL_MS = 1_795_000_000_000


def test_mirrors_are_equal_to_the_source_after_batches_in_disorder(tmp_path):
    """As `land` applies them, without Spark; each batch twice, as after a crash."""
    route = Route(bootstrap="", topic="", lake=str(tmp_path), checkpoint="")
    tables = LakeTables(str(tmp_path), {}, {}, "query", SystemClock())
    events = list(shop_changes(260, 5, UNTIL_MS))
    for number, first in enumerate(range(0, len(events), FIRST)):
        by_table = defaultdict(list)
        for event in events[first : first + FIRST]:
            found = decoded(event.key, event.value)
            if isinstance(found, Change) and found.op in ROW_CHANGES:
                by_table[found.table].append(found)
        for table, changes in [*by_table.items(), *by_table.items()]:
            apply(Batch(number, tables), table, changes)
    verdict = mirrors_compared(events, route)
    assert all(line.startswith("equal to the source, ") for line in verdict.values()), verdict
    assert len(verdict) == 3
    history = rows_of(f"{tmp_path}/history_customers", {})
    assert max(Counter((row["_key"], row["_place"]) for row in history).values()) == 1
    current = {row["_key"] for row in history if row["_is_current"]}
    assert current == {row["_key"] for row in rows_of(f"{tmp_path}/mirror_customers", {})}


def test_a_row_that_is_missing_in_a_mirror_is_noticed(tmp_path):
    route = Route(bootstrap="", topic="", lake=str(tmp_path), checkpoint="")
    verdict = mirrors_compared(list(shop_changes(100, 1, UNTIL_MS)), route)
    assert "rows differ from the source's" in verdict["mirror of orders"]


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_mirrors_are_equal_to_the_source(spark, topics, tmp_path):
    source, letters = topics.make(3), topics.make(1)
    events = list(shop_changes(COUNT, 4, UNTIL_MS))
    write_events(topics.bootstrap, source, events)
    settings = CdcSettings(letters=letters, batch_size=250)
    job = job_on(topics.bootstrap, source, tmp_path, spark)
    run(job, settings)
    forget_last_commit(tmp_path)
    run(job, settings)

    verdict = mirrors_compared(events, job.route)
    assert len(verdict) == 3
    assert all(line.startswith("equal to the source, ") for line in verdict.values()), verdict
    lake = str(tmp_path / "lake")
    history = rows_of(f"{lake}/history_customers", {})
    assert sum(row["_is_current"] for row in history) == len(
        rows_of(f"{lake}/mirror_customers", {})
    )
    assert max(Counter((row["_key"], row["_place"]) for row in history).values()) == 1
    kinds = rows_of(f"{lake}/changes", {})
    assert {row["table"] for row in kinds} == {"customers", "orders", "carts"}
    assert min(row["hour"] for row in kinds).year > 1970, "tombstones have no time"
    transactions = rows_of(f"{lake}/transactions", {})
    assert max(Counter(row["transaction"] for row in transactions).values()) == 1
    rejected = sum(bool(event.reason) for event in events)
    assert len(read_committed(topics.bootstrap, letters)) == rejected
    found = reconcile(lake, {}, ["bronze", "silver", "dead_letters"])
    assert found.differences == []
    assert (found.read, found.rejected) == (COUNT, rejected)
