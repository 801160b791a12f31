"""Records in files: as lines of JSON, and as Parquet.

A line is an object with `partition`, `offset`, `timestamp` (milliseconds since 1970), `key`,
`value` and `headers`, a list of pairs. Bytes that are no text in UTF-8 stand as
`{"base64": "…"}`; null is null.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from typing import Any, NamedTuple

from moldau.client import ConsumerRecord
from moldau.errors import MoldauError

__all__ = ["BadRecordLineError", "FileRecord", "record_line", "record_of_line"]

FIELDS = frozenset({"topic", "partition", "offset", "timestamp", "key", "value", "headers"})


class BadRecordLineError(MoldauError):
    """A line that is no record."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"line {number}: {reason}")


class FileRecord(NamedTuple):
    """A record as a file has it."""

    partition: int | None
    offset: int | None
    timestamp: int | None
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...]


def record_line(record: ConsumerRecord) -> str:
    """One line, without its end."""
    fields = {
        "partition": record.partition,
        "offset": record.offset,
        "timestamp": record.timestamp,
        "key": _shown(record.key),
        "value": _shown(record.value),
        "headers": [[name, _shown(value)] for name, value in record.headers],
    }
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _shown(data: bytes | None) -> object:
    if data is None:
        return None
    data = bytes(data)
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": b64encode(data).decode()}


def record_of_line(line: bytes, number: int) -> FileRecord:
    """The other way round; `BadRecordLineError` names the line and what is wrong with it."""
    try:
        fields = json.loads(line)
    except UnicodeDecodeError:
        raise BadRecordLineError(number, "it is not text in UTF-8") from None
    except json.JSONDecodeError as error:
        reason = f"it is no JSON: {error.msg} at column {error.colno}"
        raise BadRecordLineError(number, reason) from None
    if not isinstance(fields, dict):
        raise BadRecordLineError(number, "it is no JSON object")
    strange = sorted(set(fields) - FIELDS)
    if strange:
        raise BadRecordLineError(
            number, f"{strange[0]!r} is no field of a record; choose of {', '.join(sorted(FIELDS))}"
        )
    return FileRecord(
        _number(fields, "partition", number),
        _number(fields, "offset", number),
        _number(fields, "timestamp", number),
        _bytes(fields.get("key"), "key", number),
        _bytes(fields.get("value"), "value", number),
        _headers(fields.get("headers"), number),
    )


def _number(fields: Mapping[str, Any], name: str, number: int) -> int | None:
    found = fields.get(name)
    if found is None or (isinstance(found, int) and not isinstance(found, bool) and found >= 0):
        return found
    raise BadRecordLineError(number, f"{name} is {found!r}, and no whole number from 0")


def _bytes(found: object, name: str, number: int) -> bytes | None:
    if found is None:
        return None
    if isinstance(found, str):
        return found.encode("utf-8", "surrogatepass")
    if isinstance(found, dict) and set(found) == {"base64"} and isinstance(found["base64"], str):
        try:
            return b64decode(found["base64"], validate=True)
        except Base64Error:
            raise BadRecordLineError(number, f"{name} is no Base64") from None
    raise BadRecordLineError(number, f'{name} is neither text, nor null, nor {{"base64": "…"}}')


def _headers(found: object, number: int) -> tuple[tuple[str, bytes | None], ...]:
    if found is None:
        return ()
    if isinstance(found, list) and all(
        isinstance(one, list) and len(one) == 2 and isinstance(one[0], str) for one in found
    ):
        return tuple((name, _bytes(value, f"header {name}", number)) for name, value in found)
    raise BadRecordLineError(number, "headers are no list of pairs of a name and a value")
