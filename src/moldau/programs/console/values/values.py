"""Keys and values as people read them: JSON, XML, text, MessagePack, or hexadecimal digits.

What is shown is bounded, however big a record is; the whole of it can be downloaded.
"""

from __future__ import annotations

import json
from typing import Any, Final
from xml.parsers import expat

from moldau.client import ConsumerRecord
from moldau.programs.console.formats.declared import TEXT
from moldau.programs.console.values import messagepack
from moldau.programs.console.values.decoding import Reading
from moldau.programs.console.values.masking import Masks, parsed_json
from moldau.programs.console.values.readings import RecordReadings

__all__ = ["shown", "shown_record"]

SHOWN_BYTES: Final = 4096
"""Of a key or a value in a list of records."""
HEX_BYTES: Final = 256
REASON_LETTERS: Final = 400


def shown(
    data: bytes | None, limit: int = SHOWN_BYTES, kind: str | None = None
) -> dict[str, Any] | None:
    """What the page shows of a key or a value, as this of `AS_IT_IS` if given; None for none."""
    if data is None:
        return None
    found: dict[str, Any] = {"size": len(data), "is_cut": len(data) > limit}
    if kind is not None:
        return found | (_shown_text(data, limit) if kind == TEXT else _shown_hex(data))
    try:
        text = data[:limit].decode()
    except UnicodeDecodeError as error:
        is_cut_letter = found["is_cut"] and error.start > limit - 4
        if not is_cut_letter:
            return found | _shown_binary(data, limit)
        text = data[: error.start].decode()
    if any(letter < " " and letter not in "\t\r\n" for letter in text):
        return found | _shown_binary(data, limit)
    return {**found, "format": "text" if found["is_cut"] else _format(text), "text": text}


def _format(text: str) -> str:
    """Of text that is whole."""
    if text[:1] in '{["-0123456789tfn' and _is_json(text):
        return "json"
    return "xml" if text.lstrip()[:1] == "<" and _is_xml(text) else "text"


def _shown_binary(data: bytes, limit: int) -> dict[str, Any]:
    """As JSON if it is MessagePack, or else hexadecimal digits."""
    if len(data) <= limit:
        try:
            text = json.dumps(messagepack.decoded(data), ensure_ascii=False)
        except messagepack.NotMessagePackError:
            pass
        else:
            return {"format": "msgpack", "text": text, "is_cut": False}
    return _shown_hex(data)


def _shown_hex(data: bytes) -> dict[str, Any]:
    return {
        "format": "hex",
        "text": data[:HEX_BYTES].hex(" "),
        "is_cut": len(data) > HEX_BYTES,
    }


def _shown_text(data: bytes, limit: int) -> dict[str, Any]:
    """Bytes that are no text have signs in their place."""
    return {"format": "text", "text": data[:limit].decode(errors="replace")}


def shown_record(
    record: ConsumerRecord, masks: Masks, readings: RecordReadings | None = None
) -> dict[str, Any]:
    """With what formats of users, or schemas of a registry, make of it."""
    headers = [
        {"name": name, "value": shown(None if value is None else bytes(value), HEX_BYTES)}
        for name, value in record.headers
    ]
    return {
        "partition": record.partition,
        "offset": record.offset,
        "timestamp": record.timestamp,
        "key": _shown_part(record, "key", masks, readings),
        "value": _shown_part(record, "value", masks, readings),
        "headers": headers,
    }


def _shown_part(
    record: ConsumerRecord, part: str, masks: Masks, readings: RecordReadings | None
) -> dict[str, Any] | None:
    """The key or the value; what was decoded is masked by its fields."""
    data = record.key if part == "key" else record.value
    reading = None if readings is None else readings.of(record, part)
    if reading is not None and reading.data is not None:
        data = reading.data
    is_masked = bool(masks.of(record.topic, part))
    kind = None if reading is None else reading.shown_as
    whole = masks.applied(record.topic, part, data)
    found = shown(whole, SHOWN_BYTES, kind)
    if found is not None and is_masked:
        found["is_masked"] = True
    if found is None or reading is None or kind is not None:
        return found
    by = {"schema": reading.schema, "decoded_by": reading.decoded_by}
    named = {name: value for name, value in by.items() if value is not None}
    return {**found, **named, "reason": _reason(reading, is_masked)}


def _reason(reading: Reading, is_masked: bool) -> str | None:
    """Cut, and without what it may quote of a value that is masked."""
    if reading.reason is None:
        return None
    return "it cannot be decoded" if is_masked else reading.reason[:REASON_LETTERS]


def _is_json(text: str) -> bool:
    return bool(text) and parsed_json(text.encode()) is not None


def _is_xml(text: str) -> bool:
    """Well-formed; not what defines entities, which may stand for gigabytes."""
    parser = expat.ParserCreate("utf-8")
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(text.encode(), True)
    except (expat.ExpatError, ValueError):
        return False
    return True


def _refuse(*_definition: object) -> None:
    raise ValueError("a document that defines its own type is shown as text")
