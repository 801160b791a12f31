"""Whether a reader with one Avro schema can read what was written with another one.

The rules are those of schema resolution in Avro's specification; their names and the paths are
those that Java's checker gives, which registries print. A pair of records that is being compared
already is taken to fit, so that records that hold themselves come to an end.
"""

from __future__ import annotations

from typing import Final

from moldau.schemas.avro.types import AvroField, AvroType
from moldau.schemas.parsed import Difference

__all__ = ["avro_differences"]

PROMOTIONS: Final = {
    "long": ("int",),
    "float": ("int", "long"),
    "double": ("int", "long", "float"),
    "string": ("bytes",),
    "bytes": ("string",),
}


def avro_differences(reader: AvroType, writer: AvroType) -> list[Difference]:
    return _Comparison().compare(reader, writer, "")


class _Comparison:
    def __init__(self) -> None:
        self._known: dict[tuple[int, int], list[Difference]] = {}

    def compare(self, reader: AvroType, writer: AvroType, path: str) -> list[Difference]:
        pair = (id(reader), id(writer))
        if pair in self._known:
            return self._known[pair]
        self._known[pair] = []
        found = self._compare(reader, writer, path)
        self._known[pair] = found
        return found

    def _compare(self, reader: AvroType, writer: AvroType, path: str) -> list[Difference]:
        if writer.kind == "union":
            return self._from_union(reader, writer, path)
        if reader.kind == "union":
            return self._into_union(reader, writer, path)
        if reader.kind != writer.kind:
            if writer.kind in PROMOTIONS.get(reader.kind, ()):
                return []
            return [_mismatch(reader, writer, path)]
        match reader.kind:
            case "array":
                return self.compare(reader.items, writer.items, f"{path}/items")
            case "map":
                return self.compare(reader.items, writer.items, f"{path}/values")
            case "fixed" | "enum" | "record" | "error":
                return _name(reader, writer, path) + self._named(reader, writer, path)
            case _:
                return []

    def _from_union(self, reader: AvroType, writer: AvroType, path: str) -> list[Difference]:
        found: list[Difference] = []
        for index, branch in enumerate(writer.branches):
            if reader.kind == "union":
                found += self._into_union(reader, branch, f"{path}/{index}")
            else:
                found += self.compare(reader, branch, path)
        return found

    def _into_union(self, reader: AvroType, writer: AvroType, path: str) -> list[Difference]:
        if any(not self.compare(branch, writer, path) for branch in reader.branches):
            return []
        text = (
            f"The new schema has a union at path '{path or '/'}' that lacks the type "
            f"{writer.shown} of the old schema"
        )
        missing = f"reader union lacking writer type: {writer.shown.upper()}"
        return [Difference("MISSING_UNION_BRANCH", path or "/", text, missing)]

    def _named(self, reader: AvroType, writer: AvroType, path: str) -> list[Difference]:
        if reader.kind == "fixed":
            return _size(reader, writer, path)
        if reader.kind == "enum":
            return _symbols(reader, writer, path)
        found: list[Difference] = []
        for index, field in enumerate(reader.fields):
            place = f"{path}/fields/{index}"
            old = _written_field(field, writer)
            if old is not None:
                found += self.compare(field.type, old.type, f"{place}/type")
            elif not field.has_default and field.type.default is None:
                found.append(_no_default(field, place))
        return found


def _written_field(field: AvroField, writer: AvroType) -> AvroField | None:
    names = (field.name, *field.aliases)
    return next((old for name in names for old in writer.fields if old.name == name), None)


def _no_default(field: AvroField, path: str) -> Difference:
    text = (
        f"The field '{field.name}' at path '{path}' in the new schema has no default value and is "
        "missing in the old schema"
    )
    return Difference("READER_FIELD_MISSING_DEFAULT_VALUE", path, text, field.name)


def _mismatch(reader: AvroType, writer: AvroType, path: str) -> Difference:
    text = (
        f"The type (path '{path or '/'}') of a field in the new schema does not match with the "
        "old schema"
    )
    info = (
        f"reader type: {reader.kind.upper()} not compatible with writer type: {writer.kind.upper()}"
    )
    return Difference("TYPE_MISMATCH", path or "/", text, info)


def _name(reader: AvroType, writer: AvroType, path: str) -> list[Difference]:
    if reader.name == writer.name or writer.full_name in reader.aliases:
        return []
    place = f"{path}/name"
    text = f"The name of the schema has changed (path '{place}')"
    return [Difference("NAME_MISMATCH", place, text, f"expected: {writer.full_name}")]


def _size(reader: AvroType, writer: AvroType, path: str) -> list[Difference]:
    if reader.size == writer.size:
        return []
    place = f"{path}/size"
    text = (
        f"The size of FIXED type field at path '{place}' in the new schema does not match with the "
        "old schema"
    )
    info = f"expected: {writer.size}, found: {reader.size}"
    return [Difference("FIXED_SIZE_MISMATCH", place, text, info)]


def _symbols(reader: AvroType, writer: AvroType, path: str) -> list[Difference]:
    missing = [symbol for symbol in writer.symbols if symbol not in reader.symbols]
    if not missing or reader.default is not None:
        return []
    place = f"{path}/symbols"
    text = f"The new schema is missing enum symbols '[{', '.join(missing)}]' at path '{place}'"
    return [Difference("MISSING_ENUM_SYMBOLS", place, text, f"[{', '.join(missing)}]")]
