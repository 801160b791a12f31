"""Avro written by one schema and read by another: the specification's schema resolution.

What the reader's schema does not have is read and left out; what the writer's does not have takes
its default; numbers widen. Whether two schemas fit is asked of `reading_rules`, which names what
does not. Where one branch of the writer's union does not fit, only its values are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

from moldau.schemas.avro.decoding import (
    TOO_SHORT,
    AvroDecoder,
    Read,
    Readers,
    array_reader,
    converted,
    enum_reader,
    fixed_reader,
    map_reader,
    union_reader,
)
from moldau.schemas.avro.default_values import default_value
from moldau.schemas.avro.reading_rules import avro_differences
from moldau.schemas.avro.types import AvroField, AvroType
from moldau.schemas.data_errors import DataError

__all__ = ["avro_decoder"]

CONVERSIONS: Final[dict[tuple[str, str], Callable[[Any], Any]]] = {
    ("int", "float"): float,
    ("int", "double"): float,
    ("long", "float"): float,
    ("long", "double"): float,
    ("bytes", "string"): lambda data: data.decode(),
    ("string", "bytes"): lambda text: text.encode(),
}


def avro_decoder(writer: AvroType, reader: AvroType | None = None) -> AvroDecoder:
    """Reads what `writer` wrote, as `reader` has it where one is given."""
    if reader is None:
        return Readers().decoder_of(writer)
    resolver = _Resolver()
    return AvroDecoder(resolver.of(writer, reader), resolver.empty)


class _Resolver:
    """Keeps the pairs of records, which may hold themselves."""

    def __init__(self) -> None:
        self._readers = Readers()
        self.empty = self._readers.empty
        self._known: dict[tuple[int, int], Read] = {}

    def of(self, writer: AvroType, reader: AvroType) -> Read:
        if writer.kind == "union":
            return union_reader([self.of(branch, reader) for branch in writer.branches])
        if reader.kind == "union":
            return self._into_union(writer, reader)
        return converted(self._plain(writer, reader), reader)

    def _into_union(self, writer: AvroType, reader: AvroType) -> Read:
        fitting = [one for one in reader.branches if not avro_differences(one, writer)]
        if not fitting:
            return _refusing(f"{writer.shown} is none of the reader's union")
        same = next((one for one in fitting if one.shown == writer.shown), fitting[0])
        return self.of(writer, same)

    def _plain(self, writer: AvroType, reader: AvroType) -> Read:
        known = self._known.get((id(writer), id(reader)))
        if known is not None:
            return known
        if writer.kind == reader.kind:
            return self._same(writer, reader)
        if avro_differences(reader, writer):
            return _refusing(f"{writer.shown} cannot be read as {reader.shown}")
        convert = CONVERSIONS.get((writer.kind, reader.kind))
        read = self._readers.without_logical(writer)
        return read if convert is None else _converting(read, convert)

    def _same(self, writer: AvroType, reader: AvroType) -> Read:
        match reader.kind:
            case "record" | "error":
                return self._record(writer, reader)
            case "array":
                return array_reader(self.of(writer.items, reader.items), self.empty)
            case "map":
                return map_reader(self.of(writer.items, reader.items))
            case "enum":
                return _enum(writer, reader)
            case "fixed":
                if writer.size != reader.size:
                    return _refusing(f"{reader.shown} has another size")
                return fixed_reader(writer.size)
            case _:
                return self._readers.without_logical(writer)

    def _record(self, writer: AvroType, reader: AvroType) -> Read:
        if reason := _why_not(writer, reader):
            return _refusing(reason)
        steps: list[tuple[str, bool, Read]] = []
        missing: list[tuple[str, Any]] = []
        read = _record_reader(steps, missing)
        self._known[id(writer), id(reader)] = read
        wanted = _fields_by_written_name(writer, reader)
        for field in writer.fields:
            into = wanted.get(field.name)
            if into is None:
                steps.append((field.name, False, self._readers.of(field.type)))
            else:
                steps.append((into.name, True, self.of(field.type, into.type)))
        written = {field.name for field in wanted.values()}
        missing += [
            (field.name, default_value(field.type, field.default))
            for field in reader.fields
            if field.name not in written
        ]
        return read


def _record_reader(steps: list[tuple[str, bool, Read]], missing: list[tuple[str, Any]]) -> Read:
    """Both lists are filled later: a record may hold itself."""

    def read(data: bytes, at: int) -> tuple[Any, int]:
        found: dict[str, Any] = {}
        name = ""
        try:
            for name, is_wanted, read_field in steps:
                value, at = read_field(data, at)
                if is_wanted:
                    found[name] = value
        except DataError as error:
            raise error.under(name) from None
        except IndexError:
            raise DataError(TOO_SHORT, name) from None
        for name, default in missing:
            found[name] = deepcopy(default)
        return found, at

    return read


def _why_not(writer: AvroType, reader: AvroType) -> str:
    """Why no record of these two can be read; empty where it depends on each field."""
    if reader.name != writer.name and writer.full_name not in reader.aliases:
        return f"{writer.shown} cannot be read as {reader.shown}"
    wanted = _fields_by_written_name(writer, reader)
    found = {field.name for field in wanted.values()}
    lacking = [one.name for one in reader.fields if one.name not in found and not one.has_default]
    return f"{lacking[0]} was not written and has no default" if lacking else ""


def _fields_by_written_name(writer: AvroType, reader: AvroType) -> dict[str, AvroField]:
    """A field is found by its own name first, then by its aliases."""
    names = {field.name for field in writer.fields}
    found: dict[str, AvroField] = {}
    for field in reader.fields:
        name = next((one for one in (field.name, *field.aliases) if one in names), None)
        if name is not None:
            found[name] = field
    return found


def _enum(writer: AvroType, reader: AvroType) -> Read:
    """A symbol that the reader does not have is its default."""
    known = set(reader.symbols)
    read = enum_reader(writer.symbols, writer.shown)

    def resolved(symbol: str) -> str:
        if symbol in known:
            return symbol
        if reader.default is None:
            raise DataError(f"{reader.shown} has no symbol {symbol}")
        return reader.default

    return _converting(read, resolved)


def _converting(read: Read, convert: Callable[[Any], Any]) -> Read:
    def read_converted(data: bytes, at: int) -> tuple[Any, int]:
        value, at = read(data, at)
        try:
            return convert(value), at
        except UnicodeDecodeError:
            raise DataError("the bytes are no text in UTF-8") from None

    return read_converted


def _refusing(reason: str) -> Read:
    def read(data: bytes, at: int) -> tuple[Any, int]:
        raise DataError(reason)

    return read
