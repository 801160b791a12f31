"""Kafka's performance and console tools, unmodified, write to a node of ours and read from it."""

from __future__ import annotations

import pytest

from tests.judges.kafka_tools import KafkaTools

pytestmark = pytest.mark.judge

COUNT = 2_000
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
RECORDS = f"--num-records {COUNT} --record-size 200 --throughput -1"


def count_read(tools: KafkaTools, topic, count) -> int:
    words = f"--topic {topic} --num-records {count} --hide-header --timeout 20000"
    return int(tools.run("consumer-perf", words).strip().splitlines()[-1].split(", ")[4])


@pytest.mark.parametrize("codec", CODECS)
def test_batches_of_every_codec_are_taken_and_given_back(tools: KafkaTools, topic, codec):
    tools.run("topics", f"--create --topic {topic} --partitions 3")
    settings = f"--command-property compression.type={codec} acks=all"
    printed = tools.run("producer-perf", f"--topic {topic} {RECORDS} {settings}")
    assert f"{COUNT} records sent" in printed
    assert count_read(tools, topic, COUNT) == COUNT


@pytest.mark.parametrize("codec", CODECS)
def test_a_topic_may_ask_for_a_codec_of_its_own(tools: KafkaTools, topic, codec):
    forced = codec if codec != "none" else "uncompressed"
    tools.run("topics", f"--create --topic {topic} --config compression.type={forced}")
    settings = "--command-property compression.type=gzip"
    tools.run("producer-perf", f"--topic {topic} {RECORDS} {settings}")
    assert count_read(tools, topic, COUNT) == COUNT


def test_transactions_are_committed_one_after_the_other(tools: KafkaTools, topic):
    tools.run("topics", f"--create --topic {topic} --partitions 3")
    words = f"--transactional-id {topic} --transaction-duration-ms 20"
    assert "records sent" in tools.run("producer-perf", f"--topic {topic} {RECORDS} {words}")
    assert count_read(tools, topic, COUNT) == COUNT
    (line,) = (line for line in tools.run("transactions", "list").splitlines() if topic in line)
    assert line.split()[-1] == "CompleteCommit"
    described = tools.run("transactions", f"describe --transactional-id {topic}")
    assert "CompleteCommit" in described
    producers = tools.run("transactions", f"describe-producers --topic {topic} --partition 0")
    assert producers.splitlines()[1].split()[-1] == "None"
    hanging = tools.run("transactions", "find-hanging --broker-id 1")
    assert topic not in hanging


def test_every_record_comes_through_from_end_to_end(tools: KafkaTools, topic):
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    words = f"--topic {topic} --num-records 200 --producer-acks all --record-size 100"
    assert "Percentiles: 50th" in tools.run("e2e-latency", words)


@pytest.mark.long
def test_share_consumers_read_what_producers_wrote(tools: KafkaTools, topic):
    tools.run("topics", f"--create --topic {topic} --partitions 2")
    tools.run("producer-perf", f"--topic {topic} {RECORDS}")
    tools.run("configs", f"--alter --group {topic} --add-config share.auto.offset.reset=earliest")
    words = f"--topic {topic} --group {topic} --num-records {COUNT} --timeout 30000 --hide-header"
    printed = tools.run("share-consumer-perf", words)
    assert int(printed.strip().splitlines()[-1].split(", ")[5]) == COUNT


@pytest.mark.parametrize("codec", CODECS)
def test_keys_headers_and_nulls_come_back_as_they_were_typed(tools: KafkaTools, topic, codec):
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    parse = "parse.key=true parse.headers=true null.marker=NULL headers.delimiter=| key.separator=|"
    reading = " ".join(f"--reader-property '{one}'" for one in parse.split())
    typed = "a:1,b:2|key|value\nNULL|key|NULL\nnázev:|NULL|hodnota\n"
    words = f"--topic {topic} {reading} --compression-codec {codec}"
    tools.run("console-producer", words, typed=typed)
    shown = "print.key print.headers print.offset print.partition"
    showing = " ".join(f"--formatter-property {one}=true" for one in shown.split())
    words = f"--topic {topic} --from-beginning --max-messages 3 {showing}"
    lines = tools.run("console-consumer", words).splitlines()
    assert [line for line in lines if line.startswith("Partition:")] == [
        "Partition:0\tOffset:0\ta:1,b:2\tkey\tvalue",
        "Partition:0\tOffset:1\tNO_HEADERS\tkey\tnull",
        "Partition:0\tOffset:2\tnázev:\tnull\thodnota",
    ]


def test_topics_are_found_by_a_pattern(tools: KafkaTools, topic):
    for name in ("one", "two"):
        tools.run("topics", f"--create --topic {topic}-{name} --partitions 2")
        tools.run("console-producer", f"--topic {topic}-{name}", typed=f"{name}\n")
    words = f"--include {topic}-.* --from-beginning --max-messages 2"
    for protocol in ("classic", "consumer"):
        chosen = f"{words} --consumer-property group.protocol={protocol}"
        lines = tools.run("console-consumer", chosen).splitlines()
        assert {"one", "two"} <= set(lines)
