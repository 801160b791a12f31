"""A `.log` or `.checkpoint` file as lines: batches, and their records if asked for.

The file is read as it is, whatever is wrong with it: batches are shown with `isvalid: false` where
their checksum fails, and bytes behind the last whole batch are counted. Only what cannot be shown
at all, a length or a record that makes no sense, ends the dump.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from moldau.errors import CorruptRecordError
from moldau.log.dump.control import control_text
from moldau.log.dump.decoders import Decoder
from moldau.log.dump.report import Report, Shown
from moldau.ports.files import File, Files
from moldau.records.batch import (
    HEADER_SIZE,
    LENGTH_END,
    MAGIC,
    BatchHeader,
    TimestampType,
    checksum_of,
    read_header,
)
from moldau.records.compression import CODECS, Codec
from moldau.records.record import Record, iterate_records

MAX_BYTES = 2**31 - 1
"""What stands for the whole file."""
_MAGIC_END = 17
"""A header that is shorter does not say how to read it."""
_PREFIX_BYTES_MIN = 14
"""The shortest batch that any format has, without base offset and length."""
_TIME_NAMES = {TimestampType.CREATE: "CreateTime", TimestampType.LOG_APPEND: "LogAppendTime"}


@dataclass(frozen=True, slots=True)
class LogOptions:
    """What to show of a log."""

    deep: bool = False
    decoder: Decoder | None = None
    """How to show keys and values; None shows neither."""
    skips_metadata: bool = False
    max_bytes: int = MAX_BYTES


@dataclass(frozen=True, slots=True)
class FoundBatch:
    """A batch and where it begins."""

    position: int
    header: BatchHeader
    contents: bytes

    @property
    def is_valid(self) -> bool:
        return checksum_of(self.contents, self.header) == self.header.crc


def dump_log(files: Files, path: str, options: LogOptions, report: Report) -> Iterator[Shown]:
    """The lines of one file; offsets that leave gaps go into the report."""
    yield _title(path)
    file = files.open(path, read_only=True)
    try:
        end = min(file.size(), options.max_bytes)
        position, last_offset = 0, -1
        for found in batches_in(file, 0, end):
            yield _batch_line(found)
            if options.deep:
                for record in iterate_records(found.contents):
                    report.check_consecutive(path, last_offset, record.offset)
                    last_offset = record.offset
                    yield _record_line(found.header, record, options)
            position = found.position + found.header.size
        if file.size() > position and options.max_bytes == MAX_BYTES:
            name, size = path.rpartition("/")[2], file.size() - position
            text = f"Found {size} invalid bytes at the end of {name}"
            yield Shown("invalid_bytes", {"bytes": size}, text)
    finally:
        file.close()


def batches_in(file: File, position: int, end: int) -> Iterator[FoundBatch]:
    """The batches from `position` on, as far as they are whole."""
    while position + _MAGIC_END <= end:
        prefix = file.read_at(position, HEADER_SIZE)
        length = int.from_bytes(prefix[8:LENGTH_END], "big", signed=True)
        if length < _PREFIX_BYTES_MIN:
            raise CorruptRecordError(f"{file.path}: at byte {position} a batch of {length} bytes")
        if position + LENGTH_END + length > end:
            return
        if prefix[_MAGIC_END - 1] != MAGIC or length < HEADER_SIZE - LENGTH_END:
            raise CorruptRecordError(
                f"{file.path}: at byte {position} there is batch format {prefix[_MAGIC_END - 1]}, "
                f"which Kafka stopped writing with 3.0; only {MAGIC} can be shown"
            )
        contents = file.read_at(position, LENGTH_END + length)
        yield FoundBatch(position, read_header(contents), contents)
        position += LENGTH_END + length


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
        raise CorruptRecordError(f"{path}: its name does not say at which offset it begins")
    return int(digits)


def _batch_line(found: FoundBatch) -> Shown:
    header = found.header
    horizon_ms = header.delete_horizon_ms
    fields: dict[str, object] = {
        "baseOffset": header.base_offset,
        "lastOffset": header.last_offset,
        "count": header.record_count,
        "baseSequence": header.base_sequence,
        "lastSequence": header.last_sequence,
        "producerId": header.producer_id,
        "producerEpoch": header.producer_epoch,
        "partitionLeaderEpoch": header.leader_epoch,
        "isTransactional": header.is_transactional,
        "isControl": header.is_control,
        "deleteHorizonMs": horizon_ms,
        "position": found.position,
        _TIME_NAMES[header.timestamp_type]: header.max_timestamp,
        "size": header.size,
        "magic": header.magic,
        "compresscodec": _codec_name(header.codec),
        "crc": header.crc & 0xFFFFFFFF,
        "isvalid": found.is_valid,
    }
    words = {**fields, "deleteHorizonMs": optional_text(horizon_ms)}
    return Shown("batch", fields, words_text(words))


def _codec_name(codec: int) -> str:
    try:
        return CODECS[Codec(codec)].name
    except ValueError:
        raise CorruptRecordError(f"batch names compression codec {codec}: there is none") from None


def _record_line(header: BatchHeader, record: Record, options: LogOptions) -> Shown:
    fields: dict[str, object] = {}
    text = ""
    if not options.skips_metadata:
        fields = _metadata(header, record)
        words = {**fields, "headerKeys": f"[{','.join(key for key, _ in record.headers)}]"}
        text = f"| {words_text(words)}"
        if header.is_control:
            control = control_text(record)
            return Shown("record", {**fields, "control": control}, f"{text} {control}")
    if options.decoder is not None and not header.is_control:
        key, payload = options.decoder.read(record)
        fields |= {"key": key.plain, "payload": payload.plain}
        shown = [
            f"{name}: {part.text}"
            for name, part in (("key", key), ("payload", payload))
            if part.text is not None
        ]
        text += "".join(f" {word}" for word in shown)
        text = f"|{text}" if options.skips_metadata and shown else text
    return Shown("record", fields, text)


def _metadata(header: BatchHeader, record: Record) -> dict[str, object]:
    return {
        "offset": record.offset,
        _TIME_NAMES[header.timestamp_type]: record.timestamp,
        "keySize": -1 if record.key is None else len(record.key),
        "valueSize": -1 if record.value is None else len(record.value),
        "sequence": record.sequence,
        "headerKeys": [key for key, _ in record.headers],
    }


def words_text(fields: dict[str, object]) -> str:
    """`name: value` for each, with Java's words for true and false."""
    return " ".join(f"{name}: {_word(value)}" for name, value in fields.items())


def optional_text(number: int | None) -> str:
    """As Java shows a number that may be missing."""
    return "OptionalLong.empty" if number is None else f"OptionalLong[{number}]"


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
