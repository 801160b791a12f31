"""Versions of an order as people change them, each held against each: judged by Google's runtime.

What a version writes is read by another one. Where nothing differs, the reader understands every
field that it has. And of texts that are none, protoc refuses what we refuse.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from google.protobuf import descriptor_pool, json_format, message_factory, unknown_fields
from google.protobuf.message import DecodeError

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.protobuf.language import PROTOBUF_LANGUAGE
from tests.schemas.protobuf.sources import compiled

pytestmark = pytest.mark.judge
LINE = "message Line { string sku = 1; int32 count = 2; }"
STATE = "enum State { NEW = 0; PAID = 1; SENT = 2; }"
VERSIONS = {
    "first": ("int64 id = 1;", {"id": 7}),
    "narrower id": ("int32 id = 1;", {"id": 7}),
    "unsigned id": ("uint64 id = 1;", {"id": 7}),
    "id in zigzag": ("sint64 id = 1;", {"id": 7}),
    "id as a bool": ("bool id = 1;", {"id": True}),
    "id of a fixed size": ("fixed64 id = 1;", {"id": 7}),
    "id of a small fixed size": ("sfixed32 id = 1;", {"id": 7}),
    "id as a double": ("double id = 1;", {"id": 7}),
    "id as a float": ("float id = 1;", {"id": 7}),
    "id as a text": ("string id = 1;", {"id": "ü7"}),
    "id as bytes": ("bytes id = 1;", {"id": "/w=="}),
    "id as a message": ("Line id = 1;", {"id": {"sku": "a", "count": 3}}),
    "id as an enum": ("State id = 1;", {"id": "PAID"}),
    "optional id": ("optional int64 id = 1;", {"id": 7}),
    "several ids": ("repeated int64 id = 1;", {"id": [7, 8]}),
    "several ids, not packed": ("repeated int64 id = 1 [packed = false];", {"id": [7, 8]}),
    "several texts": ("repeated string id = 1;", {"id": ["a", "b"]}),
    "another name": ("int64 number = 1;", {"number": 7}),
    "another number": ("int64 id = 2;", {"id": 7}),
    "a note": ("int64 id = 1; string note = 2;", {"id": 7, "note": "n"}),
    "a note, and id is gone": ("string note = 2;", {"note": "n"}),
    "a note, and id is reserved": ("reserved 1; string note = 2;", {"note": "n"}),
    "lines": ("int64 id = 1; repeated Line lines = 3;", {"id": 7, "lines": [{"sku": "a"}]}),
    "a line": ("int64 id = 1; Line lines = 3;", {"id": 7, "lines": {"sku": "a"}}),
    "lines by name": ("int64 id = 1; map<string, Line> lines = 3;", {"lines": {"a": {"sku": "x"}}}),
    "counts by name": ("int64 id = 1; map<string, int32> lines = 3;", {"lines": {"a": 2}}),
}
PAIRS = [*product(VERSIONS, VERSIONS)]


def test_there_are_more_than_five_hundred_pairs():
    assert len(PAIRS) > 500


def text_of(name):
    return f'syntax = "proto3"; {LINE} {STATE} message Order {{ {VERSIONS[name][0]} }}'


@cache
def class_of(name):
    pool = descriptor_pool.DescriptorPool()
    pool.Add(compiled(text_of(name)))
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("Order"))


@cache
def written(name):
    return json_format.ParseDict(VERSIONS[name][1], class_of(name)()).SerializeToString()


def understands(reader, writer):
    try:
        message = class_of(reader).FromString(written(writer))
    except DecodeError:
        return False
    known = {field.number for field in message.DESCRIPTOR.fields}
    return not known & {one.field_number for one in unknown_fields.UnknownFieldSet(message)}


@cache
def parsed(name):
    return PROTOBUF_LANGUAGE.parse(text_of(name), {})


def rules(reader, writer):
    return {one.rule for one in PROTOBUF_LANGUAGE.differences(parsed(reader), parsed(writer))}


AS_BYTES = ("id as a text", "id as bytes", "several texts")
"""Bytes are text for the rules, of which the runtime takes only some."""


def test_where_nothing_differs_every_field_is_understood():
    wrong = [
        (reader, writer)
        for reader, writer in PAIRS
        if not rules(reader, writer)
        and not understands(reader, writer)
        and not (reader in AS_BYTES and writer == "id as bytes")
    ]
    assert wrong == []


def test_where_a_field_is_not_understood_something_differs():
    lost = [pair for pair in PAIRS if not understands(*pair)]
    assert len(lost) > 100
    assert [pair for pair in lost if not rules(*pair) and pair[1] != "id as bytes"] == []


TEXTS = [
    "message A { repeated map<string, int32> m = 1; }",
    "message A { optional map<string, int32> m = 1; }",
    "message A { oneof o { map<string, int32> m = 1; } }",
    "message A { oneof o { repeated int32 m = 1; } }",
    "message A { oneof o { optional int32 m = 1; } }",
    "message A { oneof o { } }",
    "message A { map<float, int32> m = 1; }",
    "message A { map<bytes, int32> m = 1; }",
    "message A { map<A, int32> m = 1; }",
    "message A { map<string, map<string, int32>> m = 1; }",
    "message A { required int32 a = 1; }",
    "message A { int32 a = 0; }",
    "message A { int32 a = -1; }",
    "message A { int32 a = 19000; }",
    "message A { int32 a = 536870912; }",
    "message A { int32 a = 1; int32 b = 1; }",
    "message A { int32 a = 1; string a = 2; }",
    "message A { int32 a = 1 }",
    "message A { int32 = 1; }",
    "message A { a = 1; }",
    "message A { int32 a = x; }",
    "message A { B b = 1; }",
    "message A { reserved 1; int32 a = 1; }",
    'message A { reserved "a"; int32 a = 1; }',
    "message A { reserved 5 to 2; }",
    "message A { int32 a = 1; oneof o { int32 a = 2; } }",
    "message A { extensions 100 to 199; }",
    "message A { int32 a = 1 [default = 5]; }",
    "message A {} message A {}",
    "message A {} enum A { Z = 0; }",
    "enum E { }",
    "enum E { ONE = 1; }",
    "enum E { Z = 0; Z = 1; }",
    "enum E { Z = 0; Y = 0; }",
    "enum E { Z = 0; Y = 4294967296; }",
    "enum E { Z = 0; } enum F { Z = 0; }",
    "message A { int32 a = 1; ",
    "message A } ",
    'import "nowhere.proto"; message A {}',
    'message A { string a = 1; } syntax = "proto3";',
    "message A { int32 a = 1 [packed = true]; }",
    "message A { repeated string a = 1 [packed = true]; }",
    "message A { group B = 1 { int32 c = 1; } }",
    "service S { rpc R (A) returns (A); }",
    "message A { optional oneof o { int32 a = 1; } }",
    "message A { int32 a = 1; message A { int32 a = 1; } A b = 2; }",
    "message A { repeated repeated int32 a = 1; }",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_protoc_refuses_is_refused(text):
    whole = f'syntax = "proto3"; {text}'
    try:
        compiled(whole)
        is_text = True
    except AssertionError:
        is_text = False
    try:
        PROTOBUF_LANGUAGE.parse(whole, {})
        is_ours = True
    except InvalidSchemaError:
        is_ours = False
    assert is_ours is is_text
