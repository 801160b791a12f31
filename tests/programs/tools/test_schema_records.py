"""Records of a topic, and a schema that is not theirs."""

from __future__ import annotations

from typing import Any

from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.schemas import SchemaText
from moldau.programs.tools.schema_records import broken_records, newest_records
from moldau.schemas.kinds import language_of
from tests.client.schemas.simulated_registry import SimulatedRegistry
from tests.programs.registry.asked import record


def records(*values):
    return [ConsumerRecord("t", 0, at, 0, None, value) for at, value in enumerate(values)]


def test_each_record_that_could_not_be_read_is_named_with_its_place():
    registry = SimulatedRegistry()
    registry.register("t-value", SchemaText(record("x")))
    registry.register("u-value", SchemaText("true", "JSON"))
    reader = language_of("AVRO").parse(record("x", "y"), {})
    given = records(b"\0\0\0\0\1\2", None, b"plain", b"\0\0\0\0\2{}", b"\0\0\0\0\7\2")
    found = broken_records(registry, reader, given)
    assert [place for place, _ in found] == ["t-0@0", "t-0@2", "t-0@3", "t-0@4"]
    assert [reason.partition(" ")[0] for _, reason in found] == ["y", "it", "it", "GET"]
    later = language_of("AVRO").parse(record("x", "y="), {})
    assert broken_records(registry, later, given[:2]) == []


class Log:
    """What is asked of a consumer: ten records in each of two partitions, one of them emptied."""

    def __init__(self) -> None:
        self.sought: dict[str, int] = {}

    def assign(self, topic):
        self.topic = topic

    def assignment(self):
        return {"a", "b"}

    def end_offsets(self, parts):
        return dict.fromkeys(parts, 10)

    def beginning_offsets(self, parts):
        return {"a": 0, "b": 10}

    def seek(self, part, offset):
        self.sought[part] = offset

    def poll(self, timeout):
        found, self.sought["a"] = range(self.sought["a"], 10), 10
        return list(found)


def test_the_newest_records_of_each_partition_are_read():
    log: Any = Log()
    found: list[Any] = newest_records(log, "t", 6)
    assert found == [7, 8, 9]
    assert log.topic == "t"
