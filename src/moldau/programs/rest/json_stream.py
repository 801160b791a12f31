"""JSON objects one behind the other, with or without space between them, as they arrive.

Objects that come whole are decoded one behind the other. Of one that is not whole, the beginning is
kept until its last brace is there, and what comes is looked through once for braces and quotes, so
that one that comes in many pieces costs no more than one that comes at once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from moldau.programs.http.json_bodies import ensure_shallow
from moldau.programs.rest.refusals import bad_request

__all__ = ["JsonStream", "json_objects"]

OBJECT_BYTES_MAX: Final = 16 * 1024 * 1024
SPACE: Final = b" \t\r\n"
_SPACES: Final = re.compile(r"[ \t\r\n]*")
_decode: Final = json.JSONDecoder().raw_decode
_STRUCTURE: Final = re.compile(rb'[{}"\\]')
_IN_TEXT: Final = re.compile(rb'["\\]')


class JsonStream:
    """Takes bytes in any pieces."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._looked = 0
        """Up to where in the buffer braces have been counted."""
        self._depth = 0
        self._is_text = False

    def feed(self, data: bytes) -> Iterator[dict[str, object]]:
        """Each object that is whole; 400 where something is no JSON object."""
        self._buffer += data
        if not self._depth:
            yield from self._whole_ones()
        while (end := self._end()) is not None:
            text = bytes(self._buffer[:end])
            del self._buffer[:end]
            self._looked = 0
            yield _decoded(text)
        if len(self._buffer) > OBJECT_BYTES_MAX:
            raise bad_request(f"a record has more than {OBJECT_BYTES_MAX} bytes")

    def _whole_ones(self) -> Iterator[dict[str, object]]:
        """The first objects that are right and there; the others are looked at more closely."""
        data = bytes(self._buffer)
        text, behind = _text(data)
        try:
            ensure_shallow(text)
        except ValueError:
            return
        at = _after_space(text, 0)
        try:
            while text.startswith("{", at):
                found, end = _decode(text, at)
                at = _after_space(text, end)
                yield found
        except (ValueError, RecursionError):
            pass  # not whole, or not JSON
        self._buffer[:] = text[at:].encode() + behind

    def finish(self) -> None:
        """400 where the last object is not whole."""
        if self._buffer.strip(SPACE):
            raise bad_request("the body is not JSON: it ends within an object")

    def _end(self) -> int | None:
        """Behind the last brace of the first object, once that is there."""
        if not self._depth and not self._begins():
            return None
        while True:
            pattern = _IN_TEXT if self._is_text else _STRUCTURE
            found = pattern.search(self._buffer, self._looked)
            if found is None:
                self._looked = len(self._buffer)
                return None
            self._looked = found.end()
            if found[0] == b"\\":
                if self._looked == len(self._buffer):
                    self._looked -= 1  # what it escapes has not come
                    return None
                self._looked += 1
            elif self._count(found[0]):
                return self._looked

    def _count(self, letter: bytes) -> bool:
        """Whether this quote or brace ends the object."""
        if letter == b'"':
            self._is_text = not self._is_text
            return False
        self._depth += 1 if letter == b"{" else -1
        return not self._depth

    def _begins(self) -> bool:
        """Whether there is something behind the space; 400 where it is no object."""
        self._skip_space()
        if self._buffer and self._buffer[:1] != b"{":
            raise bad_request("the body is not JSON: a record is an object")
        return bool(self._buffer)

    def _skip_space(self) -> None:
        size = len(self._buffer) - len(self._buffer.lstrip(SPACE))
        del self._buffer[:size]
        self._looked = 0


def json_objects(data: bytes) -> Iterator[dict[str, object]]:
    """The objects of a whole body."""
    stream = JsonStream()
    yield from stream.feed(data)
    stream.finish()


def _text(data: bytes) -> tuple[str, bytes]:
    """As far as it is UTF-8, and the rest."""
    try:
        return data.decode(), b""
    except UnicodeDecodeError as error:
        return data[: error.start].decode(), data[error.start :]


def _after_space(text: str, at: int) -> int:
    found = _SPACES.match(text, at)
    return at if found is None else found.end()


def _decoded(data: bytes) -> dict[str, object]:
    try:
        text = data.decode()
        ensure_shallow(text)
        found: dict[str, object] = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise bad_request(f"the body is not JSON: {error}") from None
    return found
