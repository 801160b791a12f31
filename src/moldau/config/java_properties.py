"""The text form of Java's properties, as far as Kafka's own files use it.

`key=value`, `key: value` or `key value` a line; `#` and `!` begin comments; a backslash before a
line end joins lines, and before a character stands for it (`\\n`, `\\t`, `\\u00e9`, `\\=`). Written
files are Latin-1 with `\\uXXXX` for the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

__all__ = ["Entry", "format_properties", "parse_entries", "parse_properties"]

_ENTRY = re.compile(r"((?:[^\\=: \t\f]|\\.)*)(?:[ \t\f]*[=:][ \t\f]*|[ \t\f]+|$)(.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_HALF = re.compile("[\ud800-\udfff]")
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_SPECIAL = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f", "\\": "\\\\"}


class Entry(NamedTuple):
    """A key and its value."""

    line: int
    """Where it begins, counted from 1."""
    key: str
    value: str


def parse_properties(contents: bytes) -> dict[str, str]:
    """The keys and values; of a key that is given twice the last value."""
    return {entry.key: entry.value for entry in parse_entries(contents)}


def parse_entries(contents: bytes) -> Iterator[Entry]:
    """The keys and values in their order, as often as they are given."""
    for number, line in _logical_lines(contents.decode("latin-1")):
        match = _ENTRY.match(line)
        assert match is not None, line
        yield Entry(number, _unescape(match[1]), _unescape(match[2]))


def format_properties(properties: Mapping[str, str], comments: tuple[str, ...] = ()) -> bytes:
    lines = [f"#{comment}" for comment in comments]
    lines += [f"{_escape(key, key=True)}={_escape(text)}" for key, text in properties.items()]
    return ("\n".join(lines) + "\n").encode("latin-1")


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that are neither blank nor comments, joined where they go on, and where they begin."""
    joining, began = "", 0
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        line = joining + raw.lstrip(" \t\f")
        if not joining:
            if not line or line[0] in "#!":
                continue
            began = number
        if (len(line) - len(line.rstrip("\\"))) % 2:
            joining = line[:-1]
            continue
        yield began, line
        joining = ""
    if joining:
        yield began, joining


def _unescape(text: str) -> str:
    """Two escapes may be the halves of one character, as Java writes those beyond 16 bits."""
    found = _ESCAPE.sub(_character, text)
    if _HALF.search(found) is None:
        return found
    return found.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _ESCAPED.get(code, code)


def _escape(text: str, *, key: bool = False) -> str:
    escaped = "".join(_escape_one(character, key=key) for character in text)
    return "\\" + escaped if escaped.startswith(" ") else escaped


def _escape_one(character: str, *, key: bool) -> str:
    if character in "=:#!" or (key and character == " "):
        return "\\" + character
    if character in _SPECIAL:
        return _SPECIAL[character]
    if " " <= character <= "~":
        return character
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02X}{units[at + 1]:02X}" for at in range(0, len(units), 2))
