"""Fetches of consumers in sessions, read and answered flat, as the codec does it (versions 13 on).

    request   [replica id, up to 14], longest wait, min bytes, max bytes, isolation,
              session id and epoch
              topics: id, partitions: index, leader epoch, offset, epoch before it, start, max bytes
              forgotten topics, rack
    answer    throttle time, error code, session id
              topics: id, partitions: index, error code, high watermark, last stable offset, start,
              aborted transactions, preferred replica, records

Counts are read where they take one byte. Whatever else stands where nothing mostly stands (tags, a
replica's id, forgotten topics), makes a request one that has to be decoded.
"""

from __future__ import annotations

from struct import Struct as Packer
from typing import NamedTuple

from moldau.server.fetched import WantedPartition
from moldau.wire.varint import encode_uvarint

__all__ = [
    "IDS_FROM",
    "REPLICA_STATE_FROM",
    "AskedFetch",
    "answer_body",
    "partition_answer",
    "read_fetch",
]

IDS_FROM = 13
REPLICA_STATE_FROM = 15
"""Up to here a replica says who it is in the first four bytes."""
NO_REPLICA = b"\xff\xff\xff\xff"
SHORT = 0x80
"""Compact lengths below it are one byte."""
ID_BYTES = 16
NOTHING = 1
"""The length of an empty array in compact form, and of an empty string."""
NO_TAGS = 0
STRANGE = -1
_FIXED = Packer(">iiibiiB")
_PARTITION = Packer(">iiqiqiB")
_HEAD = Packer(">ihi")
_NUMBERS = Packer(">ihqqqBi")
NULL_ABORTS, NO_ABORTS = 0, 1
NO_REPLICA_PREFERRED = -1


class AskedFetch(NamedTuple):
    """What such a request says."""

    wait_max_ms: int
    min_bytes: int
    max_bytes: int
    isolation_level: int
    session_id: int
    session_epoch: int
    partitions: list[tuple[bytes, WantedPartition]]
    """New or changed ones: each with its topic's id."""


def read_fetch(frame: memoryview, position: int, version: int) -> AskedFetch | None:
    """None if it is no plain one; IndexError or struct.error where it breaks off."""
    if version < REPLICA_STATE_FROM:
        if frame[position : position + 4] != NO_REPLICA:
            return None
        position += 4
    wait, least, most, isolation, session_id, epoch, topics = _FIXED.unpack_from(frame, position)
    position += _FIXED.size
    partitions: list[tuple[bytes, WantedPartition]] = []
    if topics != NOTHING:
        position = _read_topics(frame, position, topics, partitions)
    if position == STRANGE or not _is_plain_end(frame, position):
        return None
    return AskedFetch(wait, least, most, isolation, session_id, epoch, partitions)


def _read_topics(
    frame: memoryview, position: int, topics: int, found: list[tuple[bytes, WantedPartition]]
) -> int:
    """The position behind them, or STRANGE."""
    if not NOTHING <= topics < SHORT:
        return STRANGE
    for _ in range(topics - 1):
        count = frame[position + ID_BYTES]
        if not NOTHING <= count < SHORT:
            return STRANGE
        topic = bytes(frame[position : position + ID_BYTES])
        position += ID_BYTES + 1
        for _ in range(count - 1):
            *wanted, tags = _PARTITION.unpack_from(frame, position)
            if tags != NO_TAGS:
                return STRANGE
            found.append((topic, WantedPartition._make(wanted)))
            position += _PARTITION.size
        if frame[position] != NO_TAGS:
            return STRANGE
        position += 1
    return position


def _is_plain_end(frame: memoryview, position: int) -> bool:
    """Nothing is forgotten, a rack may be named, and there are no tags."""
    size = frame[position + 1]
    if frame[position] != NOTHING or not NOTHING <= size < SHORT:
        return False
    end = position + 1 + size
    return frame[end] == NO_TAGS and bytes(frame[position + 2 : end]).isascii()


def partition_answer(
    index: int,
    high_watermark: int,
    last_stable_offset: int,
    log_start_offset: int,
    records: bytes,
    *,
    is_committed: bool,
) -> bytes:
    """A partition without an error, for a reader who asks for committed records, or for all."""
    aborts = NO_ABORTS if is_committed else NULL_ABORTS
    numbers = _NUMBERS.pack(
        index, 0, high_watermark, last_stable_offset, log_start_offset, aborts,
        NO_REPLICA_PREFERRED,
    )  # fmt: skip
    return b"".join((numbers, encode_uvarint(len(records) + 1), records, b"\0"))


def answer_body(session_id: int, told: list[tuple[bytes, bytes]]) -> bytes:
    """The whole of it: partitions with their topics' ids; neighbours of one topic go together."""
    parts: list[bytes] = [_HEAD.pack(0, 0, session_id), b""]
    topics = at = count = 0
    last = b""
    for topic, partition in told:
        if topic != last:
            if count:
                parts[at] = last + encode_uvarint(count + 1)
                parts.append(b"\0")
            topics, at, count, last = topics + 1, len(parts), 0, topic
            parts.append(b"")
        parts.append(partition)
        count += 1
    if count:
        parts[at] = last + encode_uvarint(count + 1)
        parts.append(b"\0")
    parts[1] = encode_uvarint(topics + 1)
    parts.append(b"\0")
    return b"".join(parts)
