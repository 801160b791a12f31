"""A client's rules in CEL have the time of the machine, where no other clock is given."""

from __future__ import annotations

import pytest

from moldau.schemas.kinds import language_of
from moldau.schemas.model import SchemaText
from moldau.schemas.rules import WRITE, Record, Scene, rules_of

pytest.importorskip("celpy", reason="cel-python is not installed")
cel = pytest.importorskip("moldau.client.schemas.cel")


def test_now_is_the_time_of_the_machine():
    rule = {
        "name": "r", "type": "CEL", "kind": "CONDITION", "mode": "WRITE",
        "expr": "now > timestamp('2020-01-01T00:00:00Z') && message == 'a'",
    }  # fmt: skip
    schema = SchemaText('"string"', rule_set={"domainRules": [rule]})
    scene = Scene(language_of("AVRO").parse(schema.text, {}), "s", WRITE)
    on_values = rules_of(schema, scene, [cel.CelRules()]).on_values
    assert on_values is not None
    assert on_values("a", Record("t", "a")) == "a"
