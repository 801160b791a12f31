"""The answer to a fetch, as a message, or written flat where that is enough.

Most answers have a partition or two with a few records, or with their absence. Those are written as
the codec would write them (versions 12 on), and each partition by itself, so that the answers to
many fetches may have it in them:

    throttle time, error code, session id
    topics: id or name, partitions: index, error code, high watermark, last stable offset, start,
    aborted transactions, preferred replica, records
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct as Packer
from typing import Final, cast

from moldau.broker.log.reading import FetchResult
from moldau.broker.log.segment.file_slice import FileSlice
from moldau.broker.log.segment.transaction_index import AbortedTransaction
from moldau.broker.server.call import EncodedParts
from moldau.broker.server.fetch.fetched import Fetched, PartitionResponse
from moldau.platform.buffers import Buffer
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.wire.varint import encode_uvarint

__all__ = [
    "FLAT_FROM",
    "SENDFILE_FROM",
    "PartitionData",
    "TopicAnswer",
    "by_topic",
    "flat_answer",
    "joined",
    "message_of",
    "response_of",
]

TopicAnswer = FetchResponse.FetchableTopicResponse
PartitionData = TopicAnswer.PartitionData
SENDFILE_FROM: Final = 16 * 1024
"""Smaller slices are read and sent with the rest of the answer: one call to the system less."""

FLAT_FROM: Final = 12
"""Below, nothing is compact."""
_HEAD: Final = Packer(">ihi")
_NUMBERS: Final = Packer(">ihqqqBi")
NULL_ABORTS: Final = 0
NO_ABORTS: Final = 1
NO_REPLICA_PREFERRED: Final = -1


def response_of(
    fetched: Fetched, found: FetchResult, *, is_cold: bool = False
) -> PartitionResponse:
    """That of a partition that was read."""
    # hot: for each partition of each fetch.
    piece = found.slice
    records: bytes | FileSlice = b""
    if piece is not None:
        records = piece.read() if piece.size < SENDFILE_FROM and not is_cold else piece
    return PartitionResponse(
        fetched, found.high_watermark, found.last_stable_offset, found.log_start_offset,
        found.aborted_transactions, records,
    )  # fmt: skip


# As a message.


def message_of(one: PartitionResponse) -> PartitionData:
    """The answer as a message, whatever is in it."""
    aborted = one.aborted_transactions
    data = PartitionData(
        partition_index=one.fetched.index,
        error_code=one.error_code,
        high_watermark=one.high_watermark,
        last_stable_offset=one.last_stable_offset,
        log_start_offset=one.log_start_offset,
        aborted_transactions=None if aborted is None else [_aborted(each) for each in aborted],
        preferred_read_replica=one.preferred_replica,
        records=cast(Buffer, one.records),  # the encoder takes a slice as a part of its own
    )
    if one.divergence is not None:
        epoch, end_offset = one.divergence
        data.diverging_epoch = PartitionData.EpochEndOffset(epoch=epoch, end_offset=end_offset)
    if one.leader is not None:
        leader_id, epoch = one.leader
        data.current_leader = PartitionData.LeaderIdAndEpoch(
            leader_id=leader_id, leader_epoch=epoch
        )
    return data


def _aborted(one: AbortedTransaction) -> PartitionData.AbortedTransaction:
    return PartitionData.AbortedTransaction(
        producer_id=one.producer_id, first_offset=one.first_offset
    )


def by_topic(responses: Iterable[PartitionResponse]) -> list[TopicAnswer]:
    """Neighbours of one topic under its name, as Kafka groups them."""
    topics: list[TopicAnswer] = []
    last: str | bytes | None = None
    for one in responses:
        if one.fetched.topic != last:
            last = one.fetched.topic
            topic = TopicAnswer(partitions=[])
            if isinstance(last, bytes):
                topic.topic_id = last
            else:
                topic.topic = last
            topics.append(topic)
        topics[-1].partitions.append(message_of(one))
    return topics


def joined(topics: list[TopicAnswer], more: list[TopicAnswer]) -> list[TopicAnswer]:
    """Those and these, of which the last and the first may be of the same topic."""
    if topics and more:
        last, first = topics[-1], more[0]
        if (last.topic, last.topic_id) == (first.topic, first.topic_id):
            last.partitions += first.partitions
            more = more[1:]
    topics += more
    return topics


# Flat.


def flat_answer(session_id: int, responses: list[PartitionResponse]) -> bytes | EncodedParts:
    """The whole of it, where all are plain."""
    # hot: once for each fetch.
    slices: list[FileSlice] = []
    places: list[int] = []
    parts: list[bytes] = [_HEAD.pack(0, 0, session_id), b""]
    topics = at = count = 0
    last: str | bytes = b""
    for one in responses:
        topic = one.fetched.topic
        if topic != last:
            _close(parts, at, last, count)
            topics, at, count, last = topics + 1, len(parts), 0, topic
            parts.append(b"")
        records = one.records
        if isinstance(records, bytes):
            parts.append(_encoded(one, records))
        else:
            parts.append(_numbers(one))
            places.append(len(parts))
            slices.append(records)
            parts.append(b"\0")
        count += 1
    _close(parts, at, last, count)
    parts[1] = encode_uvarint(topics + 1)
    parts.append(b"\0")
    if not slices:
        return b"".join(parts)
    return EncodedParts(_with_slices(parts, slices, places))


def _with_slices(parts: list[bytes], slices: list[FileSlice], places: list[int]) -> list[Buffer]:
    """Each of them before the part at its place, and what is between them as one."""
    mixed: list[Buffer] = []
    start = 0
    for piece, place in zip(slices, places, strict=True):
        mixed.append(b"".join(parts[start:place]))
        mixed.append(cast(Buffer, piece))  # a part of its own, as in the encoder's
        start = place
    mixed.append(b"".join(parts[start:]))
    return mixed


def _close(parts: list[bytes], at: int, topic: str | bytes, count: int) -> None:
    """Write a topic's head, now that it is known how many partitions it has."""
    if count:
        if isinstance(topic, str):
            name = topic.encode()
            topic = encode_uvarint(len(name) + 1) + name
        parts[at] = topic + encode_uvarint(count + 1)
        parts.append(b"\0")


def _numbers(one: PartitionResponse) -> bytes:
    """A partition up to its records."""
    numbers = _NUMBERS.pack(
        one.fetched.index, 0, one.high_watermark, one.last_stable_offset, one.log_start_offset,
        NULL_ABORTS if one.aborted_transactions is None else NO_ABORTS, NO_REPLICA_PREFERRED,
    )  # fmt: skip
    return numbers + encode_uvarint(one.size + 1)


def _encoded(one: PartitionResponse, records: bytes) -> bytes:
    """A partition; what is kept for others is written once."""
    kept = one.kept
    if kept is not None and kept.encoded:
        return kept.encoded
    encoded = b"".join((_numbers(one), records, b"\0"))
    if kept is not None:
        kept.encoded = encoded
    return encoded
