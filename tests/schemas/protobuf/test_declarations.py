"""What a .proto text means, judged by Google's compiler."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.protobuf.declarations import read_text
from moldau.schemas.protobuf.pools import resolved
from tests.schemas.protobuf.sources import MONEY, ORDER, SOURCES, compiled


def without_names_of_json(message):
    """The compiler's descriptors have them for every field."""
    for field in (*message.field, *message.extension):
        field.ClearField("json_name")
    for inner in message.nested_type:
        without_names_of_json(inner)


def comparable(file):
    for message in file.message_type:
        without_names_of_json(message)
    for field in file.extension:
        field.ClearField("json_name")
    return str(file).replace('syntax: "proto2"\n', "")


@pytest.mark.judge
@pytest.mark.parametrize("text", SOURCES, ids=range(len(SOURCES)))
def test_googles_compiler_makes_the_same_descriptor(text):
    ours = resolved(text, {"money.proto": MONEY}).file
    assert comparable(ours) == comparable(compiled(text))


@pytest.mark.parametrize(
    "text",
    [
        "message",
        "message A {",
        "message A { int32 a = 0; }",
        "message A { int32 a = 1 }",
        "message A { int32 a = x; }",
        "message A { map<int32, int32> a; }",
        "message A { repeated map<int32, int32> a = 1; }",
        "message A { optional map<int32, int32> a = 1; }",
        "message A { option deprecated = 7 }",
        "extend A { map<int32, int32> a = 1; }",
        'syntax = "proto9";',
        'import "a.proto"',
        "service S { get }",
        "enum E { A }",
        "option a",
        '"text"',
        "/* open",
        "message A { oneof b { group C = 1 {} } }",
        "message A {" * 100,
        "message A { int32 a = 1 [default = 0x]; }",
        "message A { int32 a = 099; }",
    ],
)
def test_what_is_no_text_of_protobuf_is_refused(text):
    with pytest.raises(InvalidSchemaError):
        read_text(text, "x")


@given(st.integers(0, len(ORDER)), st.sampled_from(["", "{", "}", ";", "=", "<", "7", '"', "a"]))
def test_a_damaged_text_is_refused_or_means_something_else(at, letter):
    with suppress(InvalidSchemaError):  # and nothing else
        resolved(ORDER[:at] + letter + ORDER[at + 1 :], {"money.proto": MONEY})


def test_options_that_a_descriptor_does_not_keep_are_noticed():
    text = "message A { option (mine).of = { a: [1] }; optional int32 a = 1 [(x) = 1]; }"
    assert read_text(text, "x")[1]
    assert not read_text("message A { option deprecated = true; }", "x")[1]
