"""Records of `__consumer_offsets`: which group has committed what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from moldau.client import TopicPartition
from moldau.errors import DecodeError
from moldau.platform.buffers import Buffer
from moldau.protocol.messages.stored.offsets import (
    LegacyOffsetCommitKey,
    LegacyOffsetCommitValue,
    OffsetCommitKey,
    OffsetCommitValue,
)
from moldau.protocol.wire.compile import decode

__all__ = ["OFFSETS_TOPIC", "Committed", "read_commit"]

OFFSETS_TOPIC = "__consumer_offsets"
TYPE_BYTES = 2
Kind = tuple[
    type[LegacyOffsetCommitKey | OffsetCommitKey],
    type[LegacyOffsetCommitValue | OffsetCommitValue],
]
KINDS: Mapping[int, Kind] = {
    LegacyOffsetCommitKey.KEY: (LegacyOffsetCommitKey, LegacyOffsetCommitValue),
    OffsetCommitKey.KEY: (OffsetCommitKey, OffsetCommitValue),
}


class Committed(NamedTuple):
    """One committed offset."""

    group: str
    part: TopicPartition
    offset: int | None
    """None: the group has no offset there any more."""
    time_ms: int


def read_commit(key: Buffer | None, value: Buffer | None, time_ms: int) -> Committed | None:
    """None for a record about something else, as members and assignments, or of a later Kafka."""
    if key is None or len(key) < TYPE_BYTES:
        return None
    kind = KINDS.get(int.from_bytes(key[:TYPE_BYTES], "big"))
    if kind is None:
        return None
    of_key, of_value = kind
    try:
        named = decode(of_key, 0, memoryview(key)[TYPE_BYTES:])
        part = TopicPartition(named.topic, named.partition)
        if value is None:
            return Committed(named.group, part, None, time_ms)
        version = int.from_bytes(value[:TYPE_BYTES], "big")
        kept = decode(of_value, version, memoryview(value)[TYPE_BYTES:])
    except DecodeError:
        return None
    return Committed(named.group, part, kept.offset, kept.commit_timestamp)
