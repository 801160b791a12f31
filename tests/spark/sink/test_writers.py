"""Rows become records, through Spark itself; librdkafka reads them with read_committed."""

from __future__ import annotations

from collections import Counter

import pytest

from moldau.client.core.producing.prepared import PreparedTransaction
from moldau.spark.errors import sentence_of
from moldau.spark.sink.tasks import Sent
from moldau.spark.sink.writers import say_limit
from tests.programs.pipelines.running import forget_last_commit

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]
RECORDS = 40


def copy(spark, cluster, source, target, folder, **more):
    """All that is there, in batches of 15, from one topic into another."""
    where = {"kafka.bootstrap.servers": cluster.bootstrap}
    reading = {"subscribe": source, "startingOffsets": "earliest", "maxOffsetsPerTrigger": "15"}
    rows = spark.readStream.format("moldau").options(**where, **reading, includeHeaders="true")
    checkpoint = str(folder / "checkpoint" / "query")
    query = (
        rows.load()
        .select("key", "value", "headers", "timestamp")
        .writeStream.format("moldau")
        .options(**where, topic=target, checkpointLocation=checkpoint, **more)
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination(120)


def test_a_stream_is_in_the_topic_once_though_its_last_batch_came_again(
    spark, cluster, new_topic, committed, tmp_path
):
    source, target = new_topic(3, RECORDS), new_topic(2)
    copy(spark, cluster, source, target, tmp_path)
    forget_last_commit(tmp_path)
    copy(spark, cluster, source, target, tmp_path)
    found = committed(target)
    assert Counter(message.value() for message in found) == Counter(
        f"v{number}".encode() for number in range(RECORDS)
    )
    there = {message.key(): message for message in found}
    assert there[b"k7"].headers() == [("number", b"7")]
    assert there[b"k7"].timestamp()[1] == 1_700_000_007_000


def test_at_least_once_writes_a_batch_that_comes_again_again(
    spark, cluster, new_topic, committed, tmp_path
):
    source, target = new_topic(1, 10), new_topic(1)
    for _ in range(2):
        copy(spark, cluster, source, target, tmp_path, delivery="at-least-once")
        if len(committed(target)) == 10:
            forget_last_commit(tmp_path)
    assert len(committed(target)) == 20


def test_a_frame_is_written_with_topics_and_partitions_of_its_rows(
    spark, cluster, new_topic, committed
):
    first, second = new_topic(2), new_topic(2)
    frame = spark.range(6).selectExpr(
        "cast(id as string) as value",
        f"if(id < 4, '{first}', '{second}') as topic",
        "cast(id % 2 as int) as partition",
    )
    named = {"kafka.bootstrap.servers": cluster.bootstrap, "txnAppId": first, "txnVersion": "3"}
    for _ in range(2):
        frame.write.format("moldau").mode("append").options(**named).save()
    places = sorted((message.value(), message.partition()) for message in committed(first))
    assert places == [(b"0", 0), (b"1", 1), (b"2", 0), (b"3", 1)]
    assert len(committed(second)) == 2


def test_what_is_wrong_is_one_sentence(spark, cluster):
    frame = spark.range(1).selectExpr("id as value")
    with pytest.raises(Exception, match="value is bigint") as refused:
        frame.write.format("moldau").mode("append").options(
            **{"kafka.bootstrap.servers": cluster.bootstrap, "topic": "t"}
        ).save()
    assert sentence_of(refused.value).endswith("has to be binary or string: cast it")


@pytest.mark.parametrize("has_two_phases", [True, False])
def test_where_brokers_lack_the_second_phase_it_is_logged(caplog, has_two_phases):
    prepared = PreparedTransaction("a", 1, 2)
    say_limit([None, Sent(1, prepared, "query", has_two_phases), Sent(0)])
    assert ("the brokers do not allow two-phase commit" in caplog.text) is not has_two_phases
