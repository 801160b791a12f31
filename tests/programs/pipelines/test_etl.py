"""Every record is in one table once: read, rejected with a reason, or known from before."""

from __future__ import annotations

import json
import time
from collections import Counter

import pytest

from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.etl import EtlSettings, land, run
from moldau.programs.pipelines.events import ORDER_COLUMNS, orders
from moldau.programs.pipelines.job import Work
from moldau.programs.pipelines.landing import TABLES
from moldau.programs.pipelines.reconciliation import reconcile, rows_of
from tests.programs.pipelines.running import (
    FileTopic,
    forget_last_commit,
    job_in,
    job_on,
    write_events,
)

pytestmark = [pytest.mark.judge, pytest.mark.timeout(600)]
FIRST = [
    json.dumps({"id": number, "who": f"w{number % 2}", "price": 1.5}).encode()
    for number in range(20)
]
SECOND = [
    json.dumps({"id": number, "who": "w0", "price": 2.0, "note": "new"}).encode()
    for number in range(20, 30)
]
BAD = [None, b"no json", b"x" * 300]
DRIFTED = b'{"id": "one"}'


def run_over(topic, job, settings):
    work = Work(TABLES, lambda frame, batch: land(frame, batch, settings))
    job.run(work, topic.stream(job.spark))


@pytest.fixture
def topic(tmp_path):
    made = FileTopic(tmp_path / "topic")
    made.write([*FIRST, *BAD])
    made.write([*SECOND, DRIFTED])
    return made


def read(path, table):
    return rows_of(f"{path}/lake/{table}", {})


def test_a_topic_becomes_tables_and_all_of_it_adds_up(spark, topic, tmp_path):
    lines: list[str] = []
    settings = EtlSettings(size_max=200, group_by="who", measure="price")
    run_over(topic, job_in(tmp_path, spark, lines), settings)
    forget_last_commit(tmp_path)
    run_over(topic, job_in(tmp_path, spark, lines), settings)

    assert sorted(row["offset"] for row in read(tmp_path, "bronze")) == list(range(34))
    silver = {row["id"]: row for row in read(tmp_path, "silver")}
    assert sorted(silver) == list(range(30))
    assert (silver[0]["note"], silver[29]["note"], silver[29]["_offset"]) == (None, "new", 32)
    letters = {row["offset"]: row["reason"] for row in read(tmp_path, "dead_letters")}
    assert letters == {20: "empty", 21: "unparsable", 22: "oversized", 33: "drifted"}
    gold = {row["who"]: (row["records"], row["price"]) for row in read(tmp_path, "gold")}
    assert gold == {"w0": (20, 35.0), "w1": (10, 15.0)}
    found = reconcile(str(tmp_path / "lake"), {}, [*TABLES])
    assert found.differences == []
    assert (found.read, found.good, found.rejected, found.known) == (34, 30, 4, 0)
    batches = [line.partition(" in, ")[0] for line in lines if line.startswith("batch ")]
    assert batches[:2] == ["batch 0: 23", "batch 1: 11"]


def test_a_topic_that_is_fetched_and_judged_in_one_pass_is_as_a_plain_model_has_it(
    spark, topics, tmp_path
):
    topic = topics.make(2)
    events = list(orders(1_500, seed=7, until_ms=time.time_ns() // 1_000_000))
    write_events(topics.bootstrap, topic, events)
    settings = EtlSettings(
        schema=ORDER_COLUMNS,
        event_time="ordered_at",
        group_by="country",
        measure="amount",
        batch_size=900,
    )
    for again in (False, True):
        run(job_on(topics.bootstrap, topic, tmp_path, spark), settings)
        if not again:
            forget_last_commit(tmp_path)

    good = Counter(event.value for event in events if not event.reason)
    bronze = {row["_at"]: row["value"] for row in placed(read(tmp_path, "bronze"))}
    silver = placed(read(tmp_path, "silver"), "_")
    assert Counter(bronze[row["_at"]] for row in silver) == good
    for row in silver:
        wanted = json.loads(bronze[row["_at"]])
        at = f"{row['ordered_at']:%Y-%m-%dT%H:%M:%S.%f}"[:-3]
        found = {name: row[name] for name in wanted} | {"ordered_at": f"{at}Z"}
        assert found == wanted
    assert Counter(bronze.values()) == Counter(event.value for event in events)
    letters = Counter(row["reason"] for row in read(tmp_path, "dead_letters"))
    assert letters == Counter(event.reason for event in events if event.reason)
    gold = sum(row["amount"] for row in read(tmp_path, "gold"))
    assert gold == pytest.approx(sum(event.amount for event in events))
    assert reconcile(str(tmp_path / "lake"), {}, [*TABLES]).differences == []


def placed(rows, prefix=""):
    return [row | {"_at": (row[f"{prefix}partition"], row[f"{prefix}offset"])} for row in rows]


def test_a_lost_checkpoint_doubles_nothing(spark, topic, tmp_path):
    lines: list[str] = []
    settings = EtlSettings(size_max=200, schema="id bigint, who string")
    run_over(topic, job_in(tmp_path, spark, lines), settings)
    topic.write([b'{"id": 30}', b"no json"])
    run_over(topic, job_in(tmp_path, spark, lines, "another"), settings)
    assert sorted(row["id"] for row in read(tmp_path, "silver")) == list(range(31))
    assert len(read(tmp_path, "bronze")) == 36
    found = reconcile(str(tmp_path / "lake"), {}, [*TABLES])
    assert found.differences == []
    assert (found.read, found.good, found.rejected, found.known) == (70, 31, 5, 34)


@pytest.mark.long
def test_raw_bytes_are_silver_as_they_are(spark, topic, tmp_path):
    run_over(topic, job_in(tmp_path, spark, []), EtlSettings(form="raw"))
    silver = {row["_offset"]: row["value"] for row in read(tmp_path, "silver")}
    values = enumerate([*FIRST, *BAD, *SECOND, DRIFTED])
    assert silver == {offset: value for offset, value in values if value is not None}


def test_csv_needs_names(tmp_path):
    with pytest.raises(SettingError, match="csv has no names in it: set schema"):
        run(job_in(tmp_path, None, []), EtlSettings(form="csv"))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"group_by": "who, whom"}, "group_by names whom, which is no column of schema"),
        ({"measure": "price"}, "measure names price"),
        ({"event_time": "at"}, "event_time names at"),
        ({"partition_by": "day"}, "partition_by names day"),
        ({"schema": "id big int"}, "schema is a list of names and types"),
    ],
)
def test_columns_that_are_not_there_are_refused_before_anything_is_claimed(
    spark, tmp_path, wrong, sentence
):
    settings = EtlSettings(**{"schema": "id bigint, who string", "group_by": "_topic", **wrong})
    with pytest.raises(SettingError, match=sentence):
        run(job_in(tmp_path, spark, []), settings)
    assert list(tmp_path.iterdir()) == []
