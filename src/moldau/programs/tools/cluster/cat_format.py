"""kcat's format strings: `%t [%p] at %o: key %k is %s\\n`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from moldau.client import ConsumerRecord
from moldau.errors import MoldauError
from moldau.programs.tools.cluster.cat_packed import Packed

__all__ = ["Format", "json_line", "unescaped"]

TOKEN = re.compile(r"%(.)|\\(x[0-9a-fA-F]{1,3}|[0-9]{1,3}|.)", re.DOTALL)
ESCAPES = {"n": b"\n", "r": b"\r", "t": b"\t", "\\": b"\\"}
BYTE = 0xFF
TIMES = {0: "create", 1: "logappend"}
Show = Callable[[ConsumerRecord], bytes]


class Format:
    """Read once, applied to each record."""

    def __init__(
        self, text: str, null: bytes = b"", packed: Mapping[str, Packed] | None = None
    ) -> None:
        """`null` stands for what is empty; `packed` has formats of keys and values (-s)."""
        self._null = null
        self._packed = packed or {}
        self._shows: list[Show] = []
        place = 0
        for found in TOKEN.finditer(text):
            self._add_text(text[place : found.start()].encode())
            place = found.end()
            if found[1] is None:
                self._add_text(_escape(found[2]))
            else:
                self._shows.append(self._token(found[1]))
        self._add_text(text[place:].encode())

    def __repr__(self) -> str:
        return f"<Format of {len(self._shows)} parts>"

    def line(self, record: ConsumerRecord) -> bytes:
        return b"".join(show(record) for show in self._shows)

    def _add_text(self, text: bytes) -> None:
        if text:
            self._shows.append(lambda record: text)

    def _token(self, letter: str) -> Show:
        shows: dict[str, Show] = {
            "s": lambda record: self.data("value", record.value),
            "S": lambda record: _size(record.value),
            "R": lambda record: _packed_size(record.value),
            "k": lambda record: self.data("key", record.key),
            "K": lambda record: _size(record.key),
            "t": lambda record: record.topic.encode(),
            "p": lambda record: b"%d" % record.partition,
            "o": lambda record: b"%d" % record.offset,
            "T": lambda record: b"%d" % record.timestamp,
            "h": self._headers,
            "%": lambda record: b"%",
        }
        if letter not in shows:
            raise MoldauError(
                f"-f: %{letter} is no token; there are {' '.join(map('%'.__add__, shows))}"
            )
        return shows[letter]

    def data(self, name: str, data: bytes | None) -> bytes:
        """Of the key or the value; as with kcat an empty one is shown as null is."""
        if not data:
            return self._null
        packed = self._packed.get(name)
        return bytes(data) if packed is None else packed.text(bytes(data))

    def _headers(self, record: ConsumerRecord) -> bytes:
        return b",".join(
            name.encode() + b"=" + (b"NULL" if value is None else bytes(value))
            for name, value in record.headers
        )


def _size(data: bytes | None) -> bytes:
    return b"-1" if data is None else b"%d" % len(data)


def _packed_size(data: bytes | None) -> bytes:
    return (-1 if data is None else len(data)).to_bytes(4, "big", signed=True)


def _escape(name: str) -> bytes:
    if name.startswith("x") and len(name) > 1:
        return bytes([int(name[1:], 16) & BYTE])
    if name.isdecimal():
        return bytes([int(name) & BYTE])
    return ESCAPES.get(name, name.encode())


def unescaped(text: str) -> bytes:
    """A delimiter as it is typed: `\\t`, `\\x0a`."""
    return re.sub(
        r"\\(x[0-9a-fA-F]{1,3}|[0-9]{1,3}|.)",
        lambda found: _escape(found[1]).decode("latin-1"),
        text.encode().decode("latin-1"),
    ).encode("latin-1")


def json_line(record: ConsumerRecord, broker: int) -> bytes:
    """kcat's envelope (-J)."""

    def text(data: bytes | None) -> str | None:
        return None if data is None else bytes(data).decode(errors="replace")

    fields: dict[str, object] = {
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "tstype": TIMES.get(record.timestamp_type, "unknown"),
        "ts": record.timestamp,
        "broker": broker,
    }
    if record.headers:
        fields["headers"] = [part for name, value in record.headers for part in (name, text(value))]
    fields["key"] = text(record.key)
    fields["payload"] = text(record.value)
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
