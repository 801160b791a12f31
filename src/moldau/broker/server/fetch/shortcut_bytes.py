"""Answers of fetches without an error, written flat as the codec does it (versions 13 on).

    throttle time, error code, session id
    topics: id, partitions: index, error code, high watermark, last stable offset, start, aborted
    transactions, preferred replica, records

A partition is written by itself, so that many answers may have it in them.
"""

from __future__ import annotations

from struct import Struct as Packer
from typing import Final

from moldau.protocol.wire.varint import encode_uvarint

__all__ = ["IDS_FROM", "answer_body", "partition_answer"]

IDS_FROM: Final = 13
"""Below, topics have names."""
_HEAD: Final = Packer(">ihi")
_NUMBERS: Final = Packer(">ihqqqBi")
NULL_ABORTS: Final = 0
NO_ABORTS: Final = 1
NO_REPLICA_PREFERRED: Final = -1


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
