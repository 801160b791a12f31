"""Requests that are whole and say nothing, or the same twice, or numbers at their ends.

    hollow       every array empty, every text empty, every number 0
    null         every field that may be null is
    doubled      two equal elements in every array, all the way down
    highest      an element in every array, and every number as high as its type goes
    lowest       the same, as low as it goes

A program that looks at the first topic of a request, or counts what it names, falls over one of
these (CVE-2026-83525 was the first of them, for FetchSnapshot).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from moldau.broker.server.apis import versions_of
from moldau.protocol.messages.headers import RequestHeader
from moldau.protocol.messages.index import APIS
from moldau.protocol.wire.construct import blank
from moldau.protocol.wire.fields import Field, fields_of
from moldau.protocol.wire.frame import request_header_version
from moldau.protocol.wire.types import NULL_UUID, Array, Primitive, StructOf, WireType
from tests.floods.drawn_frames import COUNTS, PATIENCE, PATIENCE_MS, TARGET
from tests.protocol.messages.plain_encoder import encode_plainly
from tests.protocol.messages.random_messages import INTEGERS

SHAPES = ("hollow", "null", "doubled", "highest", "lowest")
ELEMENTS = {"hollow": 0, "null": 0, "doubled": 2, "highest": 1, "lowest": 1}


def hollow_frames(apis: Mapping[int, str], left_alone: frozenset[int]) -> Iterator[bytes]:
    """One of each shape for every API in its first and last version; without their sizes."""
    for api in APIS:
        if api.key in apis and api.key not in left_alone:
            versions = list(versions_of(api.key))
            for version in {versions[0], versions[-1]}:
                for shape in SHAPES:
                    yield frame_of(api.request, version, shape)


def frame_of(cls: Any, version: int, shape: str) -> bytes:
    header = RequestHeader(
        request_api_key=cls.KEY, request_api_version=version, correlation_id=1, client_id=shape
    )
    head, _ = encode_plainly(header, request_header_version(cls, version))
    body, _ = encode_plainly(struct_of(cls, version, shape), version)
    return head + body


def struct_of(cls: type, version: int, shape: str) -> Any:
    made = blank(cls)
    for field in fields_of(cls):
        if version in field.versions:
            setattr(made, field.name, value_of(field, field.type, version, shape))
    return made


def value_of(field: Field, wire_type: WireType, version: int, shape: str) -> Any:
    if shape == "null" and version in field.nullable and wire_type is field.type:
        return None
    match wire_type:
        case Array(of):
            return [value_of(field, of, version, shape) for _ in range(ELEMENTS[shape])]
        case StructOf(cls):
            return struct_of(cls, version, shape)
        case Primitive(name):
            return leaf(field.name, name, shape)


def leaf(field_name: str, name: str, shape: str) -> object:
    if name in INTEGERS:
        bits, signed = INTEGERS[name]
        return number(field_name, bits - signed, shape)
    kinds: dict[str, object] = {
        "string": TARGET if ELEMENTS[shape] else "",
        "uuid": NULL_UUID,
        "bool": ELEMENTS[shape] > 0,
        "float64": float("inf") if shape == "highest" else 0.0,
    }
    return kinds.get(name, b"")


def number(field_name: str, bits: int, shape: str) -> int:
    """Nothing is promised of a wait for 25 days, nor of two thousand million partitions."""
    if field_name in PATIENCE:
        return PATIENCE_MS
    if field_name in COUNTS:
        return 1
    signed = bits % 8 != 0
    ends = {"highest": (1 << bits) - 1, "lowest": -(1 << bits) if signed else 0}
    return ends.get(shape, 0)
