"""`--output` on tools that list and describe, held against what another client finds."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.main import COMMANDS, run_command
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


def test_a_refusal_is_json_and_the_exit_code_shows_it(call, errors):
    code, lines = call("topics --describe --topic absent --output json")
    assert (code, lines) == (1, [])
    assert "absent" in json.loads(errors.getvalue())["error"]


def test_a_dry_run_of_topics_is_judged_by_the_cluster_and_changes_nothing(call, node, topic):
    before = call("topics --describe")
    create = "topics --create --dry-run --topic"
    assert call(f"{create} fresh-{topic}") == (0, [f"DRY RUN of creating topic fresh-{topic}"])
    code, lines = call(f"{create} {topic}")
    assert (code, "already exists" in lines[-1]) == (1, True)
    assert call(f"topics --alter --dry-run --topic {topic} --partitions 5") == (
        0,
        [f"DRY RUN of giving topic {topic} 5 partitions"],
    )
    assert call(f"topics --delete --dry-run --topic {topic}") == (
        0,
        [f"DRY RUN of deleting topic {topic} with all its records"],
    )
    assert call("topics --describe") == before


def test_what_is_deleted_is_a_row_for_each_partition(call, topic, tmp_path, errors):
    parts = [
        {"topic": topic, "partition": 0, "offset": 1},
        {"topic": topic, "partition": 1, "offset": 9},
    ]
    (tmp_path / "offsets.json").write_text(json.dumps({"partitions": parts, "version": 1}))
    words = f"delete-records --offset-json-file {tmp_path}/offsets.json --output json"
    code, lines = call(words)
    found = [[*row.values()] for row in json.loads("\n".join(lines))]
    assert (code, found[0]) == (0, [topic, 0, 1, None])
    assert (found[1][:3], "OffsetOutOfRange" in found[1][3]) == ([topic, 1, None], True)
    assert errors.getvalue() == ""


def test_an_election_is_a_row_for_each_partition(call, topic, tmp_path, errors):
    parts = [{"topic": topic, "partition": number} for number in (0, 9)]
    (tmp_path / "parts.json").write_text(json.dumps({"partitions": parts}))
    words = "leader-election --election-type preferred --output json --path-to-json-file"
    code, lines = call(f"{words} {tmp_path}/parts.json")
    rows = json.loads("\n".join(lines))
    assert code == 1
    assert [(row["partition"], row["outcome"]) for row in rows] == [
        (0, "already elected"),
        (9, "failed"),
    ]
    assert "UnknownTopicOrPartition" in rows[1]["error"]
    assert json.loads(errors.getvalue()) == {"error": "1 replica(s) could not be elected"}


RECORDS, SERVES, MEASURES = "streams records", "serves", "prints Kafka's lines of measurements"
WITHOUT = {
    **dict.fromkeys(("cat", "console-consumer", "console-producer"), RECORDS),
    **dict.fromkeys(("console-share-consumer", "dump-log", "export", "import"), RECORDS),
    **dict.fromkeys(("start", "server-start", "server-stop", "burrow", "probe"), SERVES),
    **dict.fromkeys(("registry", "rest", "console", "pipeline"), SERVES),
    **dict.fromkeys(("producer-perf-test", "consumer-perf-test", "e2e-latency"), MEASURES),
    **dict.fromkeys(("share-consumer-perf-test", "replica-verification"), MEASURES),
    "jmx": "has forms of its own, as Kafka's",
    "verifiable-producer": "prints events as JSON",
    "verifiable-consumer": "prints events as JSON",
    "verifiable-share-consumer": "prints events as JSON",
    "top": "draws pictures; --json is an object for each",
    "demo": "draws what happens; --json is an object",
    "lake": "--json is an object",
    "metadata-shell": "is a shell",
    "streams-application-reset": "prints what it does, as Kafka's",
    "storage": "prints what Kafka's does of directories on this machine",
    **dict.fromkeys(("format", "certs", "link-tools", "completion"), "writes files or a script"),
    "debug-bundle": "writes a file",
    "random-uuid": "prints one word",
}
"""Commands without `--output`, and why; no other may be."""


@pytest.mark.parametrize("name", [one.name for one in (*COMMANDS, *KAFKA_TOOLS)])
def test_every_command_that_lists_takes_output(name):
    out = StringIO()
    world = World(
        files=SystemFiles(), clock=SystemClock(), random=SystemRandom(), out=out, errors=out
    )
    assert run_command(["help", name], world) == 0
    assert ("--output" in out.getvalue()) != (name in WITHOUT)
