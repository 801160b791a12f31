"""A record as programs hand it over, checked before it goes on its way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from moldau.client.arguments.places import AnyTime, no_topic, time_ms_of
from moldau.client.core.failure import ensure_done
from moldau.client.errors import InvalidArgumentError

__all__ = [
    "HeadersGiven",
    "bytes_of",
    "ensure_callable",
    "headers_of",
    "partition_of",
    "timestamp_of",
    "topic_of",
]

INT32_MAX = 0x7FFFFFFF
INT64_MAX = 0x7FFFFFFFFFFFFFFF
ANY = -1
NANOSECONDS_PER_MS = 1_000_000

HeadersGiven: TypeAlias = Mapping[str, Any] | Iterable[tuple[str, Any]]
"""Names and bytes or text, as pairs where a name repeats."""


def bytes_of(value: object, what: str) -> bytes | None:
    """The bytes of a key or a value: bytes as they are, text as UTF-8."""
    if value is None or type(value) is bytes:
        return value
    if isinstance(value, str):
        return _encoded(value, what)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    ensure_done(value, f"what makes a {what}", "await it before `send`")
    raise InvalidArgumentError(
        f"a {what} is bytes, text or None, and not {value!r}: give the producer a "
        f"{what}_serializer, such as 'json'"
    )


def _encoded(text: str, what: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(f"a {what} is text that UTF-8 cannot have: {error}") from None


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
    if time_ms > INT64_MAX:
        raise InvalidArgumentError(
            f"a timestamp is milliseconds since 1970 in 64 bits, and not {timestamp!r}"
        )
    return time_ms


def ensure_callable(on_delivery: object) -> None:
    if not callable(on_delivery):
        raise InvalidArgumentError(
            f"on_delivery is a function of metadata and an error, and not {on_delivery!r}"
        )


def topic_of(topic: object) -> str:
    if not isinstance(topic, str) or not topic or not topic.isascii():
        raise no_topic(topic)
    return topic


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError
    if not name.isascii():
        name.encode()  # or it would fail where it is packed
    return name
