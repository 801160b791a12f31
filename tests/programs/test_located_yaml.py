"""Values of YAML that know where they stand."""

import pytest

from moldau.programs.located_yaml import BadYamlError, read_yaml


def read(text):
    return read_yaml(text.encode(), "file.yaml")


def test_json_is_yaml_too():
    fields = read('{"a": [1, true, null], "b": "x"}').fields(("a", "b"))
    first, second, third = fields["a"].elements()
    assert (first.whole_number(0), second.truth(), third.is_null) == (1, True, True)
    assert fields["b"].text() == "x"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1\nb: 2\n", "file.yaml:2:2: this is no YAML: "),
        ("a:\n\tb: 1", "file.yaml:2:1: this is no YAML: "),
        ("", "file.yaml:1:1: there is nothing in it"),
        ("a: 1\na: 2", "file.yaml:2:1: a stands here twice"),
        ("a: 1\n c: 2", "file.yaml:2:3: this is no YAML"),
        ("- a", "file.yaml:1:1: a mapping is wanted here"),
        ("x: 1", "file.yaml:1:1: x is unknown; choose of a, b"),
    ],
)
def test_what_is_wrong_has_a_line_and_a_column(text, message):
    with pytest.raises(BadYamlError) as caught:
        read(text).fields(("a", "b"))
    assert str(caught.value).startswith(message)


def test_values_of_another_kind_are_named():
    fields = read("a: x\nb: {c: -1}").fields(("a", "b"))
    for act, message in (
        (fields["a"].elements, "file.yaml:1:4: a list is wanted here"),
        (fields["a"].number, "file.yaml:1:4: x is no number"),
        (fields["a"].truth, "file.yaml:1:4: x is neither true nor false"),
        (fields["b"].text, "file.yaml:2:4: one value is wanted here"),
        (lambda: dict(fields["b"].items())["c"].whole_number(0), "file.yaml:2:8: -1 is no whole"),
    ):
        with pytest.raises(BadYamlError) as caught:
            act()
        assert str(caught.value).startswith(message)


def test_bytes_that_are_no_text_are_named():
    with pytest.raises(BadYamlError, match="byte 3 is no text"):
        read_yaml(b"a: \xff", "file.yaml")


@pytest.mark.parametrize(
    "text",
    [
        "password: *s3cret",
        "a: &s3cret 1\nb: &s3cret 2\nc: *s3cre7",
        "a: !s3cret!x 1",
        "a: %s3cret",
    ],
)
def test_what_is_no_yaml_is_named_by_its_place_and_not_quoted(text):
    with pytest.raises(BadYamlError, match=r"a\.yaml:\d+:\d+: this is no YAML: ") as refused:
        read_yaml(text.encode(), "a.yaml")
    assert "s3cre" not in str(refused.value)
