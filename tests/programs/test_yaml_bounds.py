"""Files that are short and stand for very much."""

import pytest

from moldau.programs.located_yaml import BadYamlError, read_yaml
from moldau.programs.yaml_bounds import DEPTH_MAX, VALUES_MAX


def laughs(levels):
    """Ten times as many with each line."""
    lines = ["a0: &a0 ha"]
    for level in range(1, levels + 1):
        aliases = ", ".join([f"*a{level - 1}"] * 10)
        lines.append(f"a{level}: &a{level} [{aliases}]")
    return "\n".join(lines)


def refused(text):
    with pytest.raises(BadYamlError) as caught:
        read_yaml(text.encode(), "file.yaml")
    return str(caught.value)


def test_aliases_of_aliases_are_counted_and_not_followed():
    message = refused(laughs(60))
    assert message.startswith("file.yaml:1:1: its aliases stand for 1")
    assert message.endswith(f" values, and {VALUES_MAX} are the most")


def test_ordinary_aliases_stay():
    document = read_yaml(laughs(3).encode(), "file.yaml")
    assert len(document.fields(("a0", "a1", "a2", "a3"))["a3"].elements()) == 10


def test_an_alias_within_what_it_names_is_refused_with_its_place():
    message = refused("x: 1\na: &a {b: {c: *a}}")
    assert message == "file.yaml:2:4: an alias stands within what it names, which has no end"


def chain(length):
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, length))]
    return "\n".join(lines)


@pytest.mark.parametrize("text", ["[" * 50_000, "[" * 101 + "]" * 101, chain(200)])
def test_depth_is_bounded(text):
    assert refused(text).endswith(f"it is nested deeper than {DEPTH_MAX} levels")


def test_as_deep_as_is_allowed():
    levels = DEPTH_MAX - 1
    assert read_yaml(("[" * levels + "x" + "]" * levels).encode(), "f").elements()


def test_a_large_file_without_aliases_is_read():
    text = "[" + "x," * (VALUES_MAX // 50) + "]"
    assert len(read_yaml(text.encode(), "f").elements()) == VALUES_MAX // 50
