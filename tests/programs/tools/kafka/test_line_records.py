"""A line becomes a record: headers, key and value between separators, bytes as they are."""

import pytest

from moldau.programs.tools.kafka.line_records import BadLineError, Line, LineReader

BOTH = {"parse.key": "true", "parse.headers": "true"}


@pytest.mark.parametrize(
    ("properties", "line", "record"),
    [
        ({}, b"a\tb", Line(b"a\tb")),
        ({"parse.key": "true"}, b"k\tv\tw", Line(b"v\tw", b"k")),
        ({"parse.key": "true", "key.separator": ":"}, b"k:", Line(b"", b"k")),
        (BOTH, b"h:1,i:2\tk\tv", Line(b"v", b"k", (("h", b"1"), ("i", b"2")))),
        ({**BOTH, "null.marker": "N"}, b"N\tN\tN", Line(None, None)),
        ({"parse.key": "true"}, b"\xff\xfe\tv", Line(b"v", b"\xff\xfe")),
        ({"parse.key": "true", "ignore.error": "true"}, b"alone", Line(b"alone")),
    ],
)
def test_a_line_is_cut_at_its_separators(properties, line, record):
    assert LineReader(properties).read(line, 1) == record


@pytest.mark.parametrize(
    ("properties", "line", "message"),
    [
        ({"parse.key": "true"}, b"alone", "No key separator found on line number 7: 'alone'"),
        ({"parse.headers": "true"}, b"h\tv", "No header key separator found in pair 'h'"),
    ],
)
def test_a_line_without_its_separator_is_named(properties, line, message):
    with pytest.raises(BadLineError, match=message):
        LineReader(properties).read(line, 7)


def test_separators_have_to_differ():
    with pytest.raises(BadLineError, match="may not be equal"):
        LineReader({"headers.delimiter": ","})
