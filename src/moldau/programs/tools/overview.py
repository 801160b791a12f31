"""What `moldau --help` prints: every command by the task it is for, with Kafka's spelling."""

from __future__ import annotations

from collections.abc import Sequence

from moldau.programs.tools.command import Command
from moldau.programs.tools.kafka.table import SCRIPTS_OF_COMMANDS
from moldau.programs.tools.kafka.tool import KafkaTool, wrapped

__all__ = ["overview", "script_of"]

TASKS = {
    "Run nodes": "start demo format storage server-start server-stop random-uuid certs",
    "Read and write records": "cat console-producer console-consumer console-share-consumer export "
    "import",
    "Topics and their data": "topics configs get-offsets delete-records plan apply",
    "Groups": "groups consumer-groups share-groups streams-groups streams-application-reset lag "
    "clone-group burrow",
    "Look after a cluster": "top doctor debug-bundle cluster broker-api-versions log-dirs "
    "leader-election reassign-partitions metadata-quorum features transactions client-metrics",
    "Access": "acls roles explain-access delegation-tokens keys",
    "Look into files": "dump-log metadata-shell",
    "Schemas, HTTP and pipelines": "schema registry rest console pipeline lake",
    "Measure and verify": "bench producer-perf-test consumer-perf-test share-consumer-perf-test "
    "e2e-latency probe verifiable-producer verifiable-consumer verifiable-share-consumer "
    "replica-verification jmx",
    "This command line": "profile completion link-tools",
}
OTHERS = "More"
END = "`moldau COMMAND --help` shows its arguments. A name in brackets is Kafka's script."
WIDE_FROM = 60
"""Columns from which a command and what it does stand beside each other."""
"""For what no task names."""
GAP = "  "


def overview(commands: Sequence[Command | KafkaTool], columns: int | None = None) -> str:
    """On a terminal lines are broken; without one there is no width."""
    by_name = {one.name: one for one in commands}
    width = max(map(len, by_name))
    lines = ["usage: moldau COMMAND [arguments]", ""]
    for task, names in _tasks(by_name).items():
        lines += [f"{task}:", *(_line(by_name[name], width) for name in names), ""]
    lines.append(END)
    if columns is not None:
        lines = [part for line in lines for part in _broken(line, width, columns)]
    return "\n".join([*lines, ""])


def _broken(line: str, width: int, columns: int) -> list[str]:
    """What a command does stands beside its name, or below it where there is little room."""
    if len(line) <= columns:
        return [line]
    if not line.startswith(GAP):
        return wrapped(line, columns)
    name, summary = line[: len(GAP) + width], line[len(GAP) + width :].lstrip()
    if columns >= WIDE_FROM:
        beside = " " * len(GAP + name)
        first, *others = wrapped(summary, columns - len(beside), hyphens=False)
        return [f"{name}{GAP}{first}", *(f"{beside}{part}" for part in others)]
    below = wrapped(summary, columns - 2 * len(GAP), hyphens=False)
    return [name.rstrip(), *(f"{GAP}{GAP}{part}" for part in below)]


def _tasks(by_name: dict[str, Command | KafkaTool]) -> dict[str, list[str]]:
    found = {
        task: [name for name in names.split() if name in by_name] for task, names in TASKS.items()
    }
    placed = {name for names in found.values() for name in names}
    others = [name for name in by_name if name not in placed]
    return found | ({OTHERS: others} if others else {})


def _line(command: Command | KafkaTool, width: int) -> str:
    script = script_of(command)
    return f"{GAP}{command.name:<{width}}{GAP}{command.summary}" + (
        f" [{script}]" if script else ""
    )


def script_of(command: Command | KafkaTool) -> str:
    """What Kafka's users call it; empty where Kafka has no such tool."""
    if isinstance(command, KafkaTool):
        return command.script
    return f"kafka-{command.name}.sh" if command.name in SCRIPTS_OF_COMMANDS else ""
