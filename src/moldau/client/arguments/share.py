"""What a share consumer is made with, and how records are named to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from moldau.client.arguments.consumer import DESERIALIZERS, Readable, readable
from moldau.client.arguments.places import named_partition, named_topics, offset_of
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.sharing.held import AcknowledgeType
from moldau.client.errors import InvalidArgumentError
from moldau.client.serializers import deserializer_of, taken_from
from moldau.client.settings.client import Servers, settings_of
from moldau.client.settings.share import ShareSettings
from moldau.client.topic_partition import TopicPartition

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["AnyRecord", "ShareArguments", "arrow_batch", "kind_of", "place_of", "places_of"]

EXTRA = "moldau.protocol.records.arrow"
"""Its import fails with what to install where pyarrow is missing."""
ARROW = "moldau.client.share_arrow"

PLACE_FIELDS = 3
RELEASED = "it was released, unless you acknowledge it otherwise before the next poll"

AnyRecord: TypeAlias = ConsumerRecord | tuple[str, int, int]
"""A record, or its topic, partition and offset: for one that no deserializer could read."""


def place_of(record: AnyRecord) -> tuple[TopicPartition, int]:
    if len(record) < PLACE_FIELDS:
        raise _no_record(record)
    topic, partition, offset = record[:PLACE_FIELDS]
    return named_partition((topic, partition)), offset_of(offset)


def _no_record(given: object) -> InvalidArgumentError:
    return InvalidArgumentError(
        "what is acknowledged is a record that poll returned, or its topic, partition and offset, "
        f"or a batch of Arrow, and not {given!r}"
    )


def kind_of(kind: object) -> AcknowledgeType:
    """What became of it."""
    if isinstance(kind, AcknowledgeType):
        return kind
    names = ", ".join(f"AcknowledgeType.{one.name}" for one in AcknowledgeType)
    raise InvalidArgumentError(f"what became of a record is one of {names}, and not {kind!r}")


def places_of(given: AnyRecord | pa.RecordBatch | pa.Table) -> Iterator[tuple[TopicPartition, int]]:
    """The same, of one record or of all rows of a batch."""
    if isinstance(given, ConsumerRecord | tuple):
        yield place_of(given)
    else:
        if not hasattr(given, "schema"):
            raise _no_record(given)
        import_module(EXTRA)
        yield from import_module(ARROW).places_in(given)


def arrow_batch(records: Sequence[ConsumerRecord]) -> pa.RecordBatch:
    """What was delivered as Arrow; `MissingExtraError` without pyarrow."""
    import_module(EXTRA)
    return import_module(ARROW).batch_of(records)


class ShareArguments:
    """The arguments of a share consumer, checked."""

    def __init__(self, servers: Servers | None, given: Mapping[str, object]) -> None:
        rest: dict[str, Any] = dict(given)
        servers, (key, value) = taken_from(servers, rest, DESERIALIZERS)
        self._key, self._value = deserializer_of(key), deserializer_of(value)
        self.settings = settings_of(ShareSettings, servers, rest)

    def topics(self, given: str | Iterable[str]) -> list[str]:
        return named_topics(given)

    def read(self, records: list[ConsumerRecord]) -> Readable:
        """With keys and values as the deserializers make them."""
        if self._key is None and self._value is None:
            return Readable(records)
        return readable(records, self._key, self._value, RELEASED)
