"""Reading a leader's answer to a fetch while it comes.

    throttle time   int32           topics              how many
    error code      int16             id                  16 bytes
    session         int32             partitions          how many
                                        index, error, watermarks, log start     30 bytes
                                        aborted transactions                    none
                                        preferred replica                       int32
                                        records                                 their size first
                                        tags                                    diverging epoch

A large answer takes the leader as long to send as it takes to append here. So each partition is
taken as soon as all of it is there, while the leader sends those behind it.

What is not like this, and what other versions have, is left to the decoder of messages, once the
whole answer is there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from librt.strings import read_i16_be, read_i32_be, read_i64_be

from moldau.broker.replica.fetching import Divergence
from moldau.broker.runtime.replication.answers import PartitionAnswer
from moldau.errors import DecodeError
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.unseen import is_seen

__all__ = ["AnswerReader"]

PLAIN_FROM: Final = 13
"""Topics have ids since then."""
PLAIN_UNTIL: Final = 18
START_BYTES: Final = 10
"""Throttle time, error code and session."""
ID_BYTES: Final = 16
ABORTED_AT: Final = 30
"""In a partition: behind its fixed fields. None, or no transactions, is one byte."""
RECORDS_AT: Final = 35
"""Behind them and the preferred replica."""
VARINT_BYTES_MAX: Final = 5
TAGS_BYTES_MAX: Final = 64
"""Those of a diverging epoch are 18, others that a leader may add are left to the decoder."""
NO_TAGS: Final = 0
DIVERGING_EPOCH: Final = b"\x01\x00\x0d"
"""One tag, the diverging epoch's, of 13 bytes: epoch, end offset, no tags."""
DIVERGENCE_BYTES: Final = 16


class AnswerReader:
    """Of one answer: reads what has come, and hands on each partition once."""

    def __init__(self, take: Callable[[PartitionAnswer], None]) -> None:
        self._take = take
        self.error_code = 0
        """Of the whole answer, as the session."""
        self.session_id = 0
        self.count = 0
        """Partitions that were handed on."""
        self._version = 0
        self._is_plain = False
        self._at = 0
        """Where in the body to read on: at its start, a topic, or a partition."""
        self._topics_left = 0
        self._partitions_left = 0
        self._topic_id = b""

    def begin(self, version: int) -> None:
        """An answer of this version is awaited."""
        self._version = version
        self._is_plain = PLAIN_FROM <= version <= PLAIN_UNTIL

    def read_on(self, body: memoryview) -> None:
        """Hand on every partition that is whole; `body` is what has come of it."""
        # hot: once for each answer of a leader, and often for each large one.
        while self._is_plain and (answer := self._next(body)) is not None:
            self.count += 1
            self._take(answer)

    def finish(self, body: memoryview) -> None:
        """The same, and the whole answer is there; `DecodeError` if that is not so."""
        self.read_on(body)
        if not self._is_plain:
            self._decode(body)
        elif not self._at or self._topics_left or self._partitions_left:
            raise DecodeError(f"an answer to a fetch breaks off after {len(body)} bytes")

    def _next(self, body: memoryview) -> PartitionAnswer | None:
        """None where there is no more, or the rest of it is still to come."""
        try:
            if not self._at:
                self._read_start(body)
            if not self._partitions_left and self._topics_left:
                self._read_topic(body)
            return self._read_partition(body) if self._partitions_left else None
        except IndexError:
            return None

    def _read_start(self, body: memoryview) -> None:
        head = bytes(body[: START_BYTES + VARINT_BYTES_MAX])
        topics, end = _varint(head, START_BYTES)
        self.error_code = read_i16_be(head, 4)
        self.session_id = read_i32_be(head, 6)
        self._topics_left = max(topics - 1, 0)
        self._at = end

    def _read_topic(self, body: memoryview) -> None:
        at = self._at
        head = bytes(body[at : at + ID_BYTES + VARINT_BYTES_MAX])
        partitions, end = _varint(head, ID_BYTES)
        if partitions <= 1:
            self._is_plain = False
            return
        self._topic_id = head[:ID_BYTES]
        self._partitions_left = partitions - 1
        self._at = at + end

    def _read_partition(self, body: memoryview) -> PartitionAnswer | None:
        at = self._at
        head = bytes(body[at : at + RECORDS_AT + VARINT_BYTES_MAX])
        if head[ABORTED_AT] > 1:
            self._is_plain = False
            return None
        size, records_at = _varint(head, RECORDS_AT)
        records_at += at
        records_end = records_at + max(size - 1, 0)
        tags = bytes(body[records_end : records_end + TAGS_BYTES_MAX])
        divergence, end = None, 1
        if tags[0] != NO_TAGS:
            divergence, end = _read_divergence(tags)
        is_last = self._partitions_left == 1
        if end < 0 or (is_last and tags[end] != NO_TAGS):
            self._is_plain = False  # tags of another kind, perhaps of its topic
            return None
        self._partitions_left -= 1
        if is_last:
            self._topics_left -= 1
            end += 1
        self._at = records_end + end
        return PartitionAnswer(
            self._topic_id,
            read_i32_be(head, 0),
            read_i16_be(head, 4),
            read_i64_be(head, 6),
            read_i64_be(head, 22),
            divergence,
            body[records_at:records_end],
        )

    def _decode(self, body: memoryview) -> None:
        """By the decoder of messages; those that were handed on are left out."""
        response = decode(FetchResponse, self._version, body)
        self.error_code, self.session_id = response.error_code, response.session_id
        done = self.count
        for topic in response.responses:
            for data in topic.partitions:
                if done:
                    done -= 1
                    continue
                self.count += 1
                self._take(_answer_of(topic.topic_id, data))


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned one, and where it ends; `IndexError` where it has not come whole."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _read_divergence(tags: bytes) -> tuple[Divergence | None, int]:
    """The only tag that a follower looks at, and where it ends; -1 where there are others."""
    if tags[: len(DIVERGING_EPOCH)] != DIVERGING_EPOCH[: len(tags)]:
        return None, -1
    if tags[DIVERGENCE_BYTES - 1] != NO_TAGS:
        return None, -1
    end_offset = read_i64_be(tags, 7)
    divergence = None if end_offset < 0 else Divergence(read_i32_be(tags, 3), end_offset)
    return divergence, DIVERGENCE_BYTES


def _answer_of(
    topic_id: bytes, data: FetchResponse.FetchableTopicResponse.PartitionData
) -> PartitionAnswer:
    divergence = None
    if is_seen(data, "diverging_epoch") and data.diverging_epoch.end_offset >= 0:
        divergence = Divergence(data.diverging_epoch.epoch, data.diverging_epoch.end_offset)
    return PartitionAnswer(
        topic_id,
        data.partition_index,
        data.error_code,
        data.high_watermark,
        data.log_start_offset,
        divergence,
        memoryview(data.records or b""),
    )
