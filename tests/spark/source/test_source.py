"""Covers moldau.spark.source.source: what a query sees of either broker, through Spark itself."""

from __future__ import annotations

import pytest

from moldau.spark.errors import sentence_of

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]


def reading(spark, topics, topic, **given):
    least = {"kafka.bootstrap.servers": topics.bootstrap, "subscribe": topic}
    return spark.read.format("moldau").options(**(least | given))


def run(spark, topics, topic, folder, **given):
    """All that is there now, appended to a folder."""
    least = {"kafka.bootstrap.servers": topics.bootstrap, "subscribe": topic}
    stream = spark.readStream.format("moldau").options(**(least | given)).load()
    query = (
        stream.writeStream.format("parquet")
        .option("path", str(folder / "rows"))
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    return query


def test_rows_are_those_of_sparks_own_connector(spark, topics):
    topic = topics.make(3, 9)
    loaded = reading(spark, topics, topic, includeHeaders="true").load()
    assert loaded.dtypes == [
        ("key", "binary"), ("value", "binary"), ("topic", "string"), ("partition", "int"),
        ("offset", "bigint"), ("timestamp", "timestamp"), ("timestampType", "int"),
        ("headers", "array<struct<key:string,value:binary>>"),
    ]  # fmt: skip
    row = loaded.filter("partition = 1 and offset = 2").selectExpr(
        "cast(key as string)", "cast(value as string)", "topic", "cast(timestamp as double)",
        "timestampType", "cast(headers[0].value as string) as number",
    ).collect()  # fmt: skip
    assert [tuple(one) for one in row] == [("k7", "v7", topic, 1_700_000_007.0, 0, "7")]


def test_some_columns_alone_are_read(spark, topics):
    topic = topics.make(2, 10)
    loaded = reading(spark, topics, topic).schema("value binary, offset bigint").load()
    assert loaded.columns == ["value", "offset"]
    assert loaded.count() == 10


def test_filters_and_offsets_leave_what_they_should(spark, topics):
    topic = topics.make(2, 40)
    starting = f'{{"{topic}": {{"0": 5, "1": -2}}}}'
    loaded = reading(spark, topics, topic, startingOffsets=starting, minPartitions="5").load()
    assert loaded.count() == 35
    late = loaded.filter("timestamp >= timestamp'2023-11-14 22:13:50'")
    assert late.selectExpr("cast(value as string)").orderBy("timestamp").first()[0] == "v30"


def test_what_is_wrong_is_one_sentence(spark, topics):
    with pytest.raises(Exception, match="subscribe") as refused:
        spark.read.format("moldau").option("kafka.bootstrap.servers", "localhost:1").load().count()
    assert sentence_of(refused.value).startswith("say exactly one of subscribe")


def test_a_stream_goes_on_where_its_checkpoint_says(spark, topics, tmp_path):
    topic = topics.make(3, 300)
    given = {"startingOffsets": "earliest", "maxOffsetsPerTrigger": "100"}
    first = run(spark, topics, topic, tmp_path, **given)
    assert len(first.recentProgress) >= 3
    topics.write(topic, range(300, 450))
    topics.grow(topic, 4)
    topics.write(topic, range(450, 460), partitions=4)
    run(spark, topics, topic, tmp_path, **given)
    seen = spark.read.parquet(str(tmp_path / "rows")).selectExpr("cast(value as string)").collect()
    assert sorted(row[0] for row in seen) == sorted(f"v{number}" for number in range(460))
