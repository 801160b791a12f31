"""What a share consumer is made with, and how records are named to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from moldau.client.arguments import named_topics, offset_of
from moldau.client.consumer_given import deserialized
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.serializers import deserializer_of
from moldau.client.settings import Servers, settings_of
from moldau.client.share_settings import ShareSettings
from moldau.client.topic_partition import TopicPartition

__all__ = ["AnyRecord", "ShareArguments", "place_of"]

AnyRecord: TypeAlias = ConsumerRecord | tuple[str, int, int]
"""A record, or its topic, partition and offset: for one that no deserializer could read."""


def place_of(record: AnyRecord) -> tuple[TopicPartition, int]:
    topic, partition, offset = record[:3]
    return TopicPartition(topic, partition), offset_of(offset)


class ShareArguments:
    """Taken apart, and checked."""

    def __init__(self, servers: Servers | None, given: Mapping[str, object]) -> None:
        rest: dict[str, Any] = dict(given)
        self._key = deserializer_of(rest.pop("key_deserializer", None))
        self._value = deserializer_of(rest.pop("value_deserializer", None))
        self.settings = settings_of(ShareSettings, servers, rest)

    def topics(self, given: str | Iterable[str]) -> list[str]:
        return named_topics(given)

    def read(self, records: list[ConsumerRecord]) -> list[ConsumerRecord]:
        """With keys and values as the deserializers make them."""
        if self._key is None and self._value is None:
            return records
        return list(deserialized(records, self._key, self._value))
