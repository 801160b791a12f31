"""JSON to Avro's types, by the rules of its specification as Java's parser holds them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from moldau.schemas.avro.defaults import is_default_of
from moldau.schemas.avro.names import ensure_name, split_name
from moldau.schemas.avro.types import MISSING, NAMED, PRIMITIVES, AvroField, AvroType
from moldau.schemas.model import InvalidSchemaError

__all__ = ["AvroParser", "parse_avro"]

DEPTH_MAX: Final = 200
RESERVED: Final = frozenset(
    ("type", "name", "namespace", "doc", "aliases", "fields", "symbols", "size", "items", "values")
)
FIELD_RESERVED: Final = frozenset(("name", "type", "doc", "default", "order", "aliases"))
ORDERS: Final = ("ascending", "descending", "ignore")


class AvroParser:
    """Keeps the types that have names, for those that refer to them.

    Of a schema that is new, names and defaults are checked too; others are taken as they are.
    """

    def __init__(self, *, as_new: bool = True) -> None:
        self._as_new = as_new
        self.names: dict[str, AvroType] = {}
        self._depth = 0

    def parse(self, value: object, space: str = "") -> AvroType:
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise InvalidSchemaError(f"The schema is nested more than {DEPTH_MAX} deep")
        try:
            return self._parse(value, space)
        finally:
            self._depth -= 1

    def _parse(self, value: object, space: str) -> AvroType:
        match value:
            case str():
                return self._named(value, space)
            case list():
                return self._union(value, space)
            case dict():
                return self._object(value, space)
            case _:
                raise InvalidSchemaError(f"No type: {json.dumps(value)}")

    def _named(self, name: str, space: str) -> AvroType:
        if name in PRIMITIVES:
            return AvroType(name)
        inside = f"{space}.{name}" if space and "." not in name else name
        found = self.names.get(inside) or self.names.get(name)
        if found is None:
            raise InvalidSchemaError(f'Undefined name: "{inside}"')
        return found

    def _union(self, values: list[Any], space: str) -> AvroType:
        union = AvroType("union")
        union.branches = [self.parse(value, space) for value in values]
        seen: set[str] = set()
        for branch in union.branches:
            if branch.kind == "union":
                raise InvalidSchemaError("Nested union: a union may not hold another one directly")
            if branch.shown in seen:
                raise InvalidSchemaError(f"Duplicate in union: {branch.shown}")
            seen.add(branch.shown)
        return union

    def _object(self, value: dict[str, Any], space: str) -> AvroType:
        kind = value.get("type")
        if isinstance(kind, dict | list):
            return self.parse(kind, space)
        if not isinstance(kind, str):
            raise InvalidSchemaError(f"No type: {json.dumps(value)[:200]}")
        if kind in NAMED:
            found = self._define(kind, value, space)
        elif kind in ("array", "map"):
            found = self._collection(kind, value, space)
        elif kind in PRIMITIVES:
            found = AvroType(kind)
        else:
            return self._named(kind, space)
        reserved = RESERVED | {"default"} if kind == "enum" else RESERVED
        found.properties = {name: item for name, item in value.items() if name not in reserved}
        return found

    def _collection(self, kind: str, value: dict[str, Any], space: str) -> AvroType:
        key = "items" if kind == "array" else "values"
        if key not in value:
            raise InvalidSchemaError(f"No {key} type: {json.dumps(value)[:200]}")
        found = AvroType(kind)
        found.items = self.parse(value[key], space)
        return found

    def _define(self, kind: str, value: dict[str, Any], space: str) -> AvroType:
        name, own_space = split_name(
            value.get("name"), value.get("namespace"), space, as_new=self._as_new
        )
        found = AvroType(kind, name, own_space)
        if name in PRIMITIVES and not own_space:
            raise InvalidSchemaError(f"Schemas may not be named after primitives: {name}")
        if found.full_name in self.names:
            raise InvalidSchemaError(f"Can't redefine: {found.full_name}")
        found.doc = value.get("doc") if isinstance(value.get("doc"), str) else None
        found.aliases = tuple(
            alias if "." in alias or not own_space else f"{own_space}.{alias}"
            for alias in _texts(value, "aliases")
        )
        self.names[found.full_name] = found
        if kind == "enum":
            _read_symbols(found, value, as_new=self._as_new)
        elif kind == "fixed":
            _read_size(found, value)
        else:
            self._read_fields(found, value)
        return found

    def _read_fields(self, record: AvroType, value: dict[str, Any]) -> None:
        fields = value.get("fields")
        if not isinstance(fields, list):
            raise InvalidSchemaError(f"Record has no fields: {record.full_name}")
        seen: set[str] = set()
        for one in fields:
            if not isinstance(one, dict):
                raise InvalidSchemaError(f"A field of {record.full_name} is no object: {one!r}")
            field = self._field(one, record)
            if field.name in seen:
                raise InvalidSchemaError(
                    f"Duplicate field {field.name} in record {record.full_name}"
                )
            seen.add(field.name)
            record.fields.append(field)

    def _field(self, value: dict[str, Any], record: AvroType) -> AvroField:
        what = f"a field of {record.full_name}"
        name = ensure_name(value.get("name"), what, as_new=self._as_new)
        if "type" not in value:
            raise InvalidSchemaError(f"No field type: {record.full_name}.{name}")
        found = AvroField(name, self.parse(value["type"], record.space))
        found.doc = value.get("doc") if isinstance(value.get("doc"), str) else None
        found.aliases = _texts(value, "aliases")
        found.default = value.get("default", MISSING)
        found.order = value.get("order", "ascending")
        if found.order not in ORDERS:
            raise InvalidSchemaError(f"{name} has an unknown order: {found.order!r}")
        found.properties = {key: item for key, item in value.items() if key not in FIELD_RESERVED}
        if self._as_new:
            _check_default(found)
        return found


def _check_default(field: AvroField) -> None:
    if field.has_default and not is_default_of(field.type, field.default):
        shown = f"{json.dumps(field.default)} not a {field.type.shown}"
        raise InvalidSchemaError(f"Invalid default for field {field.name}: {shown}")


def _read_symbols(enum: AvroType, value: dict[str, Any], *, as_new: bool) -> None:
    if not isinstance(value.get("symbols"), list):
        raise InvalidSchemaError(f"Enum has no symbols: {enum.full_name}")
    enum.symbols = [
        ensure_name(one, f"a symbol of {enum.full_name}", as_new=as_new)
        for one in _texts(value, "symbols")
    ]
    if len(set(enum.symbols)) < len(enum.symbols):
        raise InvalidSchemaError(f"Duplicate enum symbol in {enum.full_name}")
    default = value.get("default")
    if default is not None and default not in enum.symbols:
        raise InvalidSchemaError(f"The Enum Default: {default} is not in the enum symbol set")
    enum.default = default


def _read_size(fixed: AvroType, value: dict[str, Any]) -> None:
    size = value.get("size")
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise InvalidSchemaError(f"Invalid or no size: {fixed.full_name}")
    fixed.size = size


def _texts(value: dict[str, Any], key: str) -> tuple[str, ...]:
    found = value.get(key, ())
    if not isinstance(found, list | tuple) or not all(isinstance(one, str) for one in found):
        raise InvalidSchemaError(f"{key} has to be a list of texts, and is {json.dumps(found)}")
    return tuple(found)


def parse_avro(
    text: str, references: Mapping[str, str], *, as_new: bool = True
) -> tuple[AvroType, frozenset[str]]:
    """The type that `text` declares, and the names that its references bring with them."""
    parser = AvroParser(as_new=as_new)
    for name, referenced in references.items():
        try:
            parser.parse(_loaded(referenced))
        except InvalidSchemaError as error:
            raise InvalidSchemaError(f"The reference {name}: {error}") from None
    brought = frozenset(parser.names)
    return parser.parse(_loaded(text)), brought


def _loaded(text: str) -> object:
    bare = text.strip()
    if bare in PRIMITIVES:
        return bare
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidSchemaError(f"The schema is not JSON: {error}") from None
    return found
