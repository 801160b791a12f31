"""Checkpoint files: a version line, a count line, one entry a line.

    0
    2
    orders 0 1437
    orders 1 0

All of Kafka's small bookkeeping files look like this. They are UTF-8 with `\\n` after each line and
are replaced whole: written beside, synced, renamed. An empty or missing file holds no entries, for
that is what a first start and a crash at the first write leave behind. The count guards against a
file that was cut: too few or too many lines and nothing in it is used.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.errors import CorruptRecordError, FileMissingError
from moldau.platform.ports.files import Files, read_whole, replace_whole

VERSION = "0"


class CorruptCheckpointError(CorruptRecordError):
    """A checkpoint file is not what its form asks for."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            f"{path}: {reason}; remove the file to have it rebuilt, or restore it from a replica"
        )
        self.path = path
        self.reason = reason


def read_checkpoint(files: Files, path: str) -> list[str]:
    """The entry lines of a checkpoint file; none where there is no file."""
    try:
        contents = read_whole(files, path)
    except FileMissingError:
        return []
    if not contents:
        return []
    return _entries(path, _lines(path, contents))


def write_checkpoint(files: Files, path: str, entries: Iterable[str]) -> None:
    """Replace the file durably."""
    lines = [VERSION, "", *entries]
    lines[1] = str(len(lines) - 2)
    replace_whole(files, path, ("\n".join(lines) + "\n").encode())


def split_numbers(path: str, line: str, count: int) -> list[int]:
    """The last `count` words of an entry as whole numbers; they cannot hold more than 64 bits."""
    words = line.rsplit(" ", count)[-count:]
    if len(words) != count or not all(_is_number(word) for word in words):
        raise CorruptCheckpointError(path, f"malformed entry {line!r}")
    return [int(word) for word in words]


def _is_number(word: str) -> bool:
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 19


def _lines(path: str, contents: bytes) -> list[str]:
    try:
        text = contents.decode()
    except UnicodeDecodeError as error:
        raise CorruptCheckpointError(path, f"no UTF-8 text ({error.reason})") from error
    return text.removesuffix("\n").split("\n")


def _entries(path: str, lines: list[str]) -> list[str]:
    if lines[0] != VERSION:
        raise CorruptCheckpointError(path, f"version {lines[0]!r} where {VERSION} was expected")
    if len(lines) < 2 or not _is_number(lines[1]):
        raise CorruptCheckpointError(path, "the second line holds no count")
    if int(lines[1]) != len(lines) - 2:
        raise CorruptCheckpointError(
            path, f"{len(lines) - 2} entries where {lines[1]} were counted"
        )
    return lines[2:]
