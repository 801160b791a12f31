"""The text of a file of keys: read, added to, and one key taken out of it.

A key is added by one append, and taken out by overwriting its line in place: no other key is
written again, so none can be lost, and the file keeps its owner, whose it is alone to read.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

from moldau.errors import MoldauError
from moldau.platform.ports.files import Files, read_whole
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "KEY_BYTES",
    "KEY_NAME",
    "KeyFileError",
    "KeyLine",
    "add_key",
    "find_key_lines",
    "parse_key_lines",
    "remove_key",
]

KEY_BYTES: Final = 32
KEY_NAME: Final = r"[A-Za-z0-9_-]{1,100}"
_LINE: Final = re.compile(rf"({KEY_NAME})\.([1-9][0-9]{{0,8}})\s*=\s*(\S+)")


class KeyFileError(MoldauError):
    """The file has something else than keys."""

    code: ClassVar[int] = ErrorCode.KAFKA_STORAGE_ERROR


class KeyLine(NamedTuple):
    """One version of a key, and where it stands."""

    name: str
    version: int
    key: bytes
    position: int
    size: int
    """Without the end of the line."""

    def __repr__(self) -> str:
        return f"KeyLine({self.id}, hidden)"

    @property
    def id(self) -> str:
        return f"{self.name}.{self.version}"


def find_key_lines(files: Files, path: str) -> list[KeyLine]:
    """All keys of a file, or `KeyFileError`."""
    return parse_key_lines(path, read_whole(files, path))


def parse_key_lines(path: str, contents: bytes) -> list[KeyLine]:
    found: dict[str, KeyLine] = {}
    position = 0
    for number, line in enumerate(contents.splitlines(keepends=True), start=1):
        bare = line.strip()
        if bare and not bare.startswith(b"#"):
            one = _parsed(f"{path}: line {number}", bare, position, len(line.rstrip(b"\r\n")))
            if found.setdefault(one.id, one).key != one.key:
                raise KeyFileError(f"{path}: line {number} gives {one.id} a second time")
        position += len(line)
    return list(found.values())


def _parsed(where: str, line: bytes, position: int, size: int) -> KeyLine:
    match = _LINE.fullmatch(line.decode("utf-8", "replace"))
    if match is None:
        raise KeyFileError(f"{where} is no key; write name.version = key in base64")
    name, version, text = match.groups()
    try:
        key = binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        raise KeyFileError(f"{where} gives {name}.{version} a key that is not base64") from None
    if len(key) != KEY_BYTES:
        raise KeyFileError(f"{where} gives {name}.{version} {len(key)} bytes, not {KEY_BYTES}")
    return KeyLine(name, int(version), key, position, size)


def add_key(files: Files, path: str, key_id: str, key: bytes) -> None:
    """A line more; a file that is not there is made, for its owner alone."""
    assert len(key) == KEY_BYTES
    is_there = files.status(path) is not None
    file = files.open(path, create=True)
    try:
        if not is_there:
            files.make_private(path)
        size = file.size()
        is_open = size > 0 and file.read_at(size - 1, 1) != b"\n"
        text = binascii.b2a_base64(key, newline=False).decode()
        file.append(f"{chr(10) * is_open}{key_id} = {text}\n".encode())
        file.sync()
    finally:
        file.close()
    if not is_there:
        files.sync_directory(path.rpartition("/")[0] or ".")


def remove_key(files: Files, path: str, lines: Sequence[KeyLine], key_id: str) -> None:
    """Overwrite the line of this key by a comment that names it."""
    line = next(line for line in lines if line.id == key_id)
    file = files.open(path)
    try:
        comment = f"# {key_id} is retired".encode()[: line.size]
        file.write_at(line.position, comment.ljust(line.size))
        file.sync()
    finally:
        file.close()
