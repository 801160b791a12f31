"""Values of one version are read as another by the rules of the versions between."""

from __future__ import annotations

import json

import pytest

from moldau.client.errors import InvalidArgumentError, SerializationError
from moldau.client.schemas.deserializing import SchemaDeserializer
from moldau.client.schemas.serializing import SchemaSerializer
from moldau.schemas.model import SchemaText
from tests.client.schemas.simulated_registry import SimulatedRegistry

NAMES = ("a", "b", "c")


class Renaming:
    """Its expression is the new name of the only field."""

    types = ("RENAME",)

    def runner(self, rule, scene):
        return lambda value: {rule.expression: next(iter(value.values())) + rule.expression}


def version_of(index):
    name = NAMES[index]
    text = json.dumps({"type": "record", "name": "R", "fields": [{"name": name, "type": "string"}]})
    rules = [
        {"name": f"{mode}{index}", "type": "RENAME", "kind": "TRANSFORM", "mode": mode, "expr": to}
        for mode, to in (("UPGRADE", name), ("DOWNGRADE", NAMES[index - 1]))
    ]
    return SchemaText(text, rule_set={"migrationRules": rules} if index else None)


def written(registry, index, value):
    found = SchemaSerializer(registry, version_of(index), auto_register=False)("t", value)
    assert found is not None
    return found


def registry_of(count):
    found = SimulatedRegistry()
    found.ask(lambda calls: calls.call("PUT", "/config/t-value", {"compatibility": "NONE"}))
    for index in range(count):
        found.register("t-value", version_of(index))
    return found


@pytest.fixture
def registry():
    return registry_of(len(NAMES))


def test_values_are_upgraded_step_by_step(registry):
    old = written(registry, 0, {"a": "x"})
    middle = written(registry, 1, {"b": "x"})
    new = written(registry, 2, {"c": "x"})
    read = SchemaDeserializer(registry, rules=[Renaming()], use_latest=True)
    assert [read("t", data) for data in (old, middle, new)] == [
        {"c": "xbc"}, {"c": "xc"}, {"c": "x"}
    ]  # fmt: skip
    assert SchemaDeserializer(registry, rules=[Renaming()])("t", old) == {"a": "x"}


def test_all_values_are_read_as_the_version_that_was_newest_when_it_was_asked_last():
    registry = registry_of(2)
    old, middle = written(registry, 0, {"a": "x"}), written(registry, 1, {"b": "x"})
    read = SchemaDeserializer(registry, rules=[Renaming()], use_latest=True)
    assert [read("t", old), read("t", old)] == [{"b": "xb"}] * 2
    registry.register("t-value", version_of(2))
    assert read("t", old) == {"b": "xb"}, "nothing has been asked since"
    assert [read("t", data) for data in (middle, old)] == [{"c": "xc"}, {"c": "xbc"}]


def test_values_are_downgraded_where_the_newest_versions_are_deleted(registry):
    new = written(registry, 2, {"c": "x"})
    for number in (3, 2):
        registry.ask(lambda calls, number=number: calls.delete("t-value", number))
    read = SchemaDeserializer(registry, rules=[Renaming()], use_latest=True)
    assert read("t", new) == {"a": "xba"}


def test_without_rules_the_newest_schema_reads(registry):
    old = written(registry, 0, {"a": "x"})
    with pytest.raises(SerializationError, match="c"):
        SchemaDeserializer(registry, use_latest=True)("t", old)
    with pytest.raises(InvalidArgumentError):
        SchemaDeserializer(registry, '"string"', use_latest=True)
