"""What is refused is named with its place; test_pairs_by_hand has that protoc refuses the same."""

from __future__ import annotations

import pytest

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.protobuf.language import PROTOBUF_LANGUAGE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("message A { message B { reserved 3; int32 b = 3; } }", "B.b has a name or number"),
        ("message A { reserved 2 to max; int32 a = 7; }", "A.a has a name or number"),
        ("enum E { reserved 1 to 3; Z = 0; Y = 3; }", "E.Y has a name or number"),
        ('enum E { reserved "Z"; Z = 0; }', "E.Z has a name or number"),
        ("message A { enum E { Z = 0; Y = 0; } }", "E.Y has a number again"),
        ("message A { int32 a = 19999; }", "A.a has the number 19999"),
        ("message A { A a = 1 [packed = true]; }", "A.a is packed"),
        ("message A { extensions 4 to 5; }", "A has extension ranges"),
        ("enum E { Z = 0; Y = 2147483648; }", "a whole number"),
    ],
)
def test_what_protoc_refuses_is_named(text, reason):
    with pytest.raises(InvalidSchemaError, match=reason):
        PROTOBUF_LANGUAGE.parse(f'syntax = "proto3"; {text}', {})


@pytest.mark.parametrize(
    "text",
    [
        "message A { reserved 2 to 6; int32 a = 7; int32 b = 1; }",
        "enum E { reserved 1 to 3; Z = 0; Y = 4; X = -2147483648; }",
        "enum E { option allow_alias = true; Z = 0; Y = 0; }",
        "message A { repeated E e = 1 [packed = true]; } enum E { Z = 0; }",
        "message A { string a = 1 [packed = false]; int32 b = 18999; int32 c = 20000; }",
    ],
)
def test_what_is_near_it_is_taken(text):
    assert PROTOBUF_LANGUAGE.parse(f'syntax = "proto3"; {text}', {}).canonical
