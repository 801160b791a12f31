"""Whether the newest records of a topic could be read with another schema."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from moldau.client.schemas import DataError, RegistryClient, RegistryError
from moldau.schemas.framing import VALUE_HEADER, frame_of
from moldau.schemas.model import InvalidSchemaError

if TYPE_CHECKING:
    from moldau.client import Consumer, ConsumerRecord
    from moldau.schemas.parsed import Decode, ParsedSchema

__all__ = ["broken_records", "newest_records"]

SECONDS_MAX = 10.0


def newest_records(consumer: Consumer, topic: str, count: int) -> list[ConsumerRecord]:
    """The last ones of each partition, `count` in all or a few more."""
    consumer.assign(topic)
    parts = consumer.assignment()
    ends = consumer.end_offsets(parts)
    starts = consumer.beginning_offsets(parts)
    share = -(-count // max(len(parts), 1))
    wanted = 0
    for part in parts:
        start = max(starts[part], ends[part] - share)
        wanted += ends[part] - start
        consumer.seek(part, start)
    found: list[ConsumerRecord] = []
    while len(found) < wanted:
        some = consumer.poll(SECONDS_MAX)
        if not some:
            break  # markers of transactions and compacted records take offsets too
        found += some
    return found


def broken_records(
    registry: RegistryClient, reader: ParsedSchema, records: Iterable[ConsumerRecord]
) -> list[tuple[str, str]]:
    """Place and reason of each that could not be read; records without a value can."""
    decoders: dict[int | str, Decode] = {}
    found: list[tuple[str, str]] = []
    for record in records:
        if record.value is None:
            continue
        prefix = next((value for name, value in record.headers if name == VALUE_HEADER), None)
        try:
            schema, payload = frame_of((prefix or b"") + record.value)
            if schema not in decoders:
                decoders[schema] = _decoder(registry, schema, reader)
            decoders[schema](payload)
        except (DataError, RegistryError, InvalidSchemaError) as error:
            found.append((f"{record.topic}-{record.partition}@{record.offset}", str(error)))
    return found


def _decoder(registry: RegistryClient, schema: int | str, reader: ParsedSchema) -> Decode:
    written = registry.by_id(schema) if isinstance(schema, int) else registry.by_guid(schema)
    parsed = registry.parsed(written.schema)
    if type(parsed) is not type(reader):
        raise DataError(f"it was written by a schema of {written.schema.kind}")
    return parsed.decoder(reader)
