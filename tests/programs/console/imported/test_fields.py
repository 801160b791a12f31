"""Fields of a section: however they are written, each taken once, the rest named."""

from __future__ import annotations

import pytest

from moldau.programs.console.imported.fields import Fields, Source
from moldau.programs.located_yaml import BadYamlError, read_yaml


def fields(text, **environment):
    return Fields(read_yaml(text.encode(), "f.yaml"), "top", Source(environment))


def test_a_name_may_have_hyphens_or_capitals():
    found = fields("{max-page-size: 1, maxPage_Count: 2}")
    assert (found.text("maxPageSize"), found.text("max-page-count")) == ("1", "2")


def test_a_name_that_stands_there_in_two_ways_is_refused():
    with pytest.raises(BadYamlError, match="written in two ways"):
        fields("{max-page: 1, maxPage: 2}")


def test_what_was_not_taken_is_named_with_its_place():
    found = fields("{a: 1, b: {c: 2}, d: [{e: 3}], f: null}")
    assert (found.text("a"), found.pop("f")) == ("1", None)
    (one,), inner = found.sections("d"), found.section("b")
    assert inner is not None
    for each in (one, inner, found):
        each.name_left()
    assert found.source.unused == ["top.d[0].e", "top.b.c"]


def test_variables_of_the_environment_are_put_in():
    found = fields("{a: '${NAME}-${OTHER:x}', b: '${MISSING}'}", NAME="n")
    assert found.text("a") == "n-x"
    with pytest.raises(BadYamlError, match="no variable MISSING"):
        found.text("b")


@pytest.mark.parametrize("text", ["{a: [x, y]}", "{a: 'x, y'}"])
def test_a_list_may_be_a_text_with_commas(text):
    found = fields(text)
    assert found.source.texts(found.pop("a")) == ["x", "y"]


def test_truth_may_come_from_the_environment_and_is_nothing_else():
    assert fields("{a: '${READ_ONLY}'}", READ_ONLY="TRUE").truth("a")
    assert not fields("{}").truth("a")
    with pytest.raises(BadYamlError, match="true or false"):
        fields("{a: yes please}").truth("a")
