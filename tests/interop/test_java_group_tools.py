"""Kafka's tools for groups, unmodified: offsets of groups are listed, moved and deleted."""

from __future__ import annotations

import pytest

from tests.judges.kafka_tools import KafkaTools

pytestmark = pytest.mark.judge

COUNT = 30
PROTOCOLS = ("classic", "consumer")


@pytest.fixture(params=PROTOCOLS)
def group(tools: KafkaTools, topic, request) -> str:
    """One that has read all records of a topic of its name, by either protocol, and left."""
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    tools.run("console-producer", f"--topic {topic}", typed="\n".join(map(str, range(COUNT))))
    read(tools, topic, f"--consumer-property group.protocol={request.param}")
    return str(topic)


def read(tools: KafkaTools, group, more="", count=COUNT) -> list[str]:
    words = f"--topic {group} --group {group} --from-beginning --max-messages {count} {more}"
    printed = tools.run("console-consumer", words)
    return [line for line in printed.splitlines() if line.isdecimal()]


def offsets(printed: str, group: str) -> list[list[str]]:
    """Topic, partition and the numbers of each line about the group."""
    return [line.split()[1:6] for line in printed.splitlines() if line.split()[:1] == [group]]


def test_a_group_is_listed_and_described_with_its_lag(tools: KafkaTools, group):
    listed = tools.run("consumer-groups", "--list --state --type")
    (line,) = (line for line in listed.splitlines() if line.split()[:1] == [group])
    assert line.split()[2] == "Empty"
    assert group in tools.run("groups", "--list --consumer")
    described = tools.run("consumer-groups", f"--describe --group {group}")
    assert offsets(described, group) == [[group, "0", "30", "30", "0"]]
    state = tools.run("consumer-groups", f"--describe --group {group} --state --verbose")
    assert "Empty" in state


@pytest.mark.parametrize(
    ("words", "offset"),
    [
        ("--to-earliest", 0),
        ("--to-latest", 30),
        ("--to-offset 7", 7),
        ("--shift-by -3", 27),
        ("--by-duration PT1H", 0),
        ("--to-datetime 2000-01-01T00:00:00.000", 0),
    ],
)
@pytest.mark.parametrize("group", PROTOCOLS[:1], indirect=True)
def test_a_group_is_sent_where_the_operator_wants_it(tools: KafkaTools, group, words, offset):
    reset = f"--reset-offsets --group {group} --topic {group}:0 {words}"
    planned = tools.run("consumer-groups", f"{reset} --dry-run")
    assert offsets(planned, group) == [[group, "0", str(offset)]]
    tools.run("consumer-groups", f"{reset} --execute")
    described = tools.run("consumer-groups", f"--describe --group {group}")
    assert offsets(described, group)[0][2] == str(offset)


def test_a_group_that_was_sent_back_reads_again_from_there(tools: KafkaTools, group):
    tools.run(
        "consumer-groups",
        f"--reset-offsets --group {group} --topic {group} --to-offset 27 --execute",
    )
    assert read(tools, group, count=3) == ["27", "28", "29"]


def test_offsets_of_a_topic_and_then_the_group_are_deleted(tools: KafkaTools, group):
    deleted = tools.run("consumer-groups", f"--delete-offsets --group {group} --topic {group}")
    assert "Successful" in deleted
    assert "Deletion of requested" in tools.run("consumer-groups", f"--delete --group {group}")
    assert group not in tools.run("groups", "--list")
    again = tools.run("consumer-groups", f"--delete --group {group}")
    assert "GroupIdNotFoundException" in again


@pytest.mark.long
def test_a_share_group_is_sent_back_and_reads_again(tools: KafkaTools, topic):
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    tools.run("console-producer", f"--topic {topic}", typed="\n".join(map(str, range(COUNT))))
    tools.run("configs", f"--alter --group {topic} --add-config share.auto.offset.reset=earliest")
    words = f"--topic {topic} --group {topic} --max-messages {COUNT}"
    first = tools.run("console-share-consumer", words)
    assert first.split()[:COUNT] == [str(number) for number in range(COUNT)]
    described = tools.run("share-groups", f"--describe --group {topic}")
    assert offsets(described, topic)[0][-1] == "0"
    back = f"--reset-offsets --group {topic} --topic {topic} --to-earliest --execute"
    assert offsets(tools.run("share-groups", back), topic) == [[topic, "0", "0"]]
    assert tools.run("console-share-consumer", words).split()[:COUNT] == first.split()[:COUNT]
    tools.run("share-groups", f"--delete --group {topic}")
    assert topic not in tools.run("share-groups", "--list").split()
