"""What may follow leaves no field unread: drawn pairs, compiled by protoc and read by its runtime.

An oneof, and a field that is read as another one of it, lose values by design; these have tests of
their own in test_wire_rules.
"""

from __future__ import annotations

import pytest
from google.protobuf import descriptor_pool, message_factory, unknown_fields
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from moldau.schemas.protobuf.declarations import SCALARS
from moldau.schemas.protobuf.language import PROTOBUF_LANGUAGE
from moldau.schemas.protobuf.wire_rules import ALIKE
from tests.schemas.protobuf.sources import compiled

HEAD = 'syntax = "proto3"; enum E { Z = 0; ONE = 1; } message M { int32 x = 1; string y = 2; }'
MAPS = ("map<string, int32>", "map<int64, M>")
SINGLE = (*sorted(SCALARS), "E", "M")
KINDS = (
    *SINGLE,
    *(f"{label} {kind}" for label in ("optional", "repeated") for kind in SINGLE),
    *MAPS,
)
VALUES = {"string": "ü1", "bytes": b"1\x80", "bool": True, "E": 1, "M": {"x": 1, "y": "1"}}
TWICE = 2
Shape = dict[int, str]
SHAPES = st.dictionaries(st.integers(1, 4), st.sampled_from(KINDS), min_size=1)


def relatives(kind: str) -> list[str]:
    """It, and those with which it is most likely to change places; a map has no label."""
    if kind in MAPS:
        return [kind]
    label, _, bare = kind.rpartition(" ")
    group = next((group for group in ALIKE if bare in group), (bare,))
    return [f"{name} {one}".strip() for name in (label, "repeated") for one in group] + [kind]


@st.composite
def pairs(draw) -> tuple[Shape, Shape]:
    """A reader, and the writer whose fields it has changed, left out or added to."""
    writer = draw(SHAPES)
    kept = {n: draw(st.sampled_from(relatives(kind))) for n, kind in writer.items()}
    return {**draw(st.dictionaries(st.integers(3, 6), st.sampled_from(KINDS))), **kept}, writer


def text_of(shape: Shape) -> str:
    fields = " ".join(f"{kind} f{number} = {number};" for number, kind in sorted(shape.items()))
    return f"{HEAD} message A {{ {fields} }}"


def class_of(text):
    pool = descriptor_pool.DescriptorPool()
    pool.Add(compiled(text))
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("A"))


def value_of(kind: str):
    """One that is not the default: that is not written."""
    if kind.startswith("map"):
        return {"k": 1} if "string" in kind else {7: VALUES["M"]}
    label, _, bare = kind.rpartition(" ")
    value = VALUES.get(bare, 1)
    return [value] * TWICE if label == "repeated" else value


def lost(reader: Shape, data: bytes) -> set[int]:
    """Fields that the reader has, and did not understand."""
    message = class_of(text_of(reader)).FromString(data)
    return {field.field_number for field in unknown_fields.UnknownFieldSet(message)} & reader.keys()


def differ(reader: Shape, writer: Shape) -> bool:
    parse = PROTOBUF_LANGUAGE.parse
    return bool(
        PROTOBUF_LANGUAGE.differences(parse(text_of(reader), {}), parse(text_of(writer), {}))
    )


@pytest.mark.judge
@settings(max_examples=60)
@given(pairs())
def test_what_may_follow_reads_every_field_that_it_has(pair):
    reader, writer = pair
    if differ(reader, writer):
        return
    values = {f"f{number}": value_of(kind) for number, kind in writer.items()}
    written = class_of(text_of(writer))(**values).SerializeToString()
    try:
        assert lost(reader, written) == set()
    except DecodeError:
        # Text is bytes on the wire: only some of them are text.
        assert any("string" in reader[n] and "bytes" in writer.get(n, "") for n in reader)


@pytest.mark.judge
@settings(max_examples=60)
@given(st.integers(1, 4), st.sampled_from(KINDS), st.sampled_from(KINDS))
def test_what_is_written_in_another_way_may_not_follow(number, new, old):
    written = class_of(text_of({number: old}))(**{f"f{number}": value_of(old)}).SerializeToString()
    try:
        is_read = not lost({number: new}, written)
    except DecodeError:
        is_read = False
    if not is_read and ("string" not in new or "bytes" not in old):
        assert differ({number: new}, {number: old})
