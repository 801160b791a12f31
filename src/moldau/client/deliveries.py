"""Records as a program hands them over, made into deliveries: the first half of `send`.

What a face adds to a delivery is how one waits for it. All that is done for each record is here, in
one call: its parts are checked, turned into bytes, and put into one object.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from typing import Any, Final, Protocol, TypeAlias

from moldau.client.arguments.places import AnyTime
from moldau.client.arguments.records import (
    HeadersGiven,
    bytes_of,
    ensure_callable,
    headers_of,
    partition_of,
    timestamp_of,
    topic_of,
)
from moldau.client.core.producing.batch import Delivery, Headers, OnDelivery, RecordMetadata
from moldau.client.serializers import Serializer
from moldau.platform.ports.clock import Clock

__all__ = ["AsyncDelivery", "Blocking", "Deliveries", "OnLoop", "SyncDelivery"]

NO_HEADERS: Final[Headers] = ()
ANY_PARTITION: Final = -1
NANOSECONDS_PER_MS: Final = 1_000_000

Untrusted: TypeAlias = Callable[[str, Any], object]
"""A serializer: what it returns is checked before it is used."""


class Blocking(Protocol):
    """What waits for a delivery in a thread."""

    def wait(self, delivery: Delivery, timeout: float | None) -> None: ...


class OnLoop(Protocol):
    """What waits for a delivery in a coroutine."""

    def wait(self, delivery: Delivery) -> Coroutine[Any, Any, RecordMetadata]: ...


class SyncDelivery(Delivery):
    """A record on its way: `result()` waits until it has arrived."""

    __slots__ = ("_producer",)

    def __init__(
        self,
        topic: str,
        value: bytes | None,
        key: bytes | None,
        partition: int,
        timestamp: int,
        headers: Headers,
        on_delivery: OnDelivery | None,
        producer: Blocking,
    ) -> None:
        if on_delivery is not None:
            ensure_callable(on_delivery)
        super().__init__(topic, value, key, partition, timestamp, headers, on_delivery)
        self._producer = producer

    def result(self, timeout: float | None = None) -> RecordMetadata:
        """Where it is, or the error that it ended with; `NotYetError` after `timeout` seconds."""
        if not self.is_done:
            self._producer.wait(self, timeout)
        return self.metadata()


class AsyncDelivery(Delivery):
    """A record on its way: await it to know where it has arrived."""

    __slots__ = ("_producing",)

    def __init__(
        self,
        topic: str,
        value: bytes | None,
        key: bytes | None,
        partition: int,
        timestamp: int,
        headers: Headers,
        on_delivery: OnDelivery | None,
        producing: OnLoop,
    ) -> None:
        if on_delivery is not None:
            ensure_callable(on_delivery)
        super().__init__(topic, value, key, partition, timestamp, headers, on_delivery)
        self._producing = producing

    def __await__(self) -> Generator[Any, None, RecordMetadata]:
        return self._producing.wait(self).__await__()


class Deliveries:
    """Makes the deliveries of one producer: records, serialized, that can be waited for."""

    __slots__ = ("_clock", "_key_serializer", "_value_serializer")

    def __init__(
        self, clock: Clock, key_serializer: Serializer | None, value_serializer: Serializer | None
    ) -> None:
        self._clock = clock
        self._key_serializer: Untrusted | None = key_serializer
        self._value_serializer: Untrusted | None = value_serializer

    # hot: all that the caller of `send` pays before the record is handed over.
    def blocking(
        self,
        producer: Blocking,
        topic: object,
        value: object,
        key: object,
        partition: object,
        timestamp: AnyTime | None,
        headers: HeadersGiven,
        on_delivery: OnDelivery | None,
    ) -> SyncDelivery:
        name = topic_of(topic)
        return SyncDelivery(
            name,
            self.value_bytes(name, value),
            self.key_bytes(name, key),
            ANY_PARTITION if partition is None else partition_of(partition),
            self._timestamp(timestamp),
            headers_of(headers) if headers else NO_HEADERS,
            on_delivery,
            producer,
        )

    # hot: the same for a loop.
    def on_loop(
        self,
        producing: OnLoop,
        topic: object,
        value: object,
        key: object,
        partition: object,
        timestamp: AnyTime | None,
        headers: HeadersGiven,
        on_delivery: OnDelivery | None,
    ) -> AsyncDelivery:
        name = topic_of(topic)
        return AsyncDelivery(
            name,
            self.value_bytes(name, value),
            self.key_bytes(name, key),
            ANY_PARTITION if partition is None else partition_of(partition),
            self._timestamp(timestamp),
            headers_of(headers) if headers else NO_HEADERS,
            on_delivery,
            producing,
        )

    def value_bytes(self, topic: str, value: object) -> bytes | None:
        if self._value_serializer is not None:
            value = self._value_serializer(topic, value)
        return value if type(value) is bytes else bytes_of(value, "value")

    def key_bytes(self, topic: str, key: object) -> bytes | None:
        if key is None or type(key) is bytes:
            return key
        if self._key_serializer is not None:
            key = self._key_serializer(topic, key)
        return bytes_of(key, "key")

    def _timestamp(self, timestamp: AnyTime | None) -> int:
        now_ms: int = self._clock.now_ms()
        return now_ms if timestamp is None else timestamp_of(timestamp, now_ms * NANOSECONDS_PER_MS)
