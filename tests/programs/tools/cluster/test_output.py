"""`--output` on tools that list and describe, held against what another client finds."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient

from tests.programs.tools.cluster.conftest import Call

LISTINGS = (
    "topics --list",
    "topics --describe",
    "groups --list",
    "consumer-groups --list",
    "consumer-groups --describe --all-groups",
    "consumer-groups --describe --all-groups --members",
    "consumer-groups --describe --all-groups --state",
    "share-groups --list",
    "streams-groups --list",
    "get-offsets",
    "log-dirs --describe",
    "configs --describe --entity-type brokers",
    "client-metrics --list",
    "cluster cluster-id",
    "cluster list-endpoints",
    "metadata-quorum describe --status",
    "metadata-quorum describe --replication",
    "features describe",
    "broker-api-versions",
    "transactions list",
    "reassign-partitions --list",
    "lag",
    "doctor",
)


@pytest.fixture
def rows(call: Call, errors: StringIO):
    def ask(words: str) -> list[dict[str, Any]]:
        command, *rest = words.split()
        code, lines = call(" ".join([command, "--output", "json", *rest]))
        assert code == 0, errors.getvalue()
        found = json.loads("\n".join(lines))
        assert isinstance(found, list)
        return found

    return ask


@pytest.mark.parametrize("words", LISTINGS)
def test_each_is_json_with_the_same_names_in_every_row(rows, words, group):
    found = rows(words)
    assert len({tuple(row) for row in found}) <= 1


def test_partitions_are_where_another_client_finds_them(rows, node, topic):
    found = [row for row in rows("topics --describe") if row["topic"] == topic]
    theirs = AdminClient({"bootstrap.servers": node}).list_topics(topic, timeout=60)
    parts = theirs.topics[topic].partitions.values()
    assert [(row["partition"], row["leader"], row["replicas"], row["isr"]) for row in found] == [
        (part.id, part.leader, part.replicas, part.isrs) for part in parts
    ]


def test_offsets_of_a_group_are_numbers(rows, group, topic):
    found = [
        row for row in rows("consumer-groups --describe --all-groups") if row["group"] == group
    ]
    numbers = [(row["partition"], row["current_offset"], row["log_end_offset"]) for row in found]
    assert numbers == [(0, 1, 2), (1, 0, 1)]


def test_a_refusal_is_json_and_the_exit_code_tells_it(call, errors):
    code, lines = call("topics --describe --topic absent --output json")
    assert (code, lines) == (1, [])
    assert "absent" in json.loads(errors.getvalue())["error"]


def test_a_dry_run_of_topics_is_judged_by_the_cluster_and_changes_nothing(call, node, topic):
    before = call("topics --describe")
    create = "topics --create --dry-run --topic"
    assert call(f"{create} fresh-{topic}") == (0, [f"DRY RUN of creating topic fresh-{topic}"])
    code, lines = call(f"{create} {topic}")
    assert (code, "exists already" in lines[-1]) == (1, True)
    assert call(f"topics --alter --dry-run --topic {topic} --partitions 5") == (
        0,
        [f"DRY RUN of giving topic {topic} 5 partitions"],
    )
    assert call(f"topics --delete --dry-run --topic {topic}") == (
        0,
        [f"DRY RUN of deleting topic {topic} with all its records"],
    )
    assert call("topics --describe") == before
