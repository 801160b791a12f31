"""How differences are shown, and what all languages have."""

import pytest

from moldau.schemas.kinds import language_of
from moldau.schemas.parsed import Difference, no_format


def test_a_difference_reads_as_registries_print_it():
    found = Difference("TYPE_MISMATCH", "/x", "it differs", "INT")
    assert (
        str(found) == "{errorType:'TYPE_MISMATCH', description:'it differs', additionalInfo:'INT'}"
    )
    assert str(Difference("A", "/", "b")) == "{errorType:'A', description:'b'}"


def test_a_format_that_is_not_there_is_named():
    assert str(no_format("klingon", "AVRO")) == "AVRO has no format 'klingon'"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("AVRO", '{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}'),
        ("JSON", '{"type":"object","properties":{"a":{"properties":{"b":{}}}}}'),
        ("PROTOBUF", "message R { optional int32 a = 1; } message S { optional int32 b = 1; }"),
    ],
)
def test_the_outermost_fields_are_named(kind, text):
    assert language_of(kind).parse(text, {}).field_names == {"a"}


def test_what_has_no_fields_names_none():
    for kind, text in (("AVRO", '"int"'), ("JSON", "true"), ("PROTOBUF", "enum E { A = 0; }")):
        assert language_of(kind).parse(text, {}).field_names == frozenset()
