"""Batches, messages and records as lines, word for word as Kafka's tool has them.

A message of formats 0 and 1 has a line like a batch and, where records are shown, one for each
message inside, which has a checksum of its own there. Format 0 has no timestamps, and Kafka's word
for their kind shows it.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.log.dump.control import control_text
from moldau.broker.log.dump.decoders import Decoder
from moldau.broker.log.dump.found import Found, FoundBatch, FoundMessage
from moldau.broker.log.dump.opening import Opening, key_of
from moldau.broker.log.dump.report import Shown, optional_text, words_text
from moldau.errors import CorruptRecordError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import BatchHeader, TimestampType
from moldau.protocol.records.compression import CODECS, Codec
from moldau.protocol.records.legacy import Message, opened
from moldau.protocol.records.record import Record, iterate_records

MAX_BYTES = 2**31 - 1
"""What stands for the whole file."""
_TIME_NAMES = {TimestampType.CREATE: "CreateTime", TimestampType.LOG_APPEND: "LogAppendTime"}
_NO_TIME_NAME = "NoTimestampType"


NO_KEYS = Opening()


@dataclass(frozen=True, slots=True)
class LogOptions:
    """What to show of a log."""

    deep: bool = False
    decoder: Decoder | None = None
    """How to show keys and values; None shows neither."""
    skips_metadata: bool = False
    max_bytes: int = MAX_BYTES
    opening: Opening = NO_KEYS


def batch_line(found: Found) -> Shown:
    return _batch_line(found) if isinstance(found, FoundBatch) else _message_line(found)


def lines_inside(path: str, found: Found, options: LogOptions) -> Iterator[tuple[int, Shown]]:
    """A line for each record, with its offset."""
    if isinstance(found, FoundBatch):
        for record in iterate_records(options.opening.opened(path, found)):
            yield record.offset, _record_line(found.header, record, options)
    else:
        time_name = _time_name(found.message)
        for message in opened(found.message):
            yield message.offset, _inner_line(time_name, message, options)


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
    if header.is_encrypted and not header.is_control:
        fields["encryptedWith"] = key_of(found)
    words = {**fields, "deleteHorizonMs": optional_text(horizon_ms)}
    return Shown("batch", fields, words_text(words))


def _codec_name(codec: int) -> str:
    try:
        return CODECS[Codec(codec)].name
    except ValueError:
        raise CorruptRecordError(f"batch names compression codec {codec}: there is none") from None


def _message_line(found: FoundMessage) -> Shown:
    message = found.message
    fields: dict[str, object] = {
        "offset": message.offset,
        "position": found.position,
        _time_name(message): message.timestamp,
        "size": message.size,
        "magic": message.magic,
        "compresscodec": _codec_name(message.codec),
        "crc": message.crc,
        "isvalid": message.is_valid,
    }
    return Shown("batch", fields, words_text(fields))


def _time_name(message: Message) -> str:
    return _TIME_NAMES[message.timestamp_type] if message.magic else _NO_TIME_NAME


def _inner_line(time_name: str, message: Message, options: LogOptions) -> Shown:
    record = message.record()
    fields: dict[str, object] = {}
    if not options.skips_metadata:
        fields = {
            "offset": record.offset,
            time_name: record.timestamp,
            **_sizes(record),
            "isValid": message.is_valid,
            "crc": message.crc,
        }
    return _with_data(fields, f"| {words_text(fields)}" if fields else "", record, options)


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
    if header.is_control:
        return Shown("record", fields, text)
    return _with_data(fields, text, record, options)


def _with_data(fields: dict[str, object], text: str, record: Record, options: LogOptions) -> Shown:
    """The line, and behind it key and value if a decoder is there to show them."""
    if options.decoder is None:
        return Shown("record", fields, text)
    key, payload = options.decoder.read(record)
    shown = [
        f"{name}: {part.text}"
        for name, part in (("key", key), ("payload", payload))
        if part.text is not None
    ]
    text += "".join(f" {word}" for word in shown)
    text = f"|{text}" if options.skips_metadata and shown else text
    return Shown("record", {**fields, "key": key.plain, "payload": payload.plain}, text)


def _metadata(header: BatchHeader, record: Record) -> dict[str, object]:
    return {
        "offset": record.offset,
        _TIME_NAMES[header.timestamp_type]: record.timestamp,
        **_sizes(record),
        "sequence": record.sequence,
        "headerKeys": [key for key, _ in record.headers],
    }


def _sizes(record: Record) -> dict[str, object]:
    return {
        "keySize": -1 if record.key is None else len(record.key),
        "valueSize": -1 if record.value is None else len(record.value),
    }
