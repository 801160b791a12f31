"""A `.cut` file as lines: what an opening cut off a log.

Its beginning is damaged as a rule, so batches are looked for instead of walked over: those whose
checksum is right are shown as in a `.log`, with the positions that they had there, and the bytes
between them are counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.log.cut_files import parse_cut_name
from moldau.broker.log.dump.found import FoundBatch
from moldau.broker.log.dump.log_lines import LogOptions, batch_line, lines_inside
from moldau.broker.log.dump.report import Report, Shown
from moldau.broker.log.segment.salvage import sound_headers
from moldau.errors import CorruptRecordError
from moldau.platform.ports.files import File, Files


def dump_cut_file(files: Files, path: str, options: LogOptions, report: Report) -> Iterator[Shown]:
    """The lines of one file; offsets that leave gaps go into the report."""
    place = parse_cut_name(path.rpartition("/")[2])
    if place is None:
        raise CorruptRecordError(f"{path}: its name lacks the position where it was cut")
    base_offset, start = place
    text = f"Cut off the log starting offset: {base_offset} position: {start}"
    yield Shown("cut", {"starting_offset": base_offset, "position": start}, text)
    file = files.open(path, read_only=True)
    try:
        yield from _contents(file, start, options, report)
    finally:
        file.close()


def _contents(file: File, start: int, options: LogOptions, report: Report) -> Iterator[Shown]:
    end, last_offset = 0, -1
    size = min(file.size(), options.max_bytes)
    for position, header in sound_headers(file, 0, size):
        yield from _no_batch(start + end, position - end)
        found = FoundBatch(start + position, header, file.read_at(position, header.size))
        yield batch_line(found)
        for offset, line in lines_inside(file.path, found, options) if options.deep else ():
            report.check_consecutive(file.path, last_offset, offset)
            last_offset = offset
            yield line
        end = position + header.size
    yield from _no_batch(start + end, size - end)


def _no_batch(position: int, size: int) -> Iterator[Shown]:
    if size:
        text = f"Found {size} bytes without a sound batch at position: {position}"
        yield Shown("invalid_bytes", {"position": position, "bytes": size}, text)
