"""Reading Fetch as consumers and followers send it, without a message.

    replica id        -1, up to version 14      topics            how many
    max wait          int32                       name or id
    min bytes         int32                       partitions        how many
    max bytes         int32                         index, leader epoch, offset, last epoch,
    isolation         int8                          log start, max bytes, tags: none
    session, epoch    int32, int32                  tags            none
                                                forgotten         none
                                                rack
                                                tags              none, or a follower's one,
                                                                  from version 15: id, epoch

Left to the decoder of messages are followers of older versions, and requests that give partitions
up or list more than is usual. What is read has the fields of the message under the same names, and
goes the same way from there.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from librt.strings import read_i32_be, read_i64_be

from moldau.broker.metadata.image import Image
from moldau.broker.server.call import FastReader
from moldau.network.connection import Connection
from moldau.protocol.messages.data.fetch import FetchRequest

__all__ = [
    "REPLICA_ID_UNTIL",
    "TOPIC_IDS_FROM",
    "AskedFetch",
    "FetchReader",
    "ReadFetch",
    "ReadPartition",
    "ReadTopic",
]

NO_REPLICA: Final = -1
NO_TAGS: Final = 0
NO_ID: Final = bytes(16)
ID_BYTES: Final = 16
SHORT: Final = 128
"""Compact lengths and counts below it are one byte."""
PARTITIONS_MAX: Final = 100
"""Of one fetch: a client that lists more may list a million, and is answered in slices."""
TOPIC_IDS_FROM: Final = 13
REPLICA_ID_UNTIL: Final = 14
"""Then it is in a field that consumers leave out."""
REPLICA_STATE: Final = b"\x01\x01\x0d"
"""One tag, the replica state's, of 13 bytes: id, epoch, no tags."""
REPLICA_STATE_BYTES: Final = 16
FRAME_BYTES_MAX: Final = 32 * 1024
"""A hundred partitions of as many topics with the longest names are less."""
REPLICA_BYTES: Final = 4
BEGINNING_BYTES: Final = 22
"""Max wait, min bytes, max bytes, isolation, session, its epoch, and how many topics."""
PARTITION_BYTES: Final = 33
"""As above, with the number of tags."""


class ReadPartition:
    """What is asked for of one partition."""

    __slots__ = (
        "current_leader_epoch", "fetch_offset", "last_fetched_epoch", "log_start_offset",
        "partition", "partition_max_bytes",
    )  # fmt: skip

    def __init__(
        self,
        partition: int,
        current_leader_epoch: int,
        fetch_offset: int,
        last_fetched_epoch: int,
        log_start_offset: int,
        partition_max_bytes: int,
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.fetch_offset = fetch_offset
        self.last_fetched_epoch = last_fetched_epoch
        self.log_start_offset = log_start_offset
        self.partition_max_bytes = partition_max_bytes


class ReadTopic:
    """The partitions that are listed of one topic."""

    __slots__ = ("partitions", "topic", "topic_id")

    def __init__(self, topic: str, topic_id: bytes, partitions: list[ReadPartition]) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.partitions = partitions


class ReadFetch:
    """One request of a consumer or a follower, read."""

    __slots__ = (
        "forgotten_topics_data", "isolation_level", "max_bytes", "max_wait_ms", "min_bytes",
        "rack_id", "replica_epoch", "replica_id", "session_epoch", "session_id", "topics",
    )  # fmt: skip

    def __init__(
        self,
        max_wait_ms: int,
        min_bytes: int,
        max_bytes: int,
        isolation_level: int,
        session_id: int,
        session_epoch: int,
        topics: list[ReadTopic],
        rack_id: str,
        replica_id: int,
        replica_epoch: int,
    ) -> None:
        self.max_wait_ms = max_wait_ms
        self.min_bytes = min_bytes
        self.max_bytes = max_bytes
        self.isolation_level = isolation_level
        self.session_id = session_id
        self.session_epoch = session_epoch
        self.topics = topics
        self.rack_id = rack_id
        self.replica_id = replica_id
        """A follower's, from the state that it sends."""
        self.replica_epoch = replica_epoch
        self.forgotten_topics_data: list[FetchRequest.ForgottenTopic] = []

    def message(self) -> FetchRequest:
        """The same as a message."""
        request = FetchRequest(
            max_wait_ms=self.max_wait_ms,
            min_bytes=self.min_bytes,
            max_bytes=self.max_bytes,
            isolation_level=self.isolation_level,
            session_id=self.session_id,
            session_epoch=self.session_epoch,
            topics=[_topic_of(topic) for topic in self.topics],
            forgotten_topics_data=[],
            rack_id=self.rack_id,
        )
        if self.replica_id != NO_REPLICA:
            request.replica_state = FetchRequest.ReplicaState(
                replica_id=self.replica_id, replica_epoch=self.replica_epoch
            )
        return request


AskedFetch: TypeAlias = FetchRequest | ReadFetch
"""What a consumer or a follower asks for, whichever has read it."""


class FetchReader(FastReader):
    """A fast reader of Fetch, for one version."""

    __slots__ = ("_has_ids", "_has_replica")

    def __init__(self, version: int) -> None:
        self._has_ids = version >= TOPIC_IDS_FROM
        self._has_replica = version <= REPLICA_ID_UNTIL

    def read(
        self, connection: Connection, frame: memoryview, head: bytes, position: int, image: Image
    ) -> ReadFetch | None:
        try:
            if len(frame) > FRAME_BYTES_MAX:
                return None
            return self._read(head if len(head) == len(frame) else bytes(frame), position)
        except (IndexError, ValueError):
            return None  # it breaks off, or has names that are not plain

    # hot: once for each fetch.
    def _read(self, frame: bytes, position: int) -> ReadFetch | None:
        if self._has_replica:
            if read_i32_be(frame, position) != NO_REPLICA:
                return None
            position += REPLICA_BYTES
        at, position = position, position + BEGINNING_BYTES
        topics: list[ReadTopic] = []
        position = self._read_topics(frame, position, frame[position - 1], topics)
        if position < 0 or frame[position] != 1:
            return None
        rack_size = frame[position + 1]
        end = position + 1 + rack_size
        if not 0 < rack_size < SHORT:
            return None
        replica_id, replica_epoch = NO_REPLICA, NO_REPLICA
        if end + 1 != len(frame) or frame[end] != NO_TAGS:
            if self._has_replica or not _ends_with_state(frame, end):
                return None
            replica_id = read_i32_be(frame, end + 3)
            replica_epoch = read_i64_be(frame, end + 7)
            if replica_id < 0:
                return None
        rack_id = frame[position + 2 : end].decode("ascii") if rack_size > 1 else ""
        isolation = frame[at + 12]
        return ReadFetch(
            read_i32_be(frame, at),
            read_i32_be(frame, at + 4),
            read_i32_be(frame, at + 8),
            isolation if isolation < SHORT else isolation - 2 * SHORT,
            read_i32_be(frame, at + 13),
            read_i32_be(frame, at + 17),
            topics,
            rack_id,
            replica_id,
            replica_epoch,
        )

    def _read_topics(
        self, frame: bytes, position: int, topic_count: int, topics: list[ReadTopic]
    ) -> int:
        """Where they end; -1 where they are not for us."""
        if not 0 < topic_count < SHORT:
            return -1
        room = PARTITIONS_MAX
        for _ in range(topic_count - 1):
            name, topic_id = "", NO_ID
            if self._has_ids:
                end = position + ID_BYTES
                topic_id = frame[position:end]
            else:
                end = position + frame[position]
                if not position < end < position + SHORT:
                    return -1
                name = frame[position + 1 : end].decode("ascii")
            partition_count = frame[end] - 1
            room -= partition_count
            if not 0 <= partition_count < SHORT or room < 0:
                return -1
            partitions: list[ReadPartition] = []
            position = _read_partitions(frame, end + 1, partition_count, partitions)
            if position < 0:
                return -1
            topics.append(ReadTopic(name, topic_id, partitions))
        return position


def _ends_with_state(frame: bytes, at: int) -> bool:
    """Whether the last thing in it are the tags of a follower, as plain as can be."""
    return (
        at + REPLICA_STATE_BYTES == len(frame)
        and frame[at : at + len(REPLICA_STATE)] == REPLICA_STATE
        and frame[-1] == NO_TAGS
    )


def _read_partitions(
    frame: bytes, position: int, count: int, partitions: list[ReadPartition]
) -> int:
    """Where they end, with the tags of their topic; -1 where they are not for us."""
    for _ in range(count):
        if frame[position + PARTITION_BYTES - 1] != NO_TAGS:
            return -1
        partitions.append(
            ReadPartition(
                read_i32_be(frame, position),
                read_i32_be(frame, position + 4),
                read_i64_be(frame, position + 8),
                read_i32_be(frame, position + 16),
                read_i64_be(frame, position + 20),
                read_i32_be(frame, position + 28),
            )
        )
        position += PARTITION_BYTES
    return position + 1 if frame[position] == NO_TAGS else -1


def _topic_of(read: ReadTopic) -> FetchRequest.FetchTopic:
    partitions = [
        FetchRequest.FetchTopic.FetchPartition(
            partition=one.partition,
            current_leader_epoch=one.current_leader_epoch,
            fetch_offset=one.fetch_offset,
            last_fetched_epoch=one.last_fetched_epoch,
            log_start_offset=one.log_start_offset,
            partition_max_bytes=one.partition_max_bytes,
        )
        for one in read.partitions
    ]
    return FetchRequest.FetchTopic(topic=read.topic, topic_id=read.topic_id, partitions=partitions)
