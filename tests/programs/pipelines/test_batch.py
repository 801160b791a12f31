"""What a batch writes is there once, however often the batch is run."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from moldau.platform.system.clock import SystemClock
from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.outputs import OutputTopics
from moldau.programs.pipelines.reconciliation import rows_of
from moldau.programs.pipelines.tables import LakeTables
from moldau.spark.sink import settling
from tests.spark.sink.reading import read_committed


@pytest.mark.judge
@pytest.mark.timeout(300)
def test_a_batch_that_is_run_again_adds_nothing(spark, topics, tmp_path):
    topic, bare = topics.make(1), topics.make(1)
    tables = LakeTables(str(tmp_path), {}, {}, "q", SystemClock())
    rows = spark.sql("select 'a' as card, 2L as amount union all select 'b', 3L")
    for number in (0, 0, 1):
        batch = Batch(number, tables, OutputTopics(topics.bootstrap, {}, "q"))
        batch.append("rows", rows)
        batch.add_up("sums", rows, ["card"])
        batch.replace("last", rows.withColumn("batch", rows.amount * 0 + number), ["card"])
        batch.send(topic, rows, key="card")
        batch.send(bare, rows.selectExpr("card as value"))

    def found(name, *columns):
        return sorted(
            tuple(row[each] for each in columns) for row in rows_of(f"{tmp_path}/{name}", {})
        )

    assert found("rows", "card", "amount") == [("a", 2), ("a", 2), ("b", 3), ("b", 3)]
    assert found("sums", "card", "amount") == [("a", 4), ("b", 6)]
    assert found("last", "card", "batch") == [("a", 1), ("b", 1)]
    keyed = read_committed(topics.bootstrap, topic)
    sent = [(each.key(), json.loads(each.value() or b"")) for each in keyed]
    record = {"a": {"card": "a", "amount": 2}, "b": {"card": "b", "amount": 3}}
    assert sorted(sent, key=repr) == [(k.encode(), record[k]) for k in "aabb"]
    values = [(each.key(), each.value()) for each in read_committed(topics.bootstrap, bare)]
    assert sorted(values) == [(None, b"a"), (None, b"a"), (None, b"b"), (None, b"b")]


@pytest.mark.judge
@pytest.mark.timeout(300)
def test_few_rows_that_are_in_memory_are_there_once_too(topics, tmp_path):
    topic = topics.make(1)
    tables = LakeTables(str(tmp_path), {}, {}, "q", SystemClock())
    rows = pa.table({"key": ["a", "b"], "value": ["1", "2"]})
    for number in (0, 0, 1, 2):
        batch = Batch(number, tables, OutputTopics(topics.bootstrap, {}, "q"))
        few = rows if number < 2 else rows.slice(0, 0)
        batch.append_few("rows", few)
        batch.send_few(topic, few)
    found = sorted((row["key"], row["value"]) for row in rows_of(f"{tmp_path}/rows", {}))
    assert found == [("a", "1"), ("a", "1"), ("b", "2"), ("b", "2")]
    sent = [(each.key(), each.value()) for each in read_committed(topics.bootstrap, topic)]
    assert sorted(sent) == [(b"a", b"1"), (b"a", b"1"), (b"b", b"2"), (b"b", b"2")]


@pytest.mark.judge
@pytest.mark.timeout(300)
def test_few_rows_whose_transaction_was_decided_are_committed_when_they_come_again(
    topics, monkeypatch
):
    """The driver dies between its decision and the commit."""
    topic, rows = topics.make(1), pa.table({"value": ["1"]})
    once = OutputTopics(topics.bootstrap, {}, "q")

    def die(cluster: object, decision: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(settling, "_commit", die)
        with pytest.raises(KeyboardInterrupt):
            once.send_few(topic, rows, 0)
    once.send_few(topic, rows, 0)
    assert [each.value() for each in read_committed(topics.bootstrap, topic)] == [b"1"]
