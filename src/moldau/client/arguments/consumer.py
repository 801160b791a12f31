"""What a consumer is made with, what it subscribes to, and who listens to changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from moldau.client.arguments.places import named_topics, pattern_of
from moldau.client.core.consuming.group_state import Change
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.errors import InvalidArgumentError
from moldau.client.interceptors import (
    ConsumerInterceptor,
    ConsumerInterceptors,
    interceptors_of,
)
from moldau.client.serializers import Deserializer, deserializer_of
from moldau.client.settings.client import Servers, settings_of
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition

if TYPE_CHECKING:
    from moldau.client.arrow import ChunkDecoder

__all__ = [
    "ARROW_COLUMNS",
    "ConsumerArguments",
    "RebalanceListener",
    "Subscription",
    "calls_after",
    "calls_before",
    "deserialized",
    "subscription_of",
]

ARROW_COLUMNS = ("key", "value", "topic", "partition", "offset", "timestamp", "headers")
EXTRA = "moldau.protocol.records.arrow"
"""Says what to install where pyarrow is missing."""
DECODER = "moldau.client.arrow"

Call = Callable[[Collection[TopicPartition]], object]


class RebalanceListener:
    """Called when partitions come and go; methods of an asynchronous consumer's may be `async`."""

    def on_assigned(self, parts: Collection[TopicPartition]) -> object:
        """They are read from now on."""

    def on_revoked(self, parts: Collection[TopicPartition]) -> object:
        """They go to another member after this: the last moment to commit for them."""

    def on_lost(self, parts: Collection[TopicPartition]) -> object:
        """They have gone to others already."""


class Subscription(NamedTuple):
    """Taken apart."""

    topics: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    server_pattern: str | None = None


class ConsumerArguments:
    """Taken apart, and checked."""

    def __init__(self, servers: Servers | None, given: Mapping[str, object]) -> None:
        rest: dict[str, Any] = dict(given)
        self._key = deserializer_of(rest.pop("key_deserializer", None))
        self._value = deserializer_of(rest.pop("value_deserializer", None))
        chain = interceptors_of(rest.pop("interceptor_classes", None), ConsumerInterceptor)
        self.settings = settings_of(ConsumerSettings, servers, rest)
        chain = chain or interceptors_of(self.settings.interceptor_classes, ConsumerInterceptor)
        self.interceptors = ConsumerInterceptors(chain) if chain else None

    @property
    def deserializes(self) -> bool:
        """Whether what is returned are other values than the bytes that came."""
        return self._key is not None or self._value is not None

    def read(self, records: list[ConsumerRecord]) -> list[ConsumerRecord]:
        """With keys and values as the deserializers make them, and as interceptors change them."""
        if self.deserializes:
            records = list(deserialized(records, self._key, self._value))
        return records if self.interceptors is None else self.interceptors.on_consume(records)

    def decoder(self) -> ChunkDecoder:
        """What makes Arrow of chunks; `MissingExtraError` without pyarrow."""
        import_module(EXTRA)
        check = self.settings.check_crcs
        kind = import_module(DECODER).ChunkDecoder
        made: ChunkDecoder = kind(ARROW_COLUMNS, check_checksums=check)
        return made


def deserialized(
    records: Iterable[ConsumerRecord], key_of: Deserializer | None, value_of: Deserializer | None
) -> Iterator[ConsumerRecord]:
    """With keys and values as these make them."""
    if hasattr(key_of, "deserialize") or hasattr(value_of, "deserialize"):
        yield from _with_headers(records, key_of, value_of)
        return
    for record in records:
        key, value = record.key, record.value
        if key_of is not None and key is not None:
            key = key_of(record.topic, key)
        if value_of is not None and value is not None:
            value = value_of(record.topic, value)
        yield record.read_as(key, value)


def _with_headers(
    records: Iterable[ConsumerRecord], key_of: Deserializer | None, value_of: Deserializer | None
) -> Iterator[ConsumerRecord]:
    """For those that look into headers: their schema may be named there."""

    def read(record: ConsumerRecord, of: Deserializer | None, data: Any) -> Any:  # noqa: ANN401
        if of is None or data is None:
            return data
        whole = getattr(of, "deserialize", None)
        if whole is None:
            return of(record.topic, data)
        return whole(record.topic, data, record.headers)

    for record in records:
        key, value = read(record, key_of, record.key), read(record, value_of, record.value)
        yield record.read_as(key, value)


def subscription_of(
    topics: str | Iterable[str] | re.Pattern[str] | None, server_pattern: str | None
) -> Subscription:
    """Names, or one pattern: that the client looks up, or the server."""
    if server_pattern is not None:
        return Subscription(server_pattern=server_pattern)
    if isinstance(topics, re.Pattern):
        return Subscription(pattern=pattern_of(topics))
    if topics is None:
        raise InvalidArgumentError("subscribe takes topics, a pattern, or server_pattern=")
    return Subscription(topics=tuple(named_topics(topics)))


def calls_before(
    change: Change, listener: RebalanceListener | None
) -> Iterator[tuple[Call, Collection[TopicPartition]]]:
    """What the listener is called with before partitions go."""
    if listener is not None and change.revoked:
        call = listener.on_lost if change.is_loss else listener.on_revoked
        yield call, sorted(change.revoked)


def calls_after(
    change: Change, listener: RebalanceListener | None
) -> Iterator[tuple[Call, Collection[TopicPartition]]]:
    """What it is called with when partitions have come."""
    if listener is not None and not change.revoked:
        yield listener.on_assigned, sorted(change.assigned)
