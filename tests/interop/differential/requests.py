"""Requests of every API and version, drawn so that most of them mean something.

A field's value is drawn from what is interesting for its name, or for the kind of thing that it
names; what was not thought of is drawn by type. Ids that differ from node to node are aliases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.index import APIS
from moldau.protocol.wire.construct import blank
from moldau.protocol.wire.fields import Field, fields_of
from moldau.protocol.wire.schema import Message, Request
from moldau.protocol.wire.types import Array, Primitive, StructOf, WireType
from tests.interop.differential.values import BY_API, BY_NAME, EXCLUDED, KEPT_DEFAULT, Draw

ELEMENTS_MOST = 3
TWICE = 0.02
"""How often a list may name the same thing twice."""
IDENTITIES = ("name", "topic", "topic_id", "partition", "partition_index", "index", "group_id")


def random_request(
    random: SeededRandom,
    request: type[Message],
    version: int,
    draws: Mapping[str, Draw] | None = None,
) -> Request:
    """`draws` by the names of fields, where the usual ones are not meant."""
    name = request.__name__.removesuffix("Request")
    special = BY_API.get(name, {}) if draws is None else draws
    made = _Filler(random, version, special).struct(request)
    assert isinstance(made, Request)
    return made


def api_versions() -> Iterator[tuple[type[Message], int]]:
    """Every API that a broker's listener serves, in every stable version."""
    for api in APIS:
        if api.name in EXCLUDED or "broker" not in api.request.LISTENERS:
            continue
        unstable = 6 if api.name == "InitProducerId" else None
        for version in api.request.VERSIONS.each():
            if version != unstable:
                yield api.request, version


class _Filler:
    def __init__(self, random: SeededRandom, version: int, special: Mapping[str, Draw]) -> None:
        self._random = random
        self._version = version
        self._special = special

    def struct(self, cls: type) -> Any:
        made = blank(cls)
        for field in fields_of(cls):
            if self._version in field.versions:
                setattr(made, field.name, self._field(made, field))
        return made

    def _field(self, made: Any, field: Field) -> Any:
        draw: Draw | None = self._special.get(field.name) or BY_NAME.get(field.name)
        can_be_null = self._version in field.nullable
        if draw is not None:
            drawn = draw(self._random)
            return drawn if drawn is not None or can_be_null else getattr(made, field.name)
        if can_be_null and self._random.random() < 0.2:
            return None
        if field.name in KEPT_DEFAULT:
            return getattr(made, field.name)
        return self._value(field.type)

    def _value(self, wire_type: WireType) -> Any:
        random = self._random
        match wire_type:
            case Array(of):
                count = random.choice((0, 1, 1, 1, 2, ELEMENTS_MOST))
                items = [self._value(of) for _ in range(count)]
                return items if random.random() < TWICE else list(_each_once(items))
            case StructOf(cls):
                return self.struct(cls)
            case Primitive(name="string"):
                return random.choice(("", "a", "something"))
            case Primitive(name="bool"):
                return random.random() < 0.5
            case Primitive(name="uuid"):
                return random.choice((bytes(16), b"\x05" * 16))
            case Primitive(name="bytes" | "records"):
                return random.choice((b"", b"x"))
            case Primitive(name="float64"):
                return random.choice((0.0, 1.0, 100.0))
            case _:
                return random.choice((0, 0, 1, 1, 2, -1))


def _each_once(items: list[Any]) -> Iterator[Any]:
    seen = set()
    for item in items:
        identity = _identity(item)
        if identity not in seen:
            seen.add(identity)
            yield item


def _identity(item: Any) -> str:
    if hasattr(item, "unknown_tags"):
        return str([getattr(item, name, None) for name in IDENTITIES])
    return str(item)
