"""One connection to another node: requests out, answers in.

A node answers the requests of a connection in their order, so the answer that comes is the one
to the oldest request; its correlation id is checked all the same. A frame is received straight
into memory of its own, since the records of a fetch stay in it for as long as they are read. Where
one large answer follows another, and no view of the former is held any more, its memory is taken
again: fresh memory has to be cleared and mapped, which costs as much as to receive into it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container
from struct import Struct as Packer
from typing import NamedTuple, Protocol

from moldau.errors import DecodeError, NetworkError
from moldau.platform.buffers import Buffer, is_free
from moldau.platform.ports.network import Address, Link
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.protocol.messages.headers import RequestHeader, ResponseHeader
from moldau.protocol.wire.compile import decode_prefix, encode_parts
from moldau.protocol.wire.frame import (
    SIZE_BYTES,
    frame_parts,
    request_header_version,
    response_header_version,
)
from moldau.protocol.wire.schema import Message

__all__ = ["ANSWER_BYTES_MAX", "DOUBT", "Peer", "Receiver"]

ANSWER_BYTES_MAX = 1024 * 1024 * 1024
"""More than any broker sends; a larger claim is no Kafka, and memory is not made for it."""
CORRELATION_ID_MAX = 0x7FFFFFFF
DOUBT = "; does that listener want TLS or SASL?"
REUSED_FROM = 256 * 1024
"""Bytes of an answer whose memory is worth to be kept for the next."""
OUTGROWN = 4
"""Memory that is so many times as large as the next answer is let go."""
GREETINGS = 1
"""Answers without authentication: to the question for versions."""
_SIZE = Packer(">i")


class Receiver(Protocol):
    """Called with the answer's body, header taken off, or with what came instead: once."""

    def keep(self, value: memoryview) -> None: ...

    def fail(self, error: Exception) -> None: ...


class _Question(NamedTuple):
    correlation_id: int
    header_version: int
    receiver: Receiver
    key: int
    """Of the request."""


class Peer:
    """The owner of a link that was opened here."""

    def __init__(
        self,
        link: Link,
        address: Address,
        client_id: str | None,
        tasks: Tasks,
        doubt: str = DOUBT,
    ) -> None:
        self.address = address
        self._doubt = doubt
        self.is_over = False
        self._link = link
        self._client_id = client_id
        self._tasks = tasks
        self._correlation_id = 0
        self._questions: deque[_Question] = deque()
        self._size = bytearray(SIZE_BYTES)
        self._frame = memoryview(self._size)
        self._filled = 0
        self._is_in_body = False
        self._spare: bytearray | None = None
        """The memory of the last large answer, which its receiver may still read."""
        self._answer_count = 0
        self.when_lost: Callable[[str], None] = lambda reason: None
        """Called with the cause when the connection ends and it was not ended here."""

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"{len(self._questions)} unanswered"
        return f"<Peer {self.address}: {state}>"

    @property
    def oldest(self) -> int:
        """The correlation id of what is unanswered for the longest time; 0 where nothing is."""
        return self._questions[0].correlation_id if self._questions else 0

    def waits_only_for(self, keys: Container[int]) -> bool:
        """Whether nothing is unanswered but requests with these keys."""
        return all(question.key in keys for question in self._questions)

    def ask(self, request: Message, version: int, response: type[Message]) -> Promise[memoryview]:
        """Send it; the promise is the answer's body, header taken off."""
        promise: Promise[memoryview] = self._tasks.promise()
        self.ask_for(promise, request, version, response)
        return promise

    def ask_for(
        self, receiver: Receiver, request: Message, version: int, response: type[Message]
    ) -> None:
        """The same, for one who is called with the answer as soon as it has been read."""
        if self.is_over:
            receiver.fail(NetworkError(str(self.address), "the connection is over"))
            return
        pieces = self._pieces(request, version)
        header_version = response_header_version(response, version)
        self._questions.append(
            _Question(self._correlation_id, header_version, receiver, request.KEY)
        )
        self._link.send(*frame_parts(*pieces))

    def send_one_way(self, request: Message, version: int) -> None:
        """Send what the broker does not answer."""
        if not self.is_over:
            self._link.send(*frame_parts(*self._pieces(request, version)))

    def _pieces(self, request: Message, version: int) -> list[Buffer]:
        self._correlation_id = self._correlation_id % CORRELATION_ID_MAX + 1
        header = RequestHeader(
            request_api_key=request.KEY,
            request_api_version=version,
            correlation_id=self._correlation_id,
            client_id=self._client_id,
        )
        header_version = request_header_version(type(request), version)
        return [*encode_parts(header, header_version), *encode_parts(request, version)]

    def abort(self, reason: str) -> None:
        """End the connection; requests that wait fail with the cause."""
        self._link.abort()
        self._fail(reason)

    # what the link calls

    # hot: one call of the system for each piece that has arrived, and no copy of it.
    def readable(self) -> None:
        while taken := self._link.receive_into(self._frame[self._filled :]):
            self._filled += taken
            if self._filled == len(self._frame):
                self._complete()
                if not self._is_in_body:
                    return  # others have their turn between two answers

    def all_sent(self) -> None:
        """There is no wait for it: what is unsent is bounded by what is unanswered."""

    def lost(self, reason: str) -> None:
        """A broker with another protection closes connections that begin without it."""
        if self._answer_count <= GREETINGS:
            reason += self._doubt
        was_over = self.is_over
        self._fail(reason)
        if not was_over:
            self.when_lost(reason)

    # frames

    def _complete(self) -> None:
        if self._is_in_body:
            frame = self._frame
            self._expect(memoryview(self._size), is_body=False)
            self._answer(frame)
            return
        (size,) = _SIZE.unpack(self._size)
        if not SIZE_BYTES <= size <= ANSWER_BYTES_MAX:
            self.abort(f"an answer claims {size} bytes: is that a Kafka broker's plain listener?")
            return
        self._expect(self._room_for(size), is_body=True)

    def _room_for(self, size: int) -> memoryview:
        spare, self._spare = self._spare, None
        if spare is None or not is_free(spare) or not size <= len(spare) <= OUTGROWN * size:
            spare = bytearray(size)
        if len(spare) >= REUSED_FROM:
            self._spare = spare
        return memoryview(spare)[:size]

    def _expect(self, room: memoryview, *, is_body: bool) -> None:
        self._frame, self._filled, self._is_in_body = room, 0, is_body

    def _answer(self, frame: memoryview) -> None:
        if not self._questions:
            self.abort("it sent an answer without a request")
            return
        question = self._questions.popleft()
        try:
            header, start = decode_prefix(ResponseHeader, question.header_version, frame)
        except DecodeError as error:
            self._spoil(question, f"no sense in its answer: {error}")
            return
        if header.correlation_id != question.correlation_id:
            self._spoil(question, "its answers are mixed up")
            return
        self._answer_count += 1
        question.receiver.keep(frame[start:])

    def _spoil(self, question: _Question, reason: str) -> None:
        question.receiver.fail(NetworkError(str(self.address), reason))
        self.abort(reason)

    def _fail(self, reason: str) -> None:
        self.is_over = True
        while self._questions:
            error = NetworkError(str(self.address), f"the connection ended: {reason}")
            self._questions.popleft().receiver.fail(error)
