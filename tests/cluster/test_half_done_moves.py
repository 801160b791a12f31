"""Moves that are throttled and not done, beside Kafka's tool, while a node is down and after it.

Both tools share one cluster, which allows one reassignment at a time unless it is set otherwise.
So Kafka's tool runs a whole scenario first, and ours the same one afterwards, each of topics of its
own (`%`); every answer is held beside the other's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from moldau.client import Producer
from moldau.client.admin import Admin, Replica
from tests.cluster.asking import until
from tests.cluster.nodes import APACHE, OURS, Nodes
from tests.interop.tool_calls import OURS as NAME_OF_OURS
from tests.interop.tool_calls import THEIRS, masked
from tests.interop.tool_comparison import ours
from tests.judges.kafka_tools import KafkaTools
from tests.present import present

pytestmark = [pytest.mark.long, pytest.mark.judge, pytest.mark.timeout(400)]

NODES = (1, 2, 3)
TWO_DISKS = {"log.dirs": "{folder}/data,{folder}/more", "metadata.log.dir": "{folder}/data"}
RECORD = b"x" * 100_000
RECORDS = 30
"""More than one fetch of a follower, so that a throttled one cannot come to the end."""
IMPATIENT = "default.api.timeout.ms=6000\nrequest.timeout.ms=3000\n"
PLANS = {
    "there": [("half%", 0, [2, 3])],
    "more": [("other%", 0, [3, 1]), ("other%", 10, [2, 1])],
    "adding": [("half%", 1, [2, 1, 3])],
    "less": [("half%", 2, [1])],
}
Parts = list[tuple[str, int, list[int]]]
BEGUN = """
--execute --reassignment-json-file @there --throttle 1
--list
--verify --reassignment-json-file @there
--verify --reassignment-json-file @there --preserve-throttles
--execute --reassignment-json-file @there
--execute --reassignment-json-file @more --throttle 4
--execute --reassignment-json-file @adding --additional --disallow-replication-factor-change
--execute --reassignment-json-file @more --additional --throttle 2
configs: --describe --topic half%
configs: --describe --topic other%
configs: --describe --broker 1
configs: --describe --broker 3
--list
--verify --reassignment-json-file @more
"""
LACKING = """
--list
--verify --reassignment-json-file @there
--verify --reassignment-json-file @less
--execute --reassignment-json-file @there --additional --throttle 5
--execute --reassignment-json-file @less --additional
--execute --reassignment-json-file @less --additional --throttle 5
topics: --describe --topic half%
configs: --describe --topic half%
--cancel --reassignment-json-file @more --preserve-throttles
--list
configs: --describe --topic other%
--cancel --reassignment-json-file @less
--cancel --reassignment-json-file @there
--list
--reassignment-json-file @there --verify
configs: --describe --broker 1
configs: --describe --entity-type topics --entity-name half%
topics: --describe --topic half%
"""
WHOLE_AGAIN = """
--verify --reassignment-json-file @there
--verify --reassignment-json-file @more
configs: --describe --broker 1
configs: --describe --broker 3
configs: --describe --topic half%
configs: --describe --topic other%
--cancel --reassignment-json-file @more
--cancel --reassignment-json-file @adding
"""
DIRECTORIES = """
--execute --reassignment-json-file @away --replica-alter-log-dirs-throttle 1
configs: --describe --broker 1
--verify --reassignment-json-file @away
--verify --reassignment-json-file @back
--cancel --reassignment-json-file @away
--verify --reassignment-json-file @away
--execute --reassignment-json-file @coming --throttle 1
"""
DOWN = "ours waits for no broker that is down, and prints what it has done"
ALLOWED = {
    "--execute --reassignment-json-file @less --additional --throttle 5": DOWN,
    "--cancel --reassignment-json-file @there": DOWN,
    "--reassignment-json-file @there --verify": DOWN,
    "configs: --describe --entity-type topics --entity-name half%": (
        "ours has lifted throttles of topics though a broker is down"
    ),
}
PLACES = re.compile(r"(node-\d)/(?:data|more)")
"""Which of its directories a broker gives a replica is its choice."""


@pytest.fixture(scope="module", params=[APACHE, OURS])
def nodes(request, kafka_libs, tmp_path_factory) -> Iterator[Nodes]:
    folder, kinds = tmp_path_factory.mktemp("nodes"), [request.param] * len(NODES)
    own = [TWO_DISKS] * len(NODES)
    with Nodes(folder, kinds=kinds, libs=kafka_libs, own=own) as started:
        yield started


@pytest.fixture(scope="module")
def tools(kafka_libs, nodes, tmp_path_factory) -> Iterator[KafkaTools]:
    folder = tmp_path_factory.mktemp("tools")
    with KafkaTools(kafka_libs, folder, nodes.bootstrap) as running:
        yield running


def filled(tools: KafkaTools, name: str) -> None:
    tools.run("topics", f"--create --topic half{name} --replica-assignment 1:2,2:1,1:2")
    replicas = ",".join(["1:2"] * 11)
    tools.run("topics", f"--create --topic other{name} --replica-assignment {replicas}")
    with Producer(tools.bootstrap) as producer:
        for topic, partition in ((f"half{name}", 0), (f"half{name}", 1), (f"other{name}", 0)):
            for _ in range(RECORDS):
                producer.send(topic, RECORD, partition=partition)


def write_plans(folder: Path, name: str, plans: dict[str, Parts]) -> None:
    for file, parts in plans.items():
        rows = [
            {"topic": topic.replace("%", name), "partition": partition, "replicas": replicas}
            for topic, partition, replicas in parts
        ]
        (folder / file).write_text(json.dumps({"version": 1, "partitions": rows}))


def write_moves(nodes: Nodes, folder: Path, name: str) -> None:
    """To the directory where a replica is not, and on a broker to which it comes first."""
    topic, homes = f"half{name}", [f"{place}" for place in ("data", "more")]
    with Admin(nodes.bootstrap) as admin:
        replica = Replica(topic, 0, 1)
        now = str(admin.describe_replica_log_dirs([replica])[replica].current_dir)
    away = next(str(Path(now).parent / one) for one in homes if Path(now).name != one)
    there = str(Path(away).parent.parent / "node-3" / "more")
    plans = {"away": (0, [1, 2], away), "back": (0, [1, 2], now), "coming": (1, [3, 2], there)}
    for file, (partition, replicas, place) in plans.items():
        row = {"topic": topic, "partition": partition, "replicas": replicas}
        row["log_dirs"] = [place, "any"]
        (folder / file).write_text(json.dumps({"version": 1, "partitions": [row]}))


Answer = tuple[str, int, list[str]]
"""A call, the exit code, and the lines that were printed."""


class Scenario:
    """What one of both tools answers, call by call."""

    def __init__(self, tools: KafkaTools, name: str, folder: Path) -> None:
        self.answers: list[Answer] = []
        self._tools, self._name, self._folder = tools, name, folder

    def run(self, calls: str) -> None:
        for line in calls.strip().splitlines():
            settle_metadata(self._tools.bootstrap)
            tool, colon, words = line.partition(": ")
            if not colon:
                tool, words = "reassign-partitions", line
            code, printed = self._ask(tool, words)
            self.answers.append((line, code, [PLACES.sub(r"\1/DIR", one) for one in printed]))

    def _ask(self, tool: str, words: str) -> tuple[int, list[str]]:
        words = words.replace("%", self._name).replace("@", f"{self._folder}/")
        words += f" --command-config {self._folder}/impatient"
        if self._name == THEIRS:
            code, printed = self._tools.ask(tool, words)
            return code, masked(printed)
        return ours(tool, words, self._tools.bootstrap)


def settle_metadata(bootstrap: str) -> None:
    """Return when every node that is up has what the controller has now."""
    with Admin(bootstrap) as admin:
        up = {node.node_id for node in admin.describe_cluster().nodes}
        wanted = admin.describe_metadata_quorum().high_watermark

        def all_have_it() -> bool:
            quorum = admin.describe_metadata_quorum()
            ends = {
                one.replica_id: one.log_end_offset for one in (*quorum.voters, *quorum.observers)
            }
            return all(ends[node_id] >= wanted for node_id in present(up))

        until(all_have_it)


def give_up(bootstrap: str) -> None:
    """Every move that goes on, as the adding ones that Kafka's tool does not cancel."""
    with Admin(bootstrap) as admin:
        moving = admin.list_partition_reassignments()
        admin.alter_partition_reassignments(dict.fromkeys(moving))  # some may have ended by now
        until(lambda: not admin.list_partition_reassignments())


def is_there(bootstrap: str, node_id: int) -> bool:
    with Admin(bootstrap) as admin:
        return node_id in {node.node_id for node in admin.describe_cluster().nodes}


def answers_of(nodes: Nodes, tools: KafkaTools, name: str, folder: Path) -> list[Answer]:
    folder.mkdir()
    (folder / "impatient").write_text(IMPATIENT)
    filled(tools, name)
    write_plans(folder, name, PLANS)
    scenario = Scenario(tools, name, folder)
    scenario.run(BEGUN)
    nodes[3].stop()
    until(lambda: not is_there(nodes.bootstrap, 3))
    scenario.run(LACKING)
    give_up(nodes.bootstrap)
    nodes[3].start()
    until(lambda: is_there(nodes.bootstrap, 3))
    scenario.run(WHOLE_AGAIN)
    give_up(nodes.bootstrap)
    write_moves(nodes, folder, name)
    scenario.run(DIRECTORIES)
    give_up(nodes.bootstrap)
    return scenario.answers


def test_a_scenario_of_half_done_moves_is_answered_alike(nodes, tools, tmp_path):
    theirs = answers_of(nodes, tools, THEIRS, tmp_path / "java")
    found = answers_of(nodes, tools, NAME_OF_OURS, tmp_path / "ours")
    wrong = [
        f"{line}\n  Kafka's: {(code, printed)}\n  ours:    {(our_code, our_printed)}"
        for (line, code, printed), (_, our_code, our_printed) in zip(theirs, found, strict=True)
        if (code, printed) != (our_code, our_printed) and line not in ALLOWED
    ]
    assert not wrong, "\n".join(wrong)
