"""A descriptor to text: the same text for all that mean the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from google.protobuf import descriptor_pb2

from moldau.schemas.protobuf.declarations import NUMBER_MAX, SCALARS

__all__ = ["proto_text"]

Proto = Any
Field = descriptor_pb2.FieldDescriptorProto
NAMES: Final = {number: name for name, number in SCALARS.items()}
INDENT: Final = "  "


def proto_text(file: Proto) -> str:
    lines = [f'syntax = "{file.syntax or "proto2"}";']
    if file.package:
        lines.append(f"package {file.package};")
    lines += [""] if file.dependency else []
    for index, name in enumerate(file.dependency):
        kind = "public " if index in file.public_dependency else ""
        lines.append(f"import {kind}{json.dumps(name)};")
    options = list(_options(file.options))
    lines += ["", *options] if options else []
    for part in (
        *(_message(one, file) for one in file.message_type),
        *(_enum(one) for one in file.enum_type),
        *(_service(one) for one in file.service),
        *(_extension(one, file) for one in file.extension),
    ):
        lines += ["", *part]
    return "\n".join([*lines, ""])


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"{INDENT}{line}" for line in lines)


def _values(options: Proto) -> Iterator[tuple[str, str]]:
    for described, value in options.ListFields():
        if described.enum_type is not None:
            yield described.name, described.enum_type.values_by_number[value].name
        elif described.message_type is None and not described.is_repeated:
            yield described.name, _constant(value)


def _options(options: Proto) -> Iterator[str]:
    yield from (
        f"option {name} = {value};" for name, value in _values(options) if name != "map_entry"
    )


def _constant(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value) if isinstance(value, str) else str(value)


def _message(message: Proto, file: Proto) -> Iterator[str]:
    entries = {one.name: one for one in message.nested_type if one.options.map_entry}
    yield f"message {message.name} {{"
    yield from _indented(_options(message.options))
    yield from _indented(_reserved(message, 1))
    for item in message.extension_range:
        yield f"{INDENT}extensions {_range(item.start, item.end - 1)};"
    yield from _indented(_fields(message, entries, file))
    for one in message.enum_type:
        yield from _indented(_enum(one))
    for one in message.nested_type:
        if one.name not in entries:
            yield from _indented(_message(one, file))
    for one in message.extension:
        yield from _indented(_extension(one, file))
    yield "}"


def _fields(message: Proto, entries: dict[str, Proto], file: Proto) -> Iterator[str]:
    written: set[int] = set()
    for field in message.field:
        if not field.HasField("oneof_index") or field.proto3_optional:
            yield _field(field, entries, file)
        elif field.oneof_index not in written:
            written.add(field.oneof_index)
            oneof = message.oneof_decl[field.oneof_index]
            yield f"oneof {oneof.name} {{"
            yield from _indented(_options(oneof.options))
            for one in message.field:
                if one.HasField("oneof_index") and one.oneof_index == field.oneof_index:
                    yield f"{INDENT}{_type(one)} {one.name} = {one.number}{_brackets(one)};"
            yield "}"


def _field(field: Proto, entries: dict[str, Proto], file: Proto) -> str:
    entry = entries.get(field.type_name.rpartition(".")[2]) if field.type_name else None
    rest = f"{field.name} = {field.number}{_brackets(field)};"
    if entry is not None and field.label == Field.LABEL_REPEATED:
        key, value = entry.field
        return f"map<{_type(key)}, {_type(value)}> {rest}"
    return f"{_label(field, file)}{_type(field)} {rest}"


def _label(field: Proto, file: Proto) -> str:
    if field.label == Field.LABEL_REPEATED:
        return "repeated "
    if field.label == Field.LABEL_REQUIRED:
        return "required "
    return "optional " if field.proto3_optional or file.syntax != "proto3" else ""


def _type(field: Proto) -> str:
    return NAMES.get(field.type) or str(field.type_name)


def _brackets(field: Proto) -> str:
    given = list(_values(field.options))
    if field.HasField("default_value"):
        is_text = field.type in (Field.TYPE_STRING, Field.TYPE_BYTES)
        given.append(
            ("default", json.dumps(field.default_value) if is_text else field.default_value)
        )
    if field.HasField("json_name") and field.json_name != _json_name(field.name):
        given.append(("json_name", json.dumps(field.json_name)))
    return f" [{', '.join(f'{name} = {value}' for name, value in given)}]" if given else ""


def _json_name(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in others)


def _reserved(owner: Proto, beyond: int) -> Iterator[str]:
    for item in owner.reserved_range:
        yield f"reserved {_range(item.start, item.end - beyond)};"
    for name in owner.reserved_name:
        yield f"reserved {json.dumps(name)};"


def _range(start: int, end: int) -> str:
    if end == start:
        return str(start)
    return f"{start} to {'max' if end >= NUMBER_MAX else end}"


def _enum(enum: Proto) -> Iterator[str]:
    yield f"enum {enum.name} {{"
    yield from _indented(_options(enum.options))
    yield from _indented(_reserved(enum, 0))
    for value in enum.value:
        given = [f"{name} = {text}" for name, text in _values(value.options)]
        brackets = f" [{', '.join(given)}]" if given else ""
        yield f"{INDENT}{value.name} = {value.number}{brackets};"
    yield "}"


def _service(service: Proto) -> Iterator[str]:
    yield f"service {service.name} {{"
    yield from _indented(_options(service.options))
    for method in service.method:
        taken = f"{'stream ' * method.client_streaming}{method.input_type}"
        given = f"{'stream ' * method.server_streaming}{method.output_type}"
        options = list(_options(method.options))
        yield f"{INDENT}rpc {method.name} ({taken}) returns ({given}){' {' if options else ';'}"
        yield from _indented(_indented(options))
        yield from [f"{INDENT}}}"] if options else ()
    yield "}"


def _extension(field: Proto, file: Proto) -> Iterator[str]:
    yield f"extend {field.extendee} {{"
    yield f"{INDENT}{_field(field, {}, file)}"
    yield "}"
