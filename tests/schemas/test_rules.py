"""Rules are run in their order when values are written, and in the reverse when they are read."""

from __future__ import annotations

import pytest

from moldau.client.errors import SerializationError
from moldau.client.schemas.deserializing import SchemaDeserializer
from moldau.client.schemas.serializing import SchemaSerializer
from moldau.schemas.data_errors import DataError
from moldau.schemas.kinds import language_of
from moldau.schemas.model import SchemaText
from moldau.schemas.rules import (
    DOWNGRADE,
    READ,
    UPGRADE,
    WRITE,
    Record,
    Scene,
    migration_of,
    rules_of,
    writes_other_bytes,
    written_conditions,
)
from tests.client.schemas.simulated_registry import SimulatedRegistry

PARSED = language_of("AVRO").parse('"string"', {})


class Adding:
    """Adds its rule's expression, or refuses what has an x."""

    types = ("ADD",)

    def runner(self, rule, scene):
        def run(value):
            if "x" in value:
                raise DataError("it has an x")
            return value + rule.expression

        return run


def schema_of(*rules, **more):
    given = [{"name": f"r{n}", "type": "ADD", **rule} for n, rule in enumerate(rules)]
    return SchemaText('"string"', rule_set={"domainRules": given, **more})


def run(schema, value, mode=WRITE, *, actions=(), headers=()):
    scene = Scene(PARSED, "s", mode)
    on_values = rules_of(schema, scene, [Adding()], actions).on_values
    return value if on_values is None else on_values(value, Record("t", value, headers))


def test_rules_are_run_in_order_and_read_in_reverse():
    schema = schema_of({"expr": "1"}, {"expr": "2", "mode": "WRITE"}, {"expr": "3"})
    assert run(schema, "a") == "a123"
    assert run(schema, "a", READ) == "a31"


@pytest.mark.parametrize(
    ("rule", "more"),
    [
        ({"disabled": True}, {}),
        ({"mode": "UPGRADE"}, {}),
        ({"mode": "READ"}, {}),
        ({}, {"enableAt": "SERVER"}),
    ],
)
def test_what_is_not_meant_for_here_is_not_run(rule, more):
    assert run(schema_of({"expr": "1", **rule}, **more), "a") == "a"


@pytest.mark.parametrize(
    ("actions", "refuses"),
    [("ERROR", "WR"), ("NONE,ERROR", "R"), ("ERROR,NONE", "W"), ("NONE", "")],
)
def test_a_rule_that_fails_refuses_or_lets_pass_as_it_says(actions, refuses):
    schema = schema_of({"expr": "1", "onFailure": actions})
    for mode in (WRITE, READ):
        if mode[0] in refuses:
            with pytest.raises(DataError, match="by the rule 'r0': it has an x"):
                run(schema, "ax", mode)
        else:
            assert run(schema, "ax", mode) == "ax"


def test_a_condition_changes_nothing():
    assert run(schema_of({"expr": "1", "kind": "CONDITION"}), "a") == "a"


def test_what_nothing_runs_is_not_written_and_read_as_it_is():
    registry = SimulatedRegistry()
    schema = schema_of({"expr": "1", "type": "OTHER"})
    with pytest.raises(SerializationError, match="of the type OTHER, which nothing here runs"):
        SchemaSerializer(registry, schema)("t", "a")
    written = SchemaSerializer(registry, schema_of({"expr": "1"}), rules=[Adding()])("t", "a")
    assert written is not None
    assert SchemaDeserializer(registry)("t", written) == "a1"
    assert SchemaDeserializer(registry, rules=[Adding()])("t", written) == "a11"


class Noting:
    name = "NOTE"

    def __init__(self):
        self.seen = []

    def run(self, outcome):
        self.seen.append((outcome.rule.name, str(outcome.error)))


def test_actions_are_reported_success_and_failure_and_let_pass():
    noting = Noting()
    schema = schema_of({"expr": "1", "onSuccess": "NOTE,NONE", "onFailure": "NOTE"})
    assert run(schema, "a", actions=[noting]) == "a1"
    assert run(schema, "a", READ, actions=[noting]) == "a1"
    assert run(schema, "ax", READ, actions=[noting]) == "ax"
    assert noting.seen == [("r0", "None"), ("r0", "it has an x")]


def test_an_action_that_nothing_does_refuses_when_it_is_reached():
    assert run(schema_of({"expr": "1", "onFailure": "NOTE"}), "a") == "a1"
    with pytest.raises(DataError, match="nothing here does its action NOTE"):
        run(schema_of({"expr": "1", "onFailure": "NOTE"}), "x")
    with pytest.raises(DataError, match="asks to refuse what succeeds"):
        run(schema_of({"expr": "1", "onSuccess": "ERROR"}), "a")


def test_a_dead_letter_is_read_without_the_rule_that_it_failed_by():
    schema = schema_of({"expr": "1"}, {"expr": "2"})
    assert run(schema, "a", READ, headers=(("__rule.name", b"r0"),)) == "a2"
    repeated = (("__rule.name", b"r0"), ("__rule.name", b"r1"))
    assert run(schema, "a", READ, headers=repeated) == "a1"


def test_of_two_rules_for_the_same_tags_of_fields_the_first_is_run():
    class OfFields(Adding):
        types = ("CEL_FIELD",)

    same = {"type": "CEL_FIELD", "tags": ["PII"]}
    schema = schema_of({**same, "expr": "1"}, {**same, "expr": "2"}, {**same, "tags": ["B"]})
    for mode in (WRITE, READ):
        on_values = rules_of(schema, Scene(PARSED, "s", mode), [OfFields()]).on_values
        assert on_values is not None
        assert on_values("a", Record("t", "a")) == "a1"


@pytest.mark.parametrize(("mode", "found"), [(UPGRADE, "a12"), (DOWNGRADE, "a31")])
def test_migrations_go_up_in_order_and_down_in_reverse(mode, found):
    given = (("1", "UPDOWN"), ("2", "UPGRADE"), ("3", "DOWNGRADE"), ("4", "WRITEREAD"))
    rules = [{"name": "m", "type": "ADD", "expr": text, "mode": mode} for text, mode in given]
    schema = SchemaText('"string"', rule_set={"migrationRules": rules})
    migrate = migration_of(schema, Scene(PARSED, "s", mode), [Adding()])
    assert migrate is not None
    assert migrate("a", Record("t", b"")) == found


CHANGING = {"type": "ENCRYPT", "kind": "TRANSFORM"}
ASKING = {"type": "CEL", "kind": "CONDITION"}


@pytest.mark.parametrize(
    ("rules", "left"),
    [
        ([ASKING, ASKING], ["r0", "r1"]),
        ([ASKING, CHANGING, ASKING], ["r2"]),
        ([ASKING, {**CHANGING, "disabled": True}], ["r0"]),
        ([ASKING, {**CHANGING, "mode": "READ"}], ["r0"]),
        ([{**ASKING, "mode": "READ"}, {**ASKING, "mode": "WRITE"}], ["r1"]),
        ([{**ASKING, "onFailure": "NONE"}, {**ASKING, "onFailure": "DLQ"}], ["r1"]),
        ([{**ASKING, "onFailure": "NONE,ERROR"}, {**ASKING, "onFailure": "ERROR,NONE"}], ["r1"]),
    ],
)
def test_of_what_was_written_those_conditions_hold_that_no_change_stands_behind(rules, left):
    assert [rule.name for rule in written_conditions(schema_of(*rules))] == left


@pytest.mark.parametrize(
    ("more", "is_other"),
    [
        ({}, False),
        ({"encodingRules": [{**CHANGING, "name": "e"}]}, True),
        ({"encodingRules": [{**CHANGING, "name": "e", "mode": "READ"}]}, False),
        ({"encodingRules": [{**CHANGING, "name": "e"}], "enableAt": "SERVER"}, False),
    ],
)
def test_an_encoding_rule_writes_other_bytes(more, is_other):
    assert writes_other_bytes(schema_of(ASKING, **more)) is is_other
