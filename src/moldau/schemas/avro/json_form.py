"""Avro's JSON, as its specification has it, where values come and go as text.

A value of a union is null, or an object of one name: that of its branch. Bytes are text, one
character for each byte, and logical types stay what is below them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from moldau.schemas.avro.decoding import (
    PRIMITIVE,
    AvroDecoder,
    Read,
    Readers,
    fixed_reader,
    union_reader,
)
from moldau.schemas.avro.types import AvroType
from moldau.schemas.data_errors import DataError

__all__ = ["avro_json_decoder", "avro_of_json"]

Change: TypeAlias = Callable[[Any], Any]
NO_NUMBERS: Final = ("NaN", "Infinity", "-Infinity")
"""Floats that JSON has no number for."""


def avro_of_json(kind: AvroType) -> Change:
    """What turns the JSON of a value into the value that an encoder takes; or `DataError`."""
    return _Changes().of(kind)


def avro_json_decoder(kind: AvroType) -> AvroDecoder:
    """From bytes to the JSON of their value."""
    return _JsonReaders().decoder_of(kind)


class _Changes:
    """Keeps those of named types, which may hold themselves."""

    def __init__(self) -> None:
        self._known: dict[int, Change] = {}

    def of(self, kind: AvroType) -> Change:
        known = self._known.get(id(kind))
        if known is not None:
            return known
        match kind.kind:
            case "record" | "error":
                return self._record(kind)
            case "union":
                return _tagged({one.shown: self.of(one) for one in kind.branches})
            case "array":
                return _each(self.of(kind.items))
            case "map":
                return _each_value(self.of(kind.items))
            case "bytes" | "fixed":
                return _bytes_of_text
            case "float" | "double":
                return _number_of_text
            case _:
                return _same

    def _record(self, kind: AvroType) -> Change:
        fields: dict[str, Change] = {}

        def change(value: Any) -> Any:
            if not isinstance(value, Mapping):
                return value
            found = {}
            for name, given in value.items():
                if name not in fields:
                    raise DataError(f"{kind.shown} has no such field", name)
                found[name] = _under(name, fields[name], given)
            return found

        self._known[id(kind)] = change
        for field in kind.fields:
            fields[field.name] = self.of(field.type)
        return change


def _under(name: str, change: Change, value: Any) -> Any:
    """Changed; an error names where."""
    try:
        return change(value)
    except DataError as error:
        raise error.under(name) from None


def _tagged(branches: Mapping[str, Change]) -> Change:
    names = ", ".join(branches)

    def change(value: Any) -> Any:
        if value is None and "null" in branches:
            return "null", None
        if not isinstance(value, Mapping) or len(value) != 1:
            raise DataError(f"a value of a union is an object of one name, of {names}")
        [(name, given)] = value.items()
        if name not in branches:
            raise DataError(f"{name} is no branch of the union: there are {names}")
        return name, _under(name, branches[name], given)

    return change


def _each(change_item: Change) -> Change:
    def change(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [_under(str(index), change_item, one) for index, one in enumerate(value)]

    return change


def _each_value(change_item: Change) -> Change:
    def change(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        return {name: _under(name, change_item, one) for name, one in value.items()}

    return change


def _bytes_of_text(value: Any) -> Any:
    if not isinstance(value, str):
        raise DataError("bytes are text, one character for each")
    try:
        return value.encode("latin-1")
    except UnicodeEncodeError:
        raise DataError("bytes have a character above U+00FF") from None


def _number_of_text(value: Any) -> Any:
    return float(value) if isinstance(value, str) and value in NO_NUMBERS else value


def _same(value: Any) -> Any:
    """What JSON has as it is; the encoder refuses what is of another type."""
    return value


class _JsonReaders(Readers):
    """Without logical types, and with the names of branches."""

    def of(self, kind: AvroType) -> Read:
        match kind.kind:
            case "bytes":
                return _changed(PRIMITIVE["bytes"], _text_of_bytes)
            case "fixed":
                return _changed(fixed_reader(kind.size), _text_of_bytes)
            case "float" | "double":
                return _changed(PRIMITIVE[kind.kind], _json_of_number)
            case "union":
                return union_reader([self._named(branch) for branch in kind.branches])
            case _:
                return self.without_logical(kind)

    def _named(self, branch: AvroType) -> Read:
        read, name = self.of(branch), branch.shown
        return read if branch.kind == "null" else _changed(read, lambda value: {name: value})


def _changed(read: Read, change: Change) -> Read:
    def read_changed(data: bytes, at: int) -> tuple[Any, int]:
        value, at = read(data, at)
        return change(value), at

    return read_changed


def _text_of_bytes(data: bytes) -> str:
    return data.decode("latin-1")


def _json_of_number(value: float) -> Any:
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"
