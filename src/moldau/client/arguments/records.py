"""A record as programs hand it over, checked before it goes on its way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from moldau.client.arguments.places import AnyTime, time_ms_of
from moldau.client.errors import InvalidArgumentError

__all__ = ["HeadersGiven", "bytes_of", "headers_of", "partition_of", "timestamp_of", "topic_of"]

INT32_MAX = 0x7FFFFFFF
ANY = -1
NANOSECONDS_PER_MS = 1_000_000

HeadersGiven: TypeAlias = Mapping[str, Any] | Iterable[tuple[str, Any]]
"""Names and bytes or text, as pairs where a name repeats."""


def bytes_of(value: object, what: str) -> bytes | None:
    """Of a key or a value: bytes as they are, text as UTF-8."""
    if value is None or type(value) is bytes:
        return value
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    raise InvalidArgumentError(
        f"a {what} is bytes, text or None, and not {value!r}: give the producer a "
        f"{what}_serializer, such as 'json'"
    )


def headers_of(headers: HeadersGiven) -> tuple[tuple[str, bytes | None], ...]:
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    try:
        return tuple((_name(name), bytes_of(value, "header")) for name, value in pairs)
    except (TypeError, ValueError):
        raise InvalidArgumentError(
            f"headers are a mapping or pairs of a name and bytes, such as [('trace', b'7')], and "
            f"not {headers!r}"
        ) from None


def partition_of(partition: object) -> int:
    """-1 where it is left to the partitioner."""
    if partition is None:
        return ANY
    if not isinstance(partition, int) or isinstance(partition, bool):
        raise InvalidArgumentError(f"a partition is a number, and not {partition!r}")
    if not 0 <= partition <= INT32_MAX:
        raise InvalidArgumentError(f"a partition is a number from 0 on, and not {partition}")
    return partition


def timestamp_of(timestamp: AnyTime | None, now_ns: int) -> int:
    """Milliseconds since 1970; now, where none is given."""
    if timestamp is None:
        return now_ns // NANOSECONDS_PER_MS
    time_ms = time_ms_of(timestamp)
    if time_ms < 0:
        raise InvalidArgumentError(f"a record has no timestamp before 1970: {timestamp!r}")
    return time_ms


def topic_of(topic: object) -> str:
    if not isinstance(topic, str) or not topic:
        raise InvalidArgumentError(f"the name of a topic is text, and not {topic!r}")
    return topic


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError
    return name
