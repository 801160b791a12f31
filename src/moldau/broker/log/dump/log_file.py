"""A `.log` or `.checkpoint` file as lines: batches, and their records if asked for.

The file is read as it is, whatever is wrong with it: batches are shown with `isvalid: false` where
their checksum fails, and bytes behind the last whole batch are counted. Only what cannot be shown
at all, a length or a record that makes no sense, ends the dump.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.log.dump.found import batches_in
from moldau.broker.log.dump.log_lines import MAX_BYTES, LogOptions, batch_line, lines_inside
from moldau.broker.log.dump.report import Report, Shown
from moldau.errors import CorruptRecordError
from moldau.platform.ports.files import Files


def dump_log(files: Files, path: str, options: LogOptions, report: Report) -> Iterator[Shown]:
    """The lines of one file; offsets that leave gaps go into the report."""
    yield _title(path)
    file = files.open(path, read_only=True)
    try:
        end = min(file.size(), options.max_bytes)
        position, last_offset = 0, -1
        for found in batches_in(file, 0, end):
            yield batch_line(found)
            for offset, line in lines_inside(path, found, options) if options.deep else ():
                report.check_consecutive(path, last_offset, offset)
                last_offset = offset
                yield line
            position = found.position + found.size
        if file.size() > position and options.max_bytes == MAX_BYTES:
            name, size = path.rpartition("/")[2], file.size() - position
            text = f"Found {size} invalid bytes at the end of {name}"
            yield Shown("invalid_bytes", {"bytes": size}, text)
    finally:
        file.close()


def _title(path: str) -> Shown:
    """What kind of file it is, from its name."""
    name = path.rpartition("/")[2]
    stem = name.partition(".")[0]
    if name.endswith(".log"):
        offset = _number(path, stem)
        return Shown("log", {"starting_offset": offset}, f"Log starting offset: {offset}")
    if name == "bootstrap.checkpoint":
        return Shown("bootstrap", {}, "KRaft bootstrap snapshot")
    digits, _, epoch_digits = stem.partition("-")
    offset, epoch = _number(path, digits), _number(path, epoch_digits)
    text = f"Snapshot end offset: {offset}, epoch: {epoch}"
    return Shown("snapshot", {"end_offset": offset, "epoch": epoch}, text)


def _number(path: str, digits: str) -> int:
    if not (digits.isascii() and digits.isdigit()):
        raise CorruptRecordError(f"{path}: its name lacks the offset at which it begins")
    return int(digits)
