"""`moldau log-dirs`: which directories brokers have, and what is in them, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from moldau.client import TopicPartition
from moldau.client.admin import LogDir, StoredReplica
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, admin_of
from moldau.programs.tools.kafka.flags import OUTPUT, Flag, Given, Takes
from moldau.programs.tools.kafka.java_errors import java_cause_of
from moldau.programs.tools.kafka.java_order import partitions_in_java_order
from moldau.programs.tools.kafka.tool import ToolFailedError

__all__ = ["FLAGS", "run"]

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    COMMAND_CONFIG,
    Flag("describe", "Show directories, and the sizes of the partitions in them."),
    Flag("topic-list", "These topics alone.", Takes.TEXT, "TOPIC,..."),
    Flag("broker-list", "These brokers alone.", Takes.TEXT, "ID,..."),
)


def run(given: Given, world: World) -> int:
    given.need("bootstrap-server", "describe")
    topics = {topic for topic in (given.text("topic-list") or "").split(",") if topic}
    wanted = {_number(text) for text in (given.text("broker-list") or "").split(",") if text}
    with admin_of(given, world) as admin:
        there = {node.node_id for node in admin.describe_cluster().nodes}
        if wanted - there:
            missing, known = (",".join(map(str, sorted(ids))) for ids in (wanted - there, there))
            raise ToolFailedError(
                f"ERROR: The given brokers do not exist from --broker-list: {missing}. Current "
                f"existent brokers: {known}"
            )
        asked = sorted(wanted or there)
        if world.rows is None:
            print("Querying brokers for log directories information", file=world.out)
        found = admin.describe_log_dirs(asked).all()
    if world.takes(HEADS, _rows(found, topics)):
        return 0
    names = ",".join(map(str, asked))
    print(f"Received log directory information from brokers {names}", file=world.out)
    brokers = [_broker(broker, found[broker], topics) for broker in asked]
    shown = {"brokers": brokers, "version": 1}
    print(json.dumps(shown, separators=(",", ":"), ensure_ascii=False), file=world.out)
    return 0


HEADS = ("BROKER", "LOG-DIR", "TOPIC", "PARTITION", "SIZE", "OFFSET-LAG", "IS-FUTURE", "ERROR")


def _rows(
    found: Mapping[int, Mapping[str, LogDir]], topics: set[str]
) -> Iterator[tuple[object, ...]]:
    """A row for each replica, and one for each directory that has failed."""
    for broker, dirs in sorted(found.items()):
        for path, one in dirs.items():
            if one.error is not None:
                yield broker, path, None, None, None, None, None, java_cause_of(one.error)
            for part, kept in one.replicas.items():
                if not topics or part.topic in topics:
                    shown = (kept.size, kept.offset_lag, kept.is_future, None)
                    yield broker, path, part.topic, part.partition, *shown


def _number(text: str) -> int:
    if not text.strip().lstrip("-").isdecimal():
        raise ToolFailedError(f'For input string: "{text}"')
    return int(text)


def _broker(broker: int, dirs: Mapping[str, LogDir], topics: set[str]) -> dict[str, object]:
    return {"broker": broker, "logDirs": [_dir(path, one, topics) for path, one in dirs.items()]}


def _in_order(found: LogDir) -> Iterator[tuple[TopicPartition, StoredReplica]]:
    return ((part, found.replicas[part]) for part in partitions_in_java_order(found.replicas))


def _dir(path: str, found: LogDir, topics: set[str]) -> dict[str, object]:
    parts = [
        {
            "partition": str(part),
            "size": replica.size,
            "offsetLag": replica.offset_lag,
            "isFuture": replica.is_future,
        }
        for part, replica in _in_order(found)
        if not topics or part.topic in topics
    ]
    error = None if found.error is None else java_cause_of(found.error).partition(":")[0]
    return {"partitions": parts, "error": error, "logDir": path}
