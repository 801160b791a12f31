"""Files of JSON that tools are given, and what Kafka objects to in them."""

from __future__ import annotations

import json
from typing import Any

from moldau.platform.ports.files import Files, read_whole
from moldau.programs.tools.kafka.tool import ToolFailedError

__all__ = [
    "NOT_JSON",
    "field_of",
    "list_in",
    "long_in",
    "number_in",
    "numbers_in",
    "object_of",
    "read_json",
    "rows_in",
    "text_of",
    "version_in",
]

NOT_JSON = "The input string is not a valid JSON"


def text_of(files: Files, path: str) -> str:
    status = files.status(path)
    if status is None or status.is_directory:
        raise ToolFailedError(f"Unable to read file {path}")
    return read_whole(files, path).decode(errors="replace")


def read_json(files: Files, path: str, objection: str = NOT_JSON) -> object:
    """What a file holds; if that is no JSON the objection, with the line and column."""
    try:
        found: object = json.loads(text_of(files, path))
    except ValueError as error:
        if isinstance(error, json.JSONDecodeError):
            place = f"{path}, line {error.lineno}, column {error.colno}: {error.msg}"
        else:
            place = f"{path}: {error}"
        raise ToolFailedError(f"{objection} ({place})") from None
    return found


def object_of(found: object) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise ToolFailedError(f"Expected JSON object, received {_compact(found)}")
    return found


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


JAVA_KINDS = {int: "Integer", str: "String", list: "JSON array"}
"""What Java calls these kinds of values."""
INTEGERS = range(-(2**31), 2**31)


def field_of(row: dict[str, Any], name: str, kind: type) -> Any:  # noqa: ANN401 - of any kind
    if name not in row:
        raise ToolFailedError(f"No such field exists: `{name}`")
    value = row[name]
    return _of_kind(value, kind)


def _of_kind(value: object, kind: type, name: str = "") -> Any:  # noqa: ANN401 - of any kind
    if not isinstance(value, kind) or isinstance(value, bool):
        wanted = name or JAVA_KINDS.get(kind, kind.__name__)
        raise ToolFailedError(f"Expected `{wanted}` value, received {_compact(value)}")
    return value


def rows_in(row: dict[str, Any], name: str) -> list[dict[str, Any]]:
    rows = row[name]
    if not isinstance(rows, list):
        raise ToolFailedError(f"Expected JSON array, received {_compact(rows)}")
    return [object_of(one) for one in rows]


def list_in(row: dict[str, Any], name: str) -> list[object]:
    return list(field_of(row, name, list))


def number_in(row: dict[str, Any], name: str) -> int:
    return _integer(field_of(row, name, int))


def long_in(row: dict[str, Any], name: str) -> int:
    return int(field_of(row, name, int))


def numbers_in(row: dict[str, Any], name: str) -> list[int]:
    return [_integer(one) for one in field_of(row, name, list)]


def _integer(value: object) -> int:
    number = int(_of_kind(value, int))
    if number not in INTEGERS:
        raise ToolFailedError(f"Expected `{JAVA_KINDS[int]}` value, received {number}")
    return number


def version_in(row: dict[str, Any], newest: int) -> int:
    """The newest where none is given; no other is taken."""
    version = int(_of_kind(row.get("version", newest), int))
    if version != newest:
        raise ToolFailedError(f"Not supported version field value {version}")
    return version
