"""One request on its way through the server, with all that a handler may know about its sender.

A handler answers in one of five ways:

    return response        it leaves at once; so does one with a list that is encoded already
                           (`server.spliced`), or one that is so altogether, as bytes or in
                           parts
    return None            nothing is sent (Produce with acks 0); the connection goes on reading
    return LATER           `call.answer(response)` will be called once, from wherever it becomes
                           known; before a handler returns LATER it must be done with every view
                           on the request's bytes (records), because their buffer is used again
    return CLOSE           the connection is closed without an answer (Produce with acks 0 failed)
    return a generator     it yields where others may go on, and returns one of the above: for work
                           that may be long (`server.slices`)

or it is `async def`, runs as a task, and returns the same; its request owns its bytes.

A raised `KafkaError` becomes the response that Kafka gives with that code. While a request is not
answered, no other of its connection is read, unless it was `set_aside`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from enum import Enum
from typing import Any, Final, Generic, Protocol, TypeAlias, cast

from moldau.broker.metadata.image import Image
from moldau.broker.server.spliced import SplicedAnswer
from moldau.network.connection import Connection
from moldau.network.owed import OwedAnswer
from moldau.network.principal import ANONYMOUS, Principal
from moldau.network.software import Software
from moldau.platform.buffers import Buffer
from moldau.platform.ports.network import Address
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.schema import Message, Message_co

__all__ = [
    "ANONYMOUS",
    "CLOSE",
    "HEAD_BYTES",
    "LATER",
    "Answer",
    "Call",
    "EncodedParts",
    "FastReader",
    "Finisher",
    "Principal",
    "ReadRequest",
    "Slices",
    "Unanswered",
]


class Unanswered(Enum):
    """What a handler returns that has no response to give."""

    LATER = "call.answer will be called"
    CLOSE = "close the connection"


LATER: Final = Unanswered.LATER
CLOSE: Final = Unanswered.CLOSE

Slices = Generator
"""Long work: a generator that yields nothing, and returns the answer."""


class EncodedParts:
    """A response that is encoded already, with slices of files between its bytes."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Buffer]) -> None:
        self.parts = parts

    def __repr__(self) -> str:
        return f"EncodedParts({len(self.parts)})"


Answer: TypeAlias = (
    Message | bytes | EncodedParts | SplicedAnswer | Unanswered | Slices[None, None, Any] | None
)


class ReadRequest(Protocol):
    """What a fast reader makes of a frame: what the handler makes of the message otherwise."""

    def message(self) -> Message:
        """A request of the same shape, for the code that has to refuse it."""
        ...


HEAD_BYTES: Final = 1024
"""Of a frame, copied: bytes are read many times as fast as a view, and most requests are short."""


class FastReader:
    """What takes requests of one API and version from their bytes; see `fast_readers`."""

    __slots__ = ()

    def read(
        self, connection: Connection, frame: memoryview, head: bytes, position: int, image: Image
    ) -> ReadRequest | None:
        """The request whose body begins at `position`; None where its message has to be decoded.

        `head` has the first bytes of the frame, `HEAD_BYTES` at most.
        """
        raise NotImplementedError


class Finisher:
    """Sends the answer of a call."""

    __slots__ = ()

    def finish_later(
        self, connection: Connection, call: Call, route: object, answer: Answer
    ) -> None:
        raise NotImplementedError


class Call(Generic[Message_co]):
    """A request that has been read, and its circumstances: a `Call[FetchRequest]` has a Fetch."""

    __slots__ = (
        "_connection", "_finisher", "_owed", "_request", "_route", "_takers", "api_key",
        "client_id", "connection_id", "correlation_id", "handled_ns", "is_of_follower", "listener",
        "peer", "principal", "read", "received_ns", "software", "throttle_ms", "version",
    )  # fmt: skip

    def __init__(
        self,
        api_key: int,
        version: int,
        correlation_id: int,
        client_id: str | None,
        request: Message_co | None,
        principal: Principal,
        listener: str,
        peer: Address,
        connection_id: int,
        received_ns: int,
        software: Software | None = None,
        read: ReadRequest | None = None,
    ) -> None:
        self.api_key = api_key
        self.version = version
        self.correlation_id = correlation_id
        self.client_id = client_id
        self._request = request
        self.read = read
        """What a fast reader has made of the frame (`fast_readers`), in the place of a message."""
        self.principal = principal
        self.listener = listener
        """The listener's name, as in `listeners`."""
        self.peer = peer
        self.connection_id = connection_id
        """Unique in this process, never reused."""
        self.received_ns = received_ns
        """The monotonic moment at which the last byte of the frame was there."""
        self.software = Software() if software is None else software
        """Of its connection: ApiVersions writes it, others read it."""
        self.throttle_ms = 0
        """The throttle time that the handler found by the sender's quotas."""
        self.handled_ns = 0
        """When its handler was done and the answer was to come later; 0 where it came at once."""
        self.is_of_follower = False
        """Whether it is a Fetch of another broker's, which is counted apart."""
        self._takers: list[Callable[[Answer], None]] | None = None
        self._finisher: Finisher | None = None
        """What sends the answers that come LATER, on which connection, and by which route."""
        self._connection: Connection | None = None
        self._route: object = None
        self._owed: OwedAnswer | None = None

    def __repr__(self) -> str:
        name = BY_KEY[self.api_key].name
        return f"Call({name} {self.version} of {self.client_id} by {self.principal})"

    def expect(self, connection: Connection, route: object, finisher: Finisher) -> None:
        """Its answer goes there, if the handler does not return it."""
        self._connection = connection
        self._route = route
        self._finisher = finisher

    def divert(self, take: Callable[[Answer], None]) -> None:
        """What is given to `answer` goes to `take`, which may give it to `answer` once more."""
        self._takers = [*(self._takers or ()), take]

    def set_aside(self) -> None:
        """Its answer comes LATER; requests of the same API are taken meanwhile.

        The last that is done before LATER is returned, for the next may be in work on return.
        """
        connection = self._connection
        if connection is not None and self._finisher is not None:
            self._owed = connection.set_aside(self.api_key)

    def answered(self) -> None:
        """It has got its answer."""
        self._finisher = self._takers = None

    def answer(self, answer: Answer) -> None:
        """Give what was LATER: a response, None for nothing, or CLOSE."""
        if self._takers:
            self._takers.pop()(answer)
            return
        connection, finisher = self._connection, self._finisher
        assert finisher is not None, "it was answered once, or not made by a dispatcher"
        assert connection is not None, "it came from somewhere"
        if self._owed is not None:
            connection.resume(self._owed)
        finisher.finish_later(connection, self, self._route, answer)

    @property
    def request(self) -> Message_co:
        """The request as a message."""
        request = self._request
        if request is None:
            assert self.read is not None, "a call has a request"
            request = self._request = cast("Message_co", self.read.message())
        return request

    def take_message(self, request: Message) -> None:
        """Instead of what a fast reader has made."""
        self._request, self.read = cast("Message_co", request), None
