"""The arguments of `read_table` in the core's form; and how its batches become one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from moldau.client.arguments.places import (
    AnyTime,
    columns_of,
    named_partition,
    named_topics,
    offset_of,
    time_ms_of,
)
from moldau.client.core.offset_lookups import EARLIEST, LATEST
from moldau.client.core.ranges import AtOffset, AtOffsets, AtTime, Bound, TopicRange
from moldau.client.errors import InvalidArgumentError

if TYPE_CHECKING:
    import pyarrow as pa

    from moldau.client.arrow import ChunkDecoder
    from moldau.client.settings.client import ClientSettings

__all__ = ["COLUMNS", "AnyOffset", "chunk_decoder", "table_of", "topic_range"]

COLUMNS = ("key", "value", "topic", "partition", "offset", "timestamp", "timestampType")
"""What a reader gets that asks for nothing else; there are `headers` too."""
EXTRA = "moldau.protocol.records.arrow"
"""Its import fails with what to install where pyarrow is missing."""
DECODER = "moldau.client.arrow"
"""Loaded with the first read: the rest of a connection works without pyarrow."""

AnyOffset: TypeAlias = int | Mapping[Any, int]
"""An offset of every partition, or one for each: by number, or by `TopicPartition`."""


def topic_range(
    topic: str,
    partitions: int | Iterable[int] | None,
    starts: tuple[AnyOffset | None, AnyTime | None],
    ends: tuple[AnyOffset | None, AnyTime | None],
) -> TopicRange:
    """Each bound is an offset or a time; where it is neither, the log's own."""
    (name,) = named_topics([topic])
    return TopicRange(
        name,
        None if partitions is None else _numbers(partitions),
        _bound(name, "start", *starts, EARLIEST),
        _bound(name, "end", *ends, LATEST),
    )


def chunk_decoder(columns: str | Sequence[str], settings: ClientSettings) -> ChunkDecoder:
    """What makes record batches with these columns; `MissingExtraError` without pyarrow."""
    import_module(EXTRA)
    decoder: ChunkDecoder = import_module(DECODER).ChunkDecoder(
        columns_of(columns), check_checksums=settings.check_crcs
    )
    return decoder


def table_of(batches: Iterable[pa.RecordBatch], columns: str | Sequence[str]) -> pa.Table:
    """With these columns, also where there are no records."""
    table: pa.Table = import_module(DECODER).table_of(batches, columns_of(columns))
    return table


def _numbers(partitions: int | Iterable[int]) -> tuple[int, ...]:
    found = list(partitions) if isinstance(partitions, Iterable) else [partitions]
    for number in found:
        if not hasattr(number, "__index__") or isinstance(number, bool):
            raise InvalidArgumentError(
                f"partitions= takes numbers, such as [0, 1], and not {number!r}"
            )
    return tuple(dict.fromkeys(number.__index__() for number in found))


def _bound(
    topic: str, name: str, offset: AnyOffset | None, time: AnyTime | None, place: int
) -> Bound:
    if offset is not None and time is not None:
        raise InvalidArgumentError(
            f"{name}= is an offset and {name}_time= a time: give one of them"
        )
    if time is not None:
        return AtTime(max(time_ms_of(time), 0))
    if offset is None:
        return AtTime(place)
    if isinstance(offset, Mapping):
        pairs = offset.items()
        return AtOffsets({_number(topic, part): offset_of(given) for part, given in pairs})
    return AtOffset(offset_of(offset))


def _number(topic: str, part: object) -> int:
    if isinstance(part, int):
        return int(part)
    found = named_partition(part)
    if found.topic != topic:
        raise InvalidArgumentError(f"{found} is no partition of {topic}")
    return found.partition
