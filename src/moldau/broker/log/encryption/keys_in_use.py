"""Which versions of keys the segments of log directories need.

Every encrypted batch names its key, so all of them are looked at, also those of partitions that
move or were put aside. A batch that is cut off or damaged ends its segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from moldau.broker.log.directory.names import parse_directory_name
from moldau.broker.log.encryption.encrypted_batch import KEY_ID_BYTES_MAX
from moldau.broker.log.segment.batch_walk import UnsoundBatchError, walk
from moldau.errors import FileMissingError
from moldau.platform.ports.files import File, Files
from moldau.protocol.records.batch import HEADER_SIZE, BatchHeader

__all__ = ["KeyUse", "keys_in_use"]

FORM_BYTES = 2
"""Form and size, before a key's id."""


class KeyUse:
    """What one version of a key has encrypted."""

    __slots__ = ("batches", "size", "topics")

    def __init__(self) -> None:
        self.batches = 0
        self.size = 0
        self.topics: set[str] = set()

    def __repr__(self) -> str:
        return f"KeyUse({self.batches} batches of {', '.join(sorted(self.topics))})"


def keys_in_use(files: Files, directories: Iterable[str]) -> dict[str, KeyUse]:
    """By the key's id, as `orders.1`."""
    found: dict[str, KeyUse] = {}
    for topic, path in _segments(files, directories):
        file = files.open(path, read_only=True)
        try:
            for position, header in _sound(file):
                if header.is_encrypted and not header.is_control:
                    use = found.setdefault(_key_at(file, position), KeyUse())
                    use.batches += 1
                    use.size += header.size
                    use.topics.add(topic)
        finally:
            file.close()
    return found


def _segments(files: Files, directories: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Topic and path."""
    for directory in directories:
        if files.status(directory) is None:
            raise FileMissingError(directory, "there is no such log directory")
        for name in files.list_directories(directory):
            place = parse_directory_name(name)
            for file_name in files.list(f"{directory}/{name}") if place is not None else ():
                if place is not None and file_name.endswith(".log"):
                    yield place.partition.topic, f"{directory}/{name}/{file_name}"


def _sound(file: File) -> Iterator[tuple[int, BatchHeader]]:
    try:
        yield from walk(file, 0, file.size())
    except UnsoundBatchError:
        return


def _key_at(file: File, position: int) -> str:
    envelope = file.read_at(position + HEADER_SIZE, FORM_BYTES + KEY_ID_BYTES_MAX)
    return envelope[FORM_BYTES : FORM_BYTES + envelope[1]].decode("utf-8", "replace")
