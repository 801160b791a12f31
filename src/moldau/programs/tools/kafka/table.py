"""The tools of Apache Kafka 4.3 that are here, by the names that its users know."""

from __future__ import annotations

from moldau.programs.tools.kafka.tool import KafkaTool

__all__ = ["KAFKA_TOOLS"]


PACKAGE = "moldau.programs.tools.kafka"
SERVER = "--bootstrap-server localhost:9092"


def _tool(name: str, summary: str, example: str) -> KafkaTool:
    return KafkaTool(name, summary, f"{PACKAGE}.{name.replace('-', '_')}", example)


KAFKA_TOOLS = (
    _tool("topics", "create, list, describe, alter and delete topics", f"{SERVER} --describe"),
    _tool(
        "console-producer",
        "send each line that is typed as a record",
        f"{SERVER} --topic orders --reader-property parse.key=true",
    ),
    _tool(
        "console-consumer",
        "print the records of topics",
        f"{SERVER} --topic orders --from-beginning --timeout-ms 1000",
    ),
    _tool(
        "consumer-groups",
        "list, describe, reset and delete groups of consumers",
        f"{SERVER} --describe --all-groups",
    ),
    _tool("groups", "list groups of every kind", f"{SERVER} --list"),
    _tool("get-offsets", "print where partitions begin and end", f"{SERVER} --time earliest"),
)
