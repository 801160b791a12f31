"""`moldau log-dirs`: which directories brokers have, and what is in them, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping

from moldau.client.admin import LogDir
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, admin_of
from moldau.programs.tools.kafka.flags import Flag, Given, Takes
from moldau.programs.tools.kafka.java_errors import java_cause_of
from moldau.programs.tools.kafka.tool import ToolFailedError

__all__ = ["FLAGS", "run"]

FLAGS = (
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
        print("Querying brokers for log directories information", file=world.out)
        found = admin.describe_log_dirs(asked).all()
    names = ",".join(map(str, asked))
    print(f"Received log directory information from brokers {names}", file=world.out)
    brokers = [_broker(broker, found[broker], topics) for broker in asked]
    shown = {"brokers": brokers, "version": 1}
    print(json.dumps(shown, separators=(",", ":"), ensure_ascii=False), file=world.out)
    return 0


def _number(text: str) -> int:
    if not text.strip().lstrip("-").isdecimal():
        raise ToolFailedError(f'For input string: "{text}"')
    return int(text)


def _broker(broker: int, dirs: Mapping[str, LogDir], topics: set[str]) -> dict[str, object]:
    return {"broker": broker, "logDirs": [_dir(path, one, topics) for path, one in dirs.items()]}


def _dir(path: str, found: LogDir, topics: set[str]) -> dict[str, object]:
    parts = [
        {
            "partition": str(part),
            "size": replica.size,
            "offsetLag": replica.offset_lag,
            "isFuture": replica.is_future,
        }
        for part, replica in found.replicas.items()
        if not topics or part.topic in topics
    ]
    error = None if found.error is None else java_cause_of(found.error).partition(":")[0]
    return {"partitions": parts, "error": error, "logDir": path}
