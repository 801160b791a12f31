"""Reading an OffsetCommit that differs from the last one in its numbers only, as consumers' do.

    group, generation, member, instance     ┐
    topics, topic, partitions, index        ┘ the beginning, the same for all commits of a member
    offset, leader epoch, metadata            for each partition, and between two of them
    tags; index, or topic and index           what is the same as well

What is to be known of a beginning is found out once, from the decoded request, and kept as a
`Shape` for as long as the metadata is the same. Left to the reader of messages are topics that are
not known or not allowed, long or strange metadata, and whatever is not written as we would write
it.
"""

from __future__ import annotations

from struct import Struct as Packer
from typing import Final

from librt.strings import read_i32_be, read_i64_be

from moldau.broker.coordinator.group.offsets.offset_commit import (
    Committer,
    OffsetCommit,
    Position,
    respond,
)
from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.metadata.topics import Topics, TopicState
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import FastReader
from moldau.broker.server.group.committing import TOPIC_IDS_SINCE
from moldau.errors import MoldauError
from moldau.network.connection import Connection
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.wire.compile import decode_prefix, encode

GENERATION_BYTES: Final = 4
ID_BYTES: Final = 16
COUNT_BYTES: Final = 1
INDEX_BYTES: Final = 4
SHORT: Final = 128
"""Compact lengths below it are one byte."""
SHAPES_MAX: Final = 10_000
"""A member has one for each beginning of its commits: beyond this all is found out anew."""
PARTITIONS_MAX: Final = 100
"""Of a commit, so that a shape stays small."""
FRAME_BYTES_MAX: Final = 16 * 1024
NUMBERS_BYTES: Final = 13
"""Offset, leader epoch, and the compact length of the metadata."""
READ: Final = Operation.READ
GROUP: Final = Resource.GROUP
TOPIC: Final = Resource.TOPIC
_OFFSET: Final = Packer(">q")
_SENTINEL: Final = 0x0123456789ABCDEF


class Shape:
    """What is known of all commits that begin alike."""

    __slots__ = ("between", "committer", "topics")

    def __init__(self, committer: Committer, topics: list[str], between: tuple[bytes, ...]) -> None:
        self.committer = committer
        self.topics = topics
        """By their names, whatever the request calls them."""
        self.between = between
        """What stands behind the metadata of each partition."""


class OffsetCommitReader(FastReader):
    """A fast reader of OffsetCommit, for one version."""

    def __init__(self, broker: Broker, version: int) -> None:
        self._broker = broker
        self._version = version
        self._has_ids = version >= TOPIC_IDS_SINCE
        self._topics: Topics = EMPTY_IMAGE.topics
        """As long as these are the topics, the shapes hold."""
        self._shapes: dict[bytes, Shape] = {}
        self.shapes_max = SHAPES_MAX

    # hot: once for each commit.
    def read(
        self, connection: Connection, frame: memoryview, head: bytes, position: int, image: Image
    ) -> OffsetCommit | None:
        topics = image.topics
        if topics is not self._topics:
            self._topics = topics
            self._shapes.clear()
        if len(frame) > FRAME_BYTES_MAX:
            return None
        try:
            words = head if len(head) == len(frame) else bytes(frame)
            start = self._first_numbers(words, position)
            beginning = words[position:start]
            shape = self._shapes.get(beginning) or self._look(beginning, frame, position)
            positions = None if shape is None else _positions(shape.between, words, start)
        except (IndexError, ValueError, MoldauError):
            return None  # it breaks off, or is none of ours
        if shape is None or positions is None:
            self._shapes.pop(beginning, None)  # the next of this shape is looked at
            return None
        if not self._may(connection, shape):
            return None
        return OffsetCommit(shape.committer, positions)

    def _first_numbers(self, frame: bytes, position: int) -> int:
        """Where the first offset stands, if all that is before it is short."""
        position += frame[position] + GENERATION_BYTES
        position += frame[position]
        position += (frame[position] or 1) + COUNT_BYTES
        position += ID_BYTES if self._has_ids else frame[position]
        return position + COUNT_BYTES + INDEX_BYTES

    def _may(self, connection: Connection, shape: Shape) -> bool:
        """Whether its sender may do all of it."""
        authorizer = self._broker.authorizer
        if not authorizer.allows(connection, READ, GROUP, shape.committer.group_id):
            return False
        for topic in shape.topics:  # noqa: SIM110  # a loop is compiled, a generator is called
            if not authorizer.allows(connection, READ, TOPIC, topic):
                return False
        return True

    def _look(self, beginning: bytes, frame: memoryview, position: int) -> Shape | None:
        """Look once; None where such requests are not for us."""
        request, _ = decode_prefix(OffsetCommitRequest, self._version, frame, position)
        layout = self._layout(request, frame, position)
        if layout is None or layout[0] != beginning:
            return None
        answer = encode(respond(request), self._version)
        topics: list[str] = []
        for asked in request.topics:
            topic = self._known(asked)
            if topic is None or not asked.partitions:
                return None
            if any(one.partition_index not in topic.partitions for one in asked.partitions):
                return None
            topics.append(topic.name)
            asked.name, asked.topic_id = topic.name, topic.topic_id
        committer = Committer(request, self._version)
        committer.answer = answer
        if len(self._shapes) >= self.shapes_max:
            self._shapes.clear()
        shape = self._shapes[beginning] = Shape(committer, topics, layout[1:])
        return shape

    def _known(self, asked: OffsetCommitRequest.OffsetCommitRequestTopic) -> TopicState | None:
        topics = self._topics
        if self._has_ids:
            return topics.by_id.get(asked.topic_id)
        return topics.by_name.get(asked.name)

    def _layout(
        self, request: OffsetCommitRequest, frame: memoryview, position: int
    ) -> tuple[bytes, ...] | None:
        """The frame without its numbers and metadata; None if it is written in another way."""
        partitions = [one for topic in request.topics for one in topic.partitions]
        body = encode(request, self._version)
        if body != frame[position:] or not 0 < len(partitions) <= PARTITIONS_MAX:
            return None
        start, pieces = 0, list[bytes]()
        for one in partitions:
            offset, one.committed_offset = one.committed_offset, _SENTINEL
            marked = encode(request, self._version)
            one.committed_offset = offset
            size = len((one.committed_metadata or "").encode())
            if marked.count(_OFFSET.pack(_SENTINEL)) != 1 or size + 1 >= SHORT:
                return None
            numbers_at = marked.index(_OFFSET.pack(_SENTINEL))
            pieces.append(body[start:numbers_at])
            start = numbers_at + NUMBERS_BYTES + size
        return (*pieces, body[start:])


def _positions(between: tuple[bytes, ...], frame: bytes, start: int) -> list[Position] | None:
    """How far each partition has come, if the rest is as expected."""
    positions: list[Position] = []
    end = len(frame)
    for expected in between:
        metadata_at = start + NUMBERS_BYTES
        if metadata_at > end:
            return None
        offset, leader_epoch = read_i64_be(frame, start), read_i32_be(frame, start + 8)
        size = frame[metadata_at - 1]
        start = metadata_at + (size - 1 if size > 1 else 0)
        after = start + len(expected)
        if size >= SHORT or frame[start:after] != expected:
            return None
        metadata = frame[metadata_at:start].decode("ascii") if size > 1 else ""
        positions.append(Position(offset, leader_epoch, metadata))
        start = after
    return positions if start == end else None
