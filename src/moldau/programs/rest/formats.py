"""Keys and values between JSON and bytes, where no schema is needed.

- `BINARY`: the bytes in base64.
- `JSON`: any JSON; its text, compact, is the bytes.
- `STRING`: text, in UTF-8.
"""

from __future__ import annotations

import json
from base64 import b64encode
from binascii import a2b_base64
from collections.abc import Callable, Mapping
from typing import Any, Final

from moldau.programs.http.json_bodies import json_text
from moldau.programs.rest.refusals import Refusal, bad_data, refuse

__all__ = ["READERS", "WRITERS", "base64_bytes", "json_data"]


def base64_bytes(data: object) -> bytes:
    try:
        return a2b_base64(data, strict_mode=True)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise bad_data(f"data={_shown(data)} is not a valid base64 string.") from None


def json_data(data: object) -> bytes:
    try:
        return json_text(data).encode()
    except UnicodeEncodeError:
        raise bad_data("data has half of a surrogate pair") from None


def _string(data: object) -> bytes:
    if not isinstance(data, str):
        raise bad_data(f"data={_shown(data)} is not a string.")
    return data.encode("utf-8", "replace")


def _shown(data: object) -> str:
    return json_text(data)[:80]


def _as_base64(data: bytes) -> str:
    return b64encode(data).decode()


def _as_string(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        text = "a record of the topic is not text: read it in the format binary"
        raise refuse(Refusal.FORMAT_MISMATCH, text) from None


def _as_json(data: bytes) -> object:
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        text = "a record of the topic is not JSON: read it in the format binary"
        raise refuse(Refusal.FORMAT_MISMATCH, text) from None
    return found


WRITERS: Final[Mapping[str, Callable[[object], bytes]]] = {
    "BINARY": base64_bytes,
    "JSON": json_data,
    "STRING": _string,
}
"""JSON to bytes, by format."""
READERS: Final[Mapping[str, Callable[[bytes], Any]]] = {
    "BINARY": _as_base64,
    "JSON": _as_json,
    "STRING": _as_string,
}
"""And back."""
