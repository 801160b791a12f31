"""Topics are described in Kafka's lines, and reports choose the partitions that they are about."""

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.client import TopicPartition
from moldau.client.admin import (
    ConfigEntry,
    ConfigResource,
    ConfigSource,
    ConfigType,
    PartitionView,
    Reassignment,
    TopicView,
)
from moldau.client.core.admin.outcomes import Outcomes
from moldau.programs.tools.kafka.topic_descriptions import HEADS, describe, lines_of, rows_of

TOPIC = "orders"
PARTS = (
    PartitionView(0, 1, 0, (1, 2), (1, 2), eligible=(), last_known_eligible=()),
    PartitionView(1, 2, 0, (2, 1), (2,)),
    PartitionView(2, None, 0, (1, 2), ()),
)
LEAST = ConfigEntry("min.insync.replicas", "2", ConfigSource.TOPIC, False, False, ConfigType.INT)
VIEWS = Outcomes({TOPIC: TopicView(TOPIC, "id", False, PARTS)})


def described(*reports, moves=None):
    admin: Any = SimpleNamespace(
        describe_topics=lambda names: VIEWS,
        describe_configs=lambda resources: Outcomes(
            {ConfigResource.topic(TOPIC): {LEAST.name: LEAST}}
        ),
        describe_cluster=lambda: SimpleNamespace(nodes=[SimpleNamespace(node_id=1)]),
        list_partition_reassignments=lambda parts: moves or {},
    )
    return describe(admin, [TOPIC], set(reports))


def lines(*reports, moves=None):
    return list(lines_of(described(*reports, moves=moves)))


def test_a_topic_comes_before_its_partitions():
    first, second, *rest = lines()
    assert first == (
        "Topic: orders\tTopicId: id\tPartitionCount: 3\tReplicationFactor: 2"
        "\tConfigs: min.insync.replicas=2"
    )
    assert second.endswith("Replicas: 1,2\tIsr: 1,2\tElr: \tLastKnownElr: ")
    assert "Leader: none" in rest[1]


@pytest.mark.parametrize(
    ("report", "partitions"),
    [
        ("under-replicated-partitions", [1, 2]),
        ("unavailable-partitions", [1, 2]),
        ("under-min-isr-partitions", [1, 2]),
        ("at-min-isr-partitions", [0]),
    ],
)
def test_a_report_has_its_partitions_alone(report, partitions):
    assert [int(line.split("Partition: ")[1][0]) for line in lines(report)] == partitions


def test_a_partition_that_moves_counts_the_replicas_that_stay():
    part = TopicPartition(TOPIC, 0)
    first, second, *_ = lines(moves={part: Reassignment((1, 2), (2,), ())})
    assert "ReplicationFactor: 1" in first
    assert "Adding Replicas: 2\tRemoving Replicas: \tElr" in second


def test_no_topic_asks_for_nothing():
    none: Any = None
    assert list(describe(none, [], set())) == []


def test_rows_have_a_partition_each_with_its_topic():
    move = Reassignment((1, 2, 3), (3,), ())
    rows = [
        dict(zip(HEADS, row, strict=True))
        for row in rows_of(described(moves={TopicPartition(TOPIC, 0): move}))
    ]
    assert [row["PARTITION"] for row in rows] == [0, 1, 2]
    assert rows[0]["CONFIGS"] == ["min.insync.replicas=2"]
    assert (rows[0]["ADDING"], rows[1]["ADDING"]) == ((3,), None)
    assert rows[2]["LEADER"] is None


def test_a_topic_of_which_no_partition_is_shown_has_a_row_of_its_own():
    (row,) = rows_of(described("topics-with-overrides"))
    assert row[0] == TOPIC
    assert set(row[3:]) == {None}


def test_a_report_that_is_about_nothing_has_no_rows():
    assert list(rows_of(described("at-min-isr-partitions")[:0])) == []
