"""Offset and time indexes as lines, compared with their `.log`, the way Kafka's tool does it.

Entries are read from the bytes, not through the indexes that the log uses: those repair what they
find, and a dump must show it. A zero entry behind the first one is the filler of an active segment
and ends the list.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct

from moldau.broker.log.dump.found import Found, batches_in
from moldau.broker.log.dump.report import Report, Shown
from moldau.broker.log.segment.file_names import LOG, OFFSET_INDEX, file_name, offset_in_name
from moldau.errors import CorruptRecordError
from moldau.platform.ports.files import Files, read_whole
from moldau.platform.quick_dataclass import dataclass

_OFFSET_ENTRY = Struct(">ii")
_TIME_ENTRY = Struct(">qi")


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What to do with an index."""

    only_verifies: bool = False
    """Compare with the log, show no entries."""
    only_checks: bool = False
    """Look whether it makes sense by itself, as a starting broker does; show no entries."""

    @property
    def shows_entries(self) -> bool:
        return not (self.only_verifies or self.only_checks)


def dump_offset_index(
    files: Files, path: str, options: IndexOptions, report: Report
) -> Iterator[Shown]:
    """`.index`: each entry must name the batch that ends with its offset."""
    base_offset, contents = _read(files, path)
    entries = _entries(_OFFSET_ENTRY, contents, last=0)
    if len(contents) < _OFFSET_ENTRY.size:
        yield Shown("index_is_empty", {"path": path}, f"{path} is empty.")
        return
    if options.only_checks:
        yield _sane(path, contents, _OFFSET_ENTRY, [offset for offset, _ in entries])
        return
    log = files.open(_beside(path, base_offset, LOG), read_only=True)
    try:
        for relative, position in entries:
            offset = base_offset + relative
            found = next(batches_in(log, position, log.size()), None)
            last_offset = -1 if found is None else found.last_offset
            if last_offset != offset:
                report.index_mismatches.add(path, offset, last_offset)
            if options.shows_entries:
                fields: dict[str, object] = {"offset": offset, "position": position}
                yield Shown("entry", fields, f"offset: {offset} position: {position}")
    finally:
        log.close()


def dump_time_index(
    files: Files, path: str, options: IndexOptions, report: Report
) -> Iterator[Shown]:
    """`.timeindex`: each entry's timestamp must be the largest of the batch that it names."""
    base_offset, contents = _read(files, path)
    entries = [(time, base_offset + delta) for time, delta in _entries(_TIME_ENTRY, contents, 1)]
    if options.only_checks:
        yield _sane(path, contents, _TIME_ENTRY, [offset - base_offset for _, offset in entries])
        return
    compared = _Comparison(files, path, base_offset, report)
    previous = -1
    for timestamp, offset in entries:
        compared.check(timestamp, offset, previous)
        previous = timestamp
        if options.shows_entries:
            fields: dict[str, object] = {"timestamp": timestamp, "offset": offset}
            yield Shown("entry", fields, f"timestamp: {timestamp} offset: {offset}")


class _Comparison:
    """A time index beside its log."""

    def __init__(self, files: Files, path: str, base_offset: int, report: Report) -> None:
        self._files = files
        self._path = path
        self._report = report
        self._log_path = _beside(path, base_offset, LOG)
        _, contents = _read(files, _beside(path, base_offset, OFFSET_INDEX))
        entries = _entries(_OFFSET_ENTRY, contents, last=0)
        self._places = [(base_offset + relative, position) for relative, position in entries]

    def check(self, timestamp: int, offset: int, previous: int) -> None:
        found = self._batch_of(offset)
        if found is None or found.last_offset != offset:
            last_offset = -1 if found is None else found.last_offset
            self._report.missing_offsets.add(self._path, offset, last_offset)
            return
        largest = max(found.timestamps(), default=-1)
        if largest != timestamp:
            self._report.timestamp_mismatches.add(self._path, timestamp, largest)
        if previous >= timestamp:
            self._report.disordered_timestamps.add(self._path, timestamp, previous)

    def _batch_of(self, offset: int) -> Found | None:
        """The first batch that ends at or behind `offset`."""
        positions = [position for indexed, position in self._places if indexed <= offset]
        log = self._files.open(self._log_path, read_only=True)
        try:
            for found in batches_in(log, max(positions, default=0), log.size()):
                if found.last_offset >= offset:
                    return found
        finally:
            log.close()
        return None


def _read(files: Files, path: str) -> tuple[int, bytes]:
    base_offset = offset_in_name(path.rpartition("/")[2])
    if base_offset is None:
        raise CorruptRecordError(f"{path}: its name lacks the offset at which it begins")
    return base_offset, read_whole(files, path)


def _entries(entry: Struct, contents: bytes, last: int) -> list[tuple[int, int]]:
    """The whole entries up to the first filler; the relative offset is in place `last`."""
    whole = contents[: len(contents) - len(contents) % entry.size]
    found: list[tuple[int, int]] = []
    for first, second in entry.iter_unpack(whole):
        if found and (first, second)[last] == 0:
            break
        found.append((first, second))
    return found


def _sane(path: str, contents: bytes, entry: Struct, relative_offsets: list[int]) -> Shown:
    if len(contents) % entry.size:
        raise CorruptRecordError(f"{path}: {len(contents)} bytes are not whole entries")
    if relative_offsets and relative_offsets[-1] < 0:
        raise CorruptRecordError(f"{path}: the last entry lies before the segment")
    return Shown("sane", {"path": path}, f"{path} passed sanity check.")


def _beside(path: str, base_offset: int, kind: str) -> str:
    directory, slash, _ = path.rpartition("/")
    return f"{directory}{slash}{file_name(base_offset, kind)}"
