"""Metadata: equal requests with equal rights get equal responses, until the metadata changes.

An answer depends on the image, on who asks for what through which listener, and on chance, which
names one of the living brokers as the controller. The first three make the key under which an
answer is kept; the broker that was drawn is written over the one that the answer was made with.

Not kept are answers about topics that are not there: asking for those may create them.
"""

from __future__ import annotations

from struct import Struct as Packer
from typing import Final, NamedTuple, cast

from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call, Slices, Unanswered
from moldau.broker.server.shortcut import Reader
from moldau.broker.server.slices import run_slice
from moldau.broker.server.topic.metadata import MetadataAnswer, handle
from moldau.errors import MoldauError
from moldau.network.connection import Connection
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.wire.compile import encode

ANSWERS_MAX = 1_000
QUESTION_BYTES_MAX: Final = 1024
"""Longer questions name many topics; one of them is seldom asked twice."""
KEPT_BYTES_MAX: Final = 4096
"""Larger answers are seldom asked for, and a thousand of them would be a lot."""
NO_TOPICS: Final = 1
"""How the list of topics begins that is null, for all of them, or empty."""
_ID: Final = Packer(">i")
_SENTINEL: Final = -0x01234567
Key = tuple[str, str, str, str, bytes]
"""Listener, principal and host of who asks, and the request's body."""


class Kept(NamedTuple):
    """An answer, and what chance may change in it."""

    body: bytes
    controller_at: int
    broker_ids: tuple[int, ...]
    """One of them is named as the controller."""


class MetadataShortcut:
    """For one version."""

    def __init__(self, broker: Broker, version: int, read: Reader) -> None:
        self._broker = broker
        self._version = version
        self._read = read
        self._image: Image = EMPTY_IMAGE
        self._changes = 0
        self._kept: dict[Key, Kept] = {}

    # hot: a request takes 17 us of the loop, where it took 45 by the handler (bench/requests.py).
    def find(self, connection: Connection, frame: memoryview, position: int) -> bytes | None:
        image, lost = self._broker.metadata.image, self._broker.lost_brokers
        if lost is not None:
            if lost.are_unsettled:
                return None
            if lost.changes != self._changes:
                self._changes = lost.changes
                self._kept.clear()
        if image is not self._image:
            self._image = image
            self._kept.clear()
        is_long = len(frame) > QUESTION_BYTES_MAX
        if is_long or image.quotas.by_entity or frame[position] <= NO_TOPICS:
            return None
        principal, host = connection.principal, connection.peer.host
        question = bytes(frame[position:])
        key = connection.listener, principal.kind, principal.name, host, question
        kept = self._kept.get(key)
        if kept is None:
            kept = self._keep(key, self._read(connection, frame))
        return None if kept is None else self._drawn(kept)

    def _drawn(self, kept: Kept) -> bytes:
        """With another controller named each time, where there is a choice."""
        body, controller_at, broker_ids = kept
        if len(broker_ids) == 1:
            return body
        drawn = broker_ids[self._broker.random.randrange(0, len(broker_ids))]
        return body[:controller_at] + _ID.pack(drawn) + body[controller_at + _ID.size :]

    def _keep(self, key: Key, call: Call) -> Kept | None:
        """The handler's response, if it may be sent again."""
        request = cast("MetadataRequest", call.request)
        if not self._names_what_is_there(request):
            return None
        try:
            answer = _at_once(self._broker, handle(call, self._broker))
            if answer is None:
                return None
            body, message = _encoded(answer, self._version)
            message.controller_id = _SENTINEL
            marked, _ = _encoded(answer, self._version)
        except MoldauError:
            return None
        mark = _ID.pack(_SENTINEL)
        if not message.brokers or marked.count(mark) != 1 or len(body) > KEPT_BYTES_MAX:
            return None
        if len(self._kept) >= ANSWERS_MAX:
            self._kept.clear()
        brokers = self._image.cluster.brokers
        ids = tuple(one.node_id for one in message.brokers if not brokers[one.node_id].fenced)
        kept = self._kept[key] = Kept(body, marked.index(mark), ids)
        return kept

    def _names_what_is_there(self, request: MetadataRequest) -> bool:
        """Whether it asks for topics by their names or ids, and for none that is missing."""
        topics = self._image.topics
        return bool(request.topics) and all(
            one.topic_id in topics.by_id or one.name in topics.by_name
            for one in request.topics or ()
        )


def _at_once(
    broker: Broker, answer: MetadataAnswer | Slices[None, None, MetadataAnswer] | Unanswered
) -> MetadataAnswer | None:
    """The answer, unless it takes longer than a slice to make."""
    assert not isinstance(answer, Unanswered), "what has to wait is found out before"
    return run_slice(broker.clock, answer)[1] if isinstance(answer, Slices) else answer


def _encoded(answer: MetadataAnswer, version: int) -> tuple[bytes, MetadataResponse]:
    if isinstance(answer, MetadataResponse):
        return encode(answer, version), answer
    return answer.encode(), cast("MetadataResponse", answer.message)


def make(broker: Broker, version: int, read: Reader) -> MetadataShortcut:
    return MetadataShortcut(broker, version, read)
