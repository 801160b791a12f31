"""A struct's fields with their annotations read: what every codec, test and document works from."""

from __future__ import annotations

import sys
import types
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin

from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.declaration import UNSET, At
from moldau.protocol.wire.types import Array, Entity, Primitive, StructOf, WireType
from moldau.protocol.wire.versions import NONE, Versions


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a struct, in all the versions it has ever had."""

    name: str
    type: WireType
    versions: Versions
    tag: int | None
    tagged: Versions
    """Where it is a tagged field; `NONE` for one that never is."""
    nullable: Versions
    default: object
    """None for null; a list or struct default is always the empty one and shows as UNSET."""
    ignorable: bool
    map_key: bool
    flexible: bool
    entity: str | None
    slot: str
    """Where the value lies: under its name, or behind an `UnseenDefault`."""

    @property
    def is_unseen(self) -> bool:
        """Whether None in the slot stands for a default struct."""
        return self.slot != self.name


@cache
def fields_of(cls: type) -> tuple[Field, ...]:
    """The fields of a struct class in wire order."""
    hints = _hints(cls)
    declared: dict[str, At] = vars(cls)["DECLARED"]
    return tuple(_field(cls, name, hints[name], place) for name, place in declared.items())


def _hints(cls: type) -> dict[str, Any]:
    """What the annotations mean, each text read once; `get_type_hints` takes five times as long."""
    scope, own = vars(sys.modules[cls.__module__]), dict(vars(cls))
    texts = cls.__annotations__
    meanings = {text: _meaning(text, scope, own) for text in set(texts.values())}
    return {name: meanings[text] for name, text in texts.items()}


def _meaning(text: str, scope: dict[str, Any], own: dict[str, Any]) -> Any:
    if text in own or text in scope:  # one name, as most are: to compile it takes twenty times that
        return own.get(text, scope.get(text))
    return eval(text, scope, own)  # noqa: S307  # our own


def _field(cls: type, name: str, hint: Any, place: At) -> Field:
    hint, nullable = _without_none(hint)
    wire_type, entity = _wire_type(hint)
    return Field(
        name=name,
        type=wire_type,
        versions=place.versions,
        tag=place.tag,
        tagged=NONE if place.tag is None else place.tagged.within(place.versions),
        nullable=place.nullable if nullable else NONE,
        default=_default(wire_type, place.default),
        ignorable=place.ignorable,
        map_key=place.map_key,
        flexible=place.flexible,
        entity=entity,
        slot=getattr(vars(cls).get(name), "slot", name),
    )


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) not in (Union, types.UnionType):
        return hint, False
    real = [part for part in get_args(hint) if part is not types.NoneType]
    assert len(real) == 1, f"{hint} is no Kafka type"
    return real[0], True


def _wire_type(hint: Any) -> tuple[WireType, str | None]:
    if get_origin(hint) is list:
        element, entity = _wire_type(get_args(hint)[0])
        return Array(element), entity
    if get_origin(hint) is Annotated:
        _, primitive, *rest = get_args(hint)
        assert isinstance(primitive, Primitive)
        return primitive, next((str(e) for e in rest if isinstance(e, Entity)), None)
    assert hasattr(hint, "DECLARED"), f"{hint} is no Kafka type"
    return StructOf(hint), None


def _default(wire_type: WireType, declared: object) -> object:
    if declared is UNSET and isinstance(wire_type, Primitive):
        return wire_type.zero
    return declared
