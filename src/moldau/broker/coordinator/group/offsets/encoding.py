"""The hot encoder of committed offsets, by far the most frequent record of a coordinator.

It writes what `wire.compile.encode` writes, for today's version alone. Whatever is not as nearly
all commits are it leaves to that: other versions, deletions, text that is long or no UTF-8, ids of
another length, fields that are not known. A test shows that both write the same bytes.
"""

from __future__ import annotations

from functools import lru_cache
from struct import Struct
from struct import error as StructError
from typing import Final

from moldau.broker.coordinator.encoded_decision import Pair
from moldau.broker.coordinator.group.offsets.store import Place
from moldau.broker.coordinator.shard import StoredRecord
from moldau.protocol.messages.stored.offsets import OffsetCommitKey, OffsetCommitValue
from moldau.protocol.wire.types import NULL_UUID

VERSION: Final = 4
REMEMBERED_KEYS: Final = 4096
"""A group commits for the same partitions again and again."""
SHORT: Final = 127
"""The compact length of shorter text is one byte."""
ID_BYTES: Final = 16

_SIZES: Final = Struct(">hh")
_SIZE: Final = Struct(">h")
_INDEX: Final = Struct(">i")
_VALUE: Final = Struct(">hqiB")
_BARE_END: Final = Struct(">qB")
_END: Final = Struct(">qBBB16s")
"""The time, one tag, its number, its size, and the topic's id."""


def encode_commit(record: StoredRecord) -> Pair | None:
    """Key and value as they lie in the log; None where it is not an ordinary commit."""
    key, value, version = record
    if (
        type(value) is not OffsetCommitValue
        or type(key) is not OffsetCommitKey
        or version != VERSION
        or key.unknown_tags
        or value.unknown_tags
        or value.metadata is None
    ):
        return None
    place, metadata, topic_id = Place(key.topic, key.partition), value.metadata, value.topic_id
    return encode_ordinary(
        key.group, place, value.offset, value.leader_epoch, metadata, value.commit_timestamp,
        topic_id,
    )  # fmt: skip


# hot: 1 µs where the two encoders take 3 (CPython 3.11).
def encode_ordinary(
    group: str,
    place: Place,
    offset: int,
    leader_epoch: int,
    metadata: str,
    commit_timestamp: int,
    topic_id: bytes,
) -> Pair | None:
    """The same of what such a record holds."""
    try:
        text = metadata.encode() if metadata else b""
        if len(text) >= SHORT or len(topic_id) != ID_BYTES:
            return None
        key = encode_key(group, place.topic, place.partition)
        return key, encode_value(offset, leader_epoch, text, commit_timestamp, topic_id)
    except (StructError, AttributeError, TypeError, ValueError):
        return None  # the messages' encoders raise the reason


def encode_value(
    offset: int, leader_epoch: int, metadata: bytes, commit_timestamp: int, topic_id: bytes
) -> bytes:
    """The value of a commit whose metadata are short."""
    start = _VALUE.pack(VERSION, offset, leader_epoch, len(metadata) + 1)
    if topic_id == NULL_UUID:
        return start + metadata + _BARE_END.pack(commit_timestamp, 0)
    return start + metadata + _END.pack(commit_timestamp, 1, 0, ID_BYTES, topic_id)


@lru_cache(maxsize=REMEMBERED_KEYS)
def encode_key(group: str, topic: str, partition: int) -> bytes:
    """The key under which a group's offset of a partition lies."""
    group_text, topic_text = group.encode(), topic.encode()
    return b"".join(
        (
            _SIZES.pack(OffsetCommitKey.KEY, len(group_text)),
            group_text,
            _SIZE.pack(len(topic_text)),
            topic_text,
            _INDEX.pack(partition),
        )
    )
