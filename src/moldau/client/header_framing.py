"""Serializers that name their schema in a header of the record."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from moldau.client.arguments.records import headers_of
from moldau.client.interceptors import ProducerInterceptor, ProducerRecord

__all__ = ["HeaderFraming", "HeaderSerializer"]


@runtime_checkable
class HeaderSerializer(Protocol):
    """What `HeaderFraming` takes."""

    uses_header: bool

    def serialize(
        self, topic: str, value: object
    ) -> tuple[bytes | None, tuple[tuple[str, bytes], ...]]:
        """The bytes, and headers to be added."""
        ...


class HeaderFraming(ProducerInterceptor):
    """Behind all other interceptors: nothing of it is on the way of other serializers."""

    def __init__(self, key: HeaderSerializer | None, value: HeaderSerializer | None) -> None:
        self._key = key
        self._value = value

    @classmethod
    def of(cls, key: object, value: object) -> HeaderFraming | None:
        """None where neither uses a header."""
        found = [
            one if isinstance(one, HeaderSerializer) and one.uses_header else None
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
                changed[name], more = serializer.serialize(record.topic, getattr(record, name))
                headers += more
        return record._replace(**changed, headers=headers)
