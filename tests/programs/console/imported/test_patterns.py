"""Patterns of Java: those that mean the same here, and no other."""

from __future__ import annotations

import pytest

from moldau.programs.console.imported.fields import Fields, Source
from moldau.programs.console.imported.patterns import pattern_of
from moldau.programs.located_yaml import BadYamlError, read_yaml


def pattern(text):
    document = read_yaml(f"{{a: '{text}'}}".encode(), "f.yaml")
    return pattern_of(Fields(document, "", Source({})), "a")


@pytest.mark.parametrize("text", ["", "orders-.*", "(?i)a|b", r"[^\[\]&]+", r"a{2,3}\d*+", "[]a]"])
def test_a_pattern_that_is_the_same_in_both_is_taken(text):
    assert pattern(text) == text


@pytest.mark.parametrize("text", [r"\p{Lu}", r"\Qa.b\E", "(?<name>a)", "[a[bc]]", "[a-z&&b]", "("])
def test_a_pattern_that_is_not_is_refused_at_its_place(text):
    with pytest.raises(BadYamlError, match=r"f\.yaml:1:5: this pattern"):
        pattern(text)
