"""Java's properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.config.java_properties import (
    format_properties,
    parse_entries,
    parse_properties,
)


@pytest.mark.parametrize(
    ("line", "pair"),
    [
        ("a=b", ("a", "b")),
        ("a : b ", ("a", "b ")),
        ("a b=c", ("a", "b=c")),
        ("  a=", ("a", "")),
        ("a", ("a", "")),
        (r"a\=b=c", ("a=b", "c")),
        (r"a=\u00e9\t\q", ("a", "é\tq")),
        ("a=b\\\n   c", ("a", "bc")),
        ("a=b\\\\\n", ("a", "b\\")),
        ("# comment\r\n! another\r\na=1\r\na=2", ("a", "2")),
        ("a=b\\", ("a", "b")),
    ],
)
def test_a_line_is_a_key_and_a_value(line, pair):
    assert parse_properties(line.encode("latin-1")) == dict([pair])


def test_an_entry_is_where_its_first_line_is():
    contents = b"# head\n\na=1\r\nb=2\\\n  3\n\n a=4\\"
    assert list(parse_entries(contents)) == [(3, "a", "1"), (4, "b", "23"), (7, "a", "4")]


def test_comments_come_first():
    assert format_properties({"a": "1", "b c": "é"}, ("", "today")) == (
        b"#\n#today\na=1\nb\\ c=\\u00E9\n"
    )


@given(st.dictionaries(st.text(), st.text()))
def test_what_is_written_is_read(properties):
    try:
        contents = format_properties(properties)
    except UnicodeEncodeError:
        return
    read = parse_properties(contents)
    assert {k.encode("utf-16-be", "surrogatepass"): v.encode("utf-16-be", "surrogatepass")
            for k, v in read.items()} == {
        k.encode("utf-16-be"): v.encode("utf-16-be") for k, v in properties.items()
    }  # fmt: skip


@given(st.binary(max_size=60))
def test_any_bytes_are_properties(contents):
    assert isinstance(parse_properties(contents), dict)


def test_a_character_beyond_16_bits_is_read_as_it_was_written():
    assert parse_properties(format_properties({"a": "x 😀"})) == {"a": "x 😀"}
    assert parse_properties(b"a=\\uD83D\\uDE00\nb=\\u00e9") == {"a": "😀", "b": "é"}
