"""How records are shown: the formatters of Kafka's console consumers, and what reads bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Protocol, cast

from moldau.client import ConsumerRecord
from moldau.programs.tools.kafka.deserializers import READERS, Reader, UnreadableError

__all__ = ["LineWriter", "NoOutput", "RecordWriter", "formatter_class"]

PACKAGE = "org.apache.kafka.tools.consumer."
SERIALIZATION = "org.apache.kafka.common.serialization."
TIMES = {0: "CreateTime", 1: "LogAppendTime"}


class LineWriter(Protocol):
    """What a formatter is."""

    def line(self, record: ConsumerRecord) -> bytes:
        """The record, with what ends it."""
        ...


def _reader(properties: Mapping[str, str], name: str) -> Reader:
    wanted = properties.get(name)
    if wanted is None:
        return bytes
    found = READERS.get(wanted.removeprefix(SERIALIZATION))
    if found is None:
        raise UnreadableError(f"{name}={wanted}: there are {', '.join(READERS)}")
    return found


class RecordWriter:
    """Fields in columns: Kafka's DefaultMessageFormatter, with its properties."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        def wants(name: str, otherwise: bool = False) -> bool:
            text = properties.get(f"print.{name}")
            return otherwise if text is None else text.strip().lower() == "true"

        self._read_key: Reader = _reader(properties, "key.deserializer")
        self._read_value: Reader = _reader(properties, "value.deserializer")
        self._columns: list[Callable[[ConsumerRecord], bytes]] = [
            show
            for name, show in (
                ("timestamp", self._time),
                ("partition", lambda record: b"Partition:%d" % record.partition),
                ("offset", lambda record: b"Offset:%d" % record.offset),
                ("delivery", self._delivery),
                ("epoch", self._epoch),
                ("headers", self._headers),
                ("key", lambda record: self._bytes(record.key, self._read_key)),
            )
            if wants(name)
        ]
        if wants("value", otherwise=True):
            self._columns.append(lambda record: self._bytes(record.value, self._read_value))
            self._ends = True
        else:
            self._ends = bool(self._columns)
        self._column_end = properties.get("key.separator", "\t").encode()
        self._line_end = properties.get("line.separator", "\n").encode()
        self._header_end = properties.get("headers.separator", ",").encode()
        self._null = properties.get("null.literal", "null").encode()
        self._read_header = _reader(properties, "headers.deserializer")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self._columns)} columns>"

    def line(self, record: ConsumerRecord) -> bytes:
        """With what ends it."""
        if not self._ends:
            return b""
        return self._column_end.join(show(record) for show in self._columns) + self._line_end

    def _time(self, record: ConsumerRecord) -> bytes:
        kind = TIMES.get(record.timestamp_type)
        return b"NO_TIMESTAMP" if kind is None else f"{kind}:{record.timestamp}".encode()

    def _epoch(self, record: ConsumerRecord) -> bytes:
        return (
            b"Epoch:NOT_PRESENT" if record.leader_epoch < 0 else b"Epoch:%d" % record.leader_epoch
        )

    def _delivery(self, record: ConsumerRecord) -> bytes:
        count = record.delivery_count
        return b"Delivery:NOT_PRESENT" if count is None else b"Delivery:%d" % count

    def _headers(self, record: ConsumerRecord) -> bytes:
        return (
            self._header_end.join(
                name.encode() + b":" + self._bytes(value, self._read_header)
                for name, value in record.headers
            )
            or b"NO_HEADERS"
        )

    def _bytes(self, data: bytes | None, read: Reader) -> bytes:
        return self._null if data is None else read(bytes(data))


class NoOutput(RecordWriter):
    """Kafka's NoOpMessageFormatter."""

    def line(self, record: ConsumerRecord) -> bytes:
        return b""


FORMATTERS: dict[str, type[RecordWriter]] = {
    "DefaultMessageFormatter": RecordWriter,
    "LoggingMessageFormatter": RecordWriter,
    "NoOpMessageFormatter": NoOutput,
}
"""What the second logs besides is of a level that Kafka's tools do not show."""
OF_COORDINATORS = {
    "OffsetsMessageFormatter": "OffsetWriter",
    "GroupMetadataMessageFormatter": "GroupWriter",
    "ShareGroupMessageFormatter": "ShareGroupWriter",
    "TransactionLogMessageFormatter": "TransactionWriter",
    "group.share.ShareGroupStateMessageFormatter": "ShareStateWriter",
}
COORDINATOR_LINES = "moldau.programs.tools.kafka.coordinator_lines"
"""Imported for these alone: it takes what nodes keep in their topics with it."""


def formatter_class(name: str) -> Callable[[Mapping[str, str]], LineWriter]:
    """The one of this name of Kafka's, with or without its package."""
    short = name.removeprefix(PACKAGE)
    if short in OF_COORDINATORS:
        of_coordinators = getattr(import_module(COORDINATOR_LINES), OF_COORDINATORS[short])
        return cast("Callable[[Mapping[str, str]], LineWriter]", of_coordinators)
    found = FORMATTERS.get(short)
    if found is None:
        there = ", ".join([*FORMATTERS, *OF_COORDINATORS])
        raise UnreadableError(f"--formatter {name}: there are {there}")
    return found
