"""Rules in JSONata make a new value of a whole one."""

from __future__ import annotations

import pytest

from moldau.client.schemas.rules import WRITE, Record, Scene, rules_of
from moldau.schemas.data_errors import DataError
from moldau.schemas.kinds import language_of
from moldau.schemas.model import SchemaText

pytest.importorskip("jsonata", reason="jsonata-python is not installed")
jsonata = pytest.importorskip("moldau.client.schemas.jsonata")
PARSED = language_of("JSON").parse("{}", {})


def ran(value, expression):
    rule = {"name": "r", "type": "JSONATA", "mode": "WRITE", "expr": expression}
    schema = SchemaText("{}", "JSON", rule_set={"domainRules": [rule]})
    on_values = rules_of(schema, Scene(PARSED, "s", WRITE), [jsonata.JsonataRules()]).on_values
    assert on_values is not None
    return on_values(value, Record("t", value))


def test_a_value_is_made_of_plain_values():
    found = ran({"a": {"b": [1, 2]}}, "{'sum': $sum(a.b), 'twice': a.b.($ * 2)}")
    assert found == {"sum": 3, "twice": [2, 4]}
    assert type(found["twice"]) is list


@pytest.mark.parametrize(
    ("expression", "said"),
    [("$merge(", "is no expression"), ("$f(1)", "fails"), ("nothing", "nothing is left")],
)
def test_what_means_nothing_or_gives_nothing_is_refused(expression, said):
    with pytest.raises(DataError, match=said):
        ran({"a": 1}, expression)
