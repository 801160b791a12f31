"""Metadata: equal requests with equal rights get equal responses, until the metadata changes.

An answer depends on the image, on who asks for what through which listener, and on chance, which
names one of the living brokers as the controller. The first three make the key under which the
handler's answer is kept; the broker that was drawn is written over the one that the answer was made
with.

Left to the reader of messages are requests for all topics, for many, and for topics that are not
there: asking for those may create them. So are all while a connection to a broker is lost, and the
first of a client after a while without one, for answers may have to wait then.
"""

from __future__ import annotations

from struct import Struct as Packer
from typing import Final, NamedTuple

from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import FastReader
from moldau.broker.server.spliced import SplicedAnswer
from moldau.errors import DecodeError, MoldauError
from moldau.network.connection import Connection
from moldau.platform.ports.randomness import Random
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.wire.compile import decode_prefix, encode

__all__ = ["KeptAnswer", "MetadataAnswer", "MetadataReader", "ReadMetadata"]

ANSWERS_MAX: Final = 1_000
KEPT_BYTES_MAX: Final = 4096
"""Larger answers are seldom asked for, and a thousand of them would be a lot."""
NO_TOPICS: Final = 1
"""How the list of topics begins that is null, for all of them, or empty."""
_ID: Final = Packer(">i")
_SENTINEL: Final = -0x01234567
Key = tuple[str, str, str, str, bytes]
"""Listener, principal and host of the client, and the request's body."""
MetadataAnswer = MetadataResponse | SplicedAnswer


class KeptAnswer(NamedTuple):
    """An answer, and what chance may change in it."""

    body: bytes
    controller_at: int
    broker_ids: tuple[int, ...]
    """One of them is named as the controller."""

    def draw(self, random: Random) -> bytes:
        """With another controller named each time, where there is a choice."""
        if len(self.broker_ids) == 1:
            return self.body
        drawn = self.broker_ids[random.randrange(0, len(self.broker_ids))]
        end = self.controller_at + _ID.size
        return self.body[: self.controller_at] + _ID.pack(drawn) + self.body[end:]


class ReadMetadata:
    """One request, read; its answer, if it has been given before."""

    __slots__ = ("_key", "_reader", "kept")

    def __init__(self, reader: MetadataReader, key: Key, kept: KeptAnswer | None) -> None:
        self._reader = reader
        self._key = key
        self.kept = kept

    def message(self) -> MetadataRequest:
        return self._reader.decode(self._key[-1])

    def keep(self, answer: MetadataAnswer) -> None:
        """Give it to equal requests, too."""
        self._reader.keep(self._key, answer)


class MetadataReader(FastReader):
    """A fast reader of Metadata, for one version."""

    def __init__(self, broker: Broker, version: int) -> None:
        self._broker = broker
        self._version = version
        self._image: Image = EMPTY_IMAGE
        self._changes = 0
        """Of the brokers that were lost."""
        self._kept: dict[Key, KeptAnswer] = {}
        self.answers_max = ANSWERS_MAX

    # hot: clients ask whenever they connect, and again all the time.
    def read(
        self, connection: Connection, frame: memoryview, head: bytes, position: int, image: Image
    ) -> ReadMetadata | None:
        lost = self._broker.lost_brokers
        if lost is not None:
            now_ns = self._broker.clock.monotonic_ns()
            if lost.are_unsettled or not lost.has_asked_lately(connection.number, now_ns):
                return None
            if lost.changes != self._changes:
                self._changes = lost.changes
                self._kept.clear()
        if image is not self._image:
            self._image = image
            self._kept.clear()
        if len(frame) > len(head) or head[position] <= NO_TOPICS:
            return None
        principal, host = connection.principal, connection.peer.host
        question = head[position:]
        key = connection.listener, principal.kind, principal.name, host, question
        kept = self._kept.get(key)
        if kept is None and not self._names_what_is_there(question):
            return None
        return ReadMetadata(self, key, kept)

    def decode(self, body: bytes) -> MetadataRequest:
        """The request as a message."""
        request: MetadataRequest = decode_prefix(MetadataRequest, self._version, body)[0]
        return request

    def _names_what_is_there(self, question: bytes) -> bool:
        """Whether it asks for topics by their names or ids, and for none that is missing."""
        try:
            request = self.decode(question)
        except DecodeError:
            return False
        topics = self._image.topics
        return bool(request.topics) and all(
            one.topic_id in topics.by_id or one.name in topics.by_name
            for one in request.topics or ()
        )

    def keep(self, key: Key, answer: MetadataAnswer) -> None:
        """Give this answer to equal requests, unless it is long."""
        message = answer if isinstance(answer, MetadataResponse) else answer.message
        assert isinstance(message, MetadataResponse)
        controller_id = message.controller_id
        try:
            body = self._encode(answer)
            message.controller_id = _SENTINEL
            marked = self._encode(answer)
        except MoldauError:
            return  # the dispatcher handles it
        finally:
            message.controller_id = controller_id
        mark = _ID.pack(_SENTINEL)
        if not message.brokers or marked.count(mark) != 1 or len(body) > KEPT_BYTES_MAX:
            return
        if len(self._kept) >= self.answers_max:
            self._kept.clear()
        brokers = self._image.cluster.brokers
        ids = tuple(one.node_id for one in message.brokers if not brokers[one.node_id].fenced)
        self._kept[key] = KeptAnswer(body, marked.index(mark), ids)

    def _encode(self, answer: MetadataAnswer) -> bytes:
        return (
            answer.encode() if isinstance(answer, SplicedAnswer) else encode(answer, self._version)
        )
