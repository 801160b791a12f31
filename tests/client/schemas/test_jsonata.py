"""Rules in JSONata make a new value of a whole one."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from moldau.schemas.data_errors import DataError
from moldau.schemas.kinds import language_of
from moldau.schemas.model import SchemaText
from moldau.schemas.rules import WRITE, Record, Scene, rules_of

pytest.importorskip("jsonata", reason="jsonata-python is not installed")
jsonata = pytest.importorskip("moldau.client.schemas.jsonata")
PARSED = language_of("JSON").parse("{}", {})


def ran(value, expression, **limits):
    rule = {"name": "r", "type": "JSONATA", "mode": "WRITE", "expr": expression}
    schema = SchemaText("{}", "JSON", rule_set={"domainRules": [rule]})
    on_values = rules_of(
        schema, Scene(PARSED, "s", WRITE), [jsonata.JsonataRules(**limits)]
    ).on_values
    assert on_values is not None
    return on_values(value, Record("t", value))


def test_a_value_is_made_of_plain_values():
    found = ran({"a": {"b": [1, 2]}}, "{'sum': $sum(a.b), 'twice': a.b.($ * 2)}")
    assert found == {"sum": 3, "twice": [2, 4]}
    assert type(found["twice"]) is list


@pytest.mark.parametrize(
    ("expression", "reason"),
    [("$merge(", "is no expression"), ("$f(1)", "fails"), ("nothing", "nothing is left")],
)
def test_what_means_nothing_or_gives_nothing_is_refused(expression, reason):
    with pytest.raises(DataError, match=reason):
        ran({"a": 1}, expression)


@pytest.fixture
def clock(monkeypatch):
    """A clock on which each look takes a millisecond."""
    found = SimpleNamespace(now_ms=0)

    def look():
        found.now_ms += 1
        return found.now_ms

    monkeypatch.setattr("jsonata.timebox.Timebox.current_milli_time", staticmethod(look))
    return found


@pytest.mark.usefixtures("clock")
def test_a_rule_without_an_end_refuses_the_record():
    endless = "($f := function($n){ $f($n + 1) }; $f(0))"
    with pytest.raises(DataError, match=r"fails: .*500"):
        ran({"a": 1}, endless, timeout_ms=500)


def test_the_time_is_that_of_one_value(clock):
    rule = {"name": "r", "type": "JSONATA", "mode": "WRITE", "expr": "{'b': a}"}
    schema = SchemaText("{}", "JSON", rule_set={"domainRules": [rule]})
    rules = [jsonata.JsonataRules(timeout_ms=500)]
    on_values = rules_of(schema, Scene(PARSED, "s", WRITE), rules).on_values
    assert on_values is not None
    for number in range(3):
        clock.now_ms += 1_000
        assert on_values({"a": number}, Record("t", {})) == {"b": number}


@pytest.mark.parametrize("expression", ["$match(a, /^(a+)+$/)", "$replace(a, /(a|a)*b/, '')"])
def test_patterns_take_a_time_that_grows_with_the_text(expression):
    ran({"a": "a" * 50_000 + "!"}, f"{{'found': $count({expression}), 'a': 1}}")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("$match(a, /B(.)/i).groups", ["c"]),
        ("$replace(a, /[ac]/, 'x')", "xbx"),
        ("$split(a, /b/)", ["a", "c"]),
        ("$contains(a, /^abc$/)", True),
        ("$replace(a, /(b)(c)/, '$2$1')", "acb"),
    ],
)
def test_patterns_are_found_replaced_and_split_by(expression, expected):
    assert ran({"a": "abc"}, f"{{'x': {expression}}}") == {"x": expected}


@pytest.mark.parametrize("pattern", [r"/(a)\1/", "/(?=a)b/"])
def test_patterns_that_have_no_such_time_are_refused(pattern):
    with pytest.raises(DataError, match="is no expression"):
        ran({"a": "x"}, f"$match(a, {pattern})")
