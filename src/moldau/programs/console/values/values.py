"""Keys and values as people read them: JSON, XML, text, MessagePack, or hexadecimal digits.

What is shown is bounded, however big a record is; the whole of it can be downloaded. A mask hides
fields of JSON by their names at any depth, or with `*` the value as a whole; what is masked but is
no JSON is hidden as a whole, since nothing in it can be named.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple
from xml.parsers import expat

from moldau.client import ConsumerRecord
from moldau.platform.buffers import Buffer
from moldau.programs.console.formats.declared import TEXT
from moldau.programs.console.values import messagepack
from moldau.programs.console.values.decoding import Reading
from moldau.programs.console.values.readings import RecordReadings
from moldau.programs.http.json_bodies import ensure_shallow

__all__ = ["Mask", "Masks", "mask_of", "shown", "shown_record"]

SHOWN_BYTES: Final = 4096
"""Of a key or a value in a list of records."""
HEX_BYTES: Final = 256
HIDDEN: Final = "•••"
REASON_LETTERS: Final = 400
ALL: Final = "*"


class Mask(NamedTuple):
    """What is hidden of the topics with such names."""

    topics: str
    """A pattern of the shell."""
    fields: frozenset[str]


class Masks:
    """All that hold for a console."""

    def __init__(self, masks: Iterable[Mask] = ()) -> None:
        self._masks = tuple(masks)

    def __iter__(self) -> Iterator[Mask]:
        return iter(self._masks)

    def fields(self, topic: str) -> frozenset[str]:
        """What is hidden of this topic; nothing, mostly."""
        found = (mask.fields for mask in self._masks if fnmatchcase(topic, mask.topics))
        return frozenset().union(*found)

    def applied(self, topic: str, data: Buffer | None) -> bytes | None:
        """The same bytes, or what is left of them."""
        hidden = self.fields(topic)
        if data is None or not hidden:
            return None if data is None else bytes(data)
        value = _parsed(bytes(data))
        if ALL in hidden or not isinstance(value, dict | list):
            return HIDDEN.encode()
        return json.dumps(_masked(value, hidden), ensure_ascii=False).encode()


def mask_of(text: str) -> Mask:
    """The mask of a flag: TOPICS:FIELD[,…]; `ValueError` for what is none."""
    topics, colon, fields = text.rpartition(":")
    names = frozenset(name.strip() for name in fields.split(",") if name.strip())
    if not colon or not topics or not names:
        raise ValueError("it is TOPICS:FIELD[,…], such as payments.*:card,iban")
    return Mask(topics, names)


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
    is_masked = part == "value" and bool(masks.fields(record.topic))
    kind = None if reading is None else reading.shown_as
    whole = masks.applied(record.topic, data) if is_masked else _bytes(data)
    found = shown(whole, SHOWN_BYTES, kind)
    if found is not None and is_masked:
        found["is_masked"] = True
    if found is None or reading is None or kind is not None:
        return found
    by = {"schema": reading.schema, "decoded_by": reading.decoded_by}
    named = {name: value for name, value in by.items() if value is not None}
    return {**found, **named, "reason": _reason(reading, is_masked)}


def _bytes(data: Buffer | None) -> bytes | None:
    return None if data is None else bytes(data)


def _reason(reading: Reading, is_masked: bool) -> str | None:
    """Cut, and without what it may quote of a value that is masked."""
    if reading.reason is None:
        return None
    return "it cannot be decoded" if is_masked else reading.reason[:REASON_LETTERS]


def _masked(value: object, hidden: frozenset[str]) -> object:
    if isinstance(value, dict):
        return {
            name: HIDDEN if name in hidden else _masked(one, hidden) for name, one in value.items()
        }
    if isinstance(value, list):
        return [_masked(one, hidden) for one in value]
    return value


def _is_json(text: str) -> bool:
    return bool(text) and _parsed(text.encode()) is not None


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


def _parsed(data: bytes) -> object:
    """None for what is no JSON, or nested deeper than any real document."""
    try:
        text = data.decode()
        ensure_shallow(text)
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found
