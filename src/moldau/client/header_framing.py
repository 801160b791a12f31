"""Serializers that name their schema in a header of the record, or have to know its key."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from moldau.client.arguments.records import headers_of
from moldau.client.interceptors import ProducerInterceptor, ProducerRecord

__all__ = ["HeaderFraming", "HeaderSerializer", "KeyTaker"]


@runtime_checkable
class HeaderSerializer(Protocol):
    """What `HeaderFraming` takes.

    With `takes_key` set, `serialize` is given the record's key, too, as it was before it was bytes.
    """

    uses_header: bool

    def serialize(
        self, topic: str, value: object
    ) -> tuple[bytes | None, tuple[tuple[str, bytes], ...]]:
        """The bytes, and headers to be added."""
        ...


@runtime_checkable
class KeyTaker(Protocol):
    """A `HeaderSerializer` that may use the key."""

    takes_key: bool

    def serialize(
        self, topic: str, value: object, *, key: object = None
    ) -> tuple[bytes | None, tuple[tuple[str, bytes], ...]]: ...


class HeaderFraming(ProducerInterceptor):
    """Behind all other interceptors: nothing of it is on the way of other serializers."""

    def __init__(self, key: HeaderSerializer | None, value: HeaderSerializer | None) -> None:
        self._key = key
        self._value = value

    @classmethod
    def of(cls, key: object, value: object) -> HeaderFraming | None:
        """None where neither needs more than its part of the record."""
        found = [
            one if isinstance(one, HeaderSerializer) and _needs_record(one) else None
            for one in (key, value)
        ]
        return cls(*found) if any(found) else None

    def takes(self, serializer: object) -> bool:
        return serializer is not None and serializer in (self._key, self._value)

    def on_send(self, record: ProducerRecord) -> ProducerRecord:
        changed: dict[str, Any] = {}
        headers = headers_of(record.headers)
        for name, serializer in (("key", self._key), ("value", self._value)):
            if serializer is not None:
                given = getattr(record, name)
                changed[name], more = _serialized(serializer, record, given)
                headers += more
        return record._replace(**changed, headers=headers)


def _needs_record(serializer: HeaderSerializer) -> bool:
    return serializer.uses_header or (isinstance(serializer, KeyTaker) and serializer.takes_key)


def _serialized(
    serializer: HeaderSerializer, record: ProducerRecord, given: object
) -> tuple[bytes | None, tuple[tuple[str, bytes], ...]]:
    if isinstance(serializer, KeyTaker) and serializer.takes_key:
        return serializer.serialize(record.topic, given, key=record.key)
    return serializer.serialize(record.topic, given)
