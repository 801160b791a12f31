"""Bytes that an opening cuts off a log are kept beside it, for people to look at.

    00000000000000000120-0000018432.cut      from byte 18,432 of 00000000000000000120.log on

Kafka and we pass over such files: neither looks at a name in a partition's directory that does not
end in a suffix of its own. They go with the partition, or when an operator removes them. In one
partition's directory there are at most `CUT_FILES_MAX` files and `CUT_BYTES_MAX` bytes of them;
beyond that the oldest are removed. A whole segment is renamed, which costs nothing; what lies
behind a byte of a segment is copied and synced before it is cut. Where the disk refuses the copy,
because it is full, the log is cut all the same, and the finding names no file.
"""

from __future__ import annotations

from contextlib import suppress

from moldau.broker.log.segment.file_names import LOG
from moldau.broker.log.segment.segment import Segment
from moldau.errors import StorageError
from moldau.platform.ports.files import Files

CUT = ".cut"
CUT_FILES_MAX = 32
"""Damage comes seldom, and rarely in more than a few segments of one partition."""
CUT_BYTES_MAX = 4 * 1024**3
"""A few segments of the default size, which the log held a moment ago."""
_COPY_BYTES = 1024 * 1024
_TRIES_MAX = 1000


def cut_name(base_offset: int, position: int, number: int = 0) -> str:
    """The name of what lay from this byte of the segment on; cut there again, it gets a number."""
    again = f".{number}" if number else ""
    return f"{base_offset:020d}-{position:010d}{again}{CUT}"


def parse_cut_name(name: str) -> tuple[int, int] | None:
    """The segment's base offset and the byte; None for another name."""
    base, _, rest = name.partition("-")
    position = rest.partition(".")[0]
    if not name.endswith(CUT) or not (_is_number(base) and _is_number(position)):
        return None
    return int(base), int(position)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def keep_segment(files: Files, directory: str, segment: Segment) -> str:
    """Rename a segment's `.log`, durably, so that it is none any more; the new path."""
    path = _free_path(files, directory, segment.base_offset, 0)
    segment.rest()
    files.rename(segment.path(LOG), path)
    files.sync_directory(directory)
    return path


def keep_end(files: Files, directory: str, segment: Segment, position: int) -> str | None:
    """Copy what lies behind a byte of a segment; the new path, or None where the disk refused."""
    path = _free_path(files, directory, segment.base_offset, position)
    try:
        _copy(files, segment, position, path)
        files.sync_directory(directory)
    except StorageError:
        with suppress(StorageError):
            files.remove(path)
        return None
    return path


def _copy(files: Files, segment: Segment, position: int, path: str) -> None:
    file = files.open(path, create=True)
    try:
        while data := segment.log.read_at(position, _COPY_BYTES):
            file.append(data)
            position += len(data)
        file.sync()
    finally:
        file.close()


def _free_path(files: Files, directory: str, base_offset: int, position: int) -> str:
    for number in range(_TRIES_MAX):
        path = f"{directory}/{cut_name(base_offset, position, number)}"
        if files.status(path) is None:
            return path
    return path


def remove_oldest(files: Files, directory: str) -> None:
    """Keep to the bounds."""
    found = []
    for name in files.list(directory):
        status = files.status(f"{directory}/{name}") if name.endswith(CUT) else None
        if status is not None and parse_cut_name(name) is not None:
            found.append((status.modified_ms, name, status.size))
    size = sum(one[2] for one in found)
    count = len(found)
    for _, name, its_size in sorted(found):
        if count <= CUT_FILES_MAX and size <= CUT_BYTES_MAX:
            return
        files.remove(f"{directory}/{name}")
        count, size = count - 1, size - its_size
