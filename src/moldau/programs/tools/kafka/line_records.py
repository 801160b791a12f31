"""How a line that was typed becomes a record: its value, and before it headers and a key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from moldau.errors import MoldauError

__all__ = ["BadLineError", "Line", "LineReader"]


class BadLineError(MoldauError):
    """A line that lacks what it has to have, or separators that are the same."""


class Line(NamedTuple):
    """What a line holds."""

    value: bytes | None
    key: bytes | None = None
    headers: tuple[tuple[str, bytes | None], ...] = ()


class LineReader:
    """With the properties of Kafka's LineMessageReader."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        self._parses_key = _is_true(properties, "parse.key")
        self._parses_headers = _is_true(properties, "parse.headers")
        self._ignores = _is_true(properties, "ignore.error")
        self._key = properties.get("key.separator", "\t")
        self._delimiter = properties.get("headers.delimiter", "\t")
        self._separator = properties.get("headers.separator", ",")
        self._header_key = properties.get("headers.key.separator", ":")
        self._null = properties.get("null.marker")
        self._check()

    def __repr__(self) -> str:
        return f"<LineReader key {self._parses_key}, headers {self._parses_headers}>"

    def _check(self) -> None:
        named = {
            "headers.delimiter": self._delimiter,
            "headers.separator": self._separator,
            "headers.key.separator": self._header_key,
        }
        names = list(named)
        for first, second in ((0, 1), (0, 2), (1, 2)):
            if named[names[first]] == named[names[second]]:
                raise BadLineError(f"{names[first]} and {names[second]} may not be equal")
        for name, text in {"key.separator": self._key, **named}.items():
            if text == self._null:
                raise BadLineError(f"null.marker and {name} may not be equal")

    def read(self, line: bytes, number: int) -> Line:
        """The record, or `BadLineError`; bytes that are no text stay as they are."""
        text = line.decode("utf-8", "surrogateescape")
        headers, text = self._part(
            self._parses_headers, text, self._delimiter, "headers delimiter", number
        )
        key, value = self._part(self._parses_key, text, self._key, "key separator", number)
        return Line(
            self._bytes(value),
            None if key is None else self._bytes(key),
            () if headers is None or headers == self._null else self._headers(headers, number),
        )

    def _part(
        self, wanted: bool, text: str, separator: str, what: str, number: int
    ) -> tuple[str | None, str]:
        """What is before the separator, and what is after it."""
        if not wanted:
            return None, text
        before, found, after = text.partition(separator)
        if found:
            return before, after
        if self._ignores:
            return None, text
        raise BadLineError(f"No {what} found on line number {number}: '{_shown(text)}'")

    def _headers(self, text: str, number: int) -> tuple[tuple[str, bytes | None], ...]:
        found: list[tuple[str, bytes | None]] = []
        for pair in re.split(self._separator, text):
            key, separator, value = pair.partition(self._header_key)
            if not separator and not self._ignores:
                raise BadLineError(
                    f"No header key separator found in pair '{_shown(pair)}' on line number "
                    f"{number}"
                )
            if separator and key == self._null:
                raise BadLineError(
                    f"Header keys should not be equal to the null marker '{self._null}' as they "
                    "can't be null"
                )
            found.append((key, self._bytes(value) if separator else None))
        return tuple(found)

    def _bytes(self, text: str) -> bytes | None:
        return None if text == self._null else text.encode("utf-8", "surrogateescape")


def _shown(text: str) -> str:
    """For a message, which is text."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _is_true(properties: Mapping[str, str], name: str) -> bool:
    return properties.get(name, "").strip().lower() == "true"
