"""One connection to another node: requests out, answers in.

A node answers the requests of a connection in their order, so the answer that comes is the one
to the oldest request; its correlation id is checked all the same. A small frame comes with one call
of the system, and a small request leaves with one. The rest of a larger frame is received straight
into memory of its own, since the records of a fetch stay in it for as long as they are read; who
asked may read it while it comes. Where
one large answer follows another, and no view of the former is held any more, its memory is taken
again: fresh memory has to be cleared and mapped, which costs as much as to receive into it.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container
from struct import Struct as Packer
from typing import Final, NamedTuple, Protocol

from moldau.errors import DecodeError, NetworkError
from moldau.network.outgoing.traffic import Traffic
from moldau.platform.buffers import Buffer, is_free
from moldau.platform.ports.network import Address, Link
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.protocol.messages.headers import RequestHeader, ResponseHeader
from moldau.protocol.wire.frame import (
    SIZE_BYTES,
    frame_parts,
    request_header_version,
    response_header_version,
)
from moldau.protocol.wire.interpret import decode_prefix_seldom, encode_parts_seldom
from moldau.protocol.wire.schema import Message

__all__ = ["ANSWER_BYTES_MAX", "DOUBT", "BodyReader", "Peer", "Receiver"]

ANSWER_BYTES_MAX: Final = 1024 * 1024 * 1024
"""More than any broker sends; a larger claim is no Kafka, and memory is not made for it."""
CORRELATION_ID_MAX: Final = 0x7FFFFFFF
DOUBT: Final = "; does that listener want TLS or SASL?"
REUSED_FROM: Final = 256 * 1024
"""Bytes of an answer whose memory is worth to be kept for the next."""
OUTGROWN: Final = 4
"""Memory that is so many times as large as the next answer is let go."""
GREETINGS: Final = 1
"""Answers without authentication: to the question for versions."""
HEAD_BYTES: Final = 4096
"""Received before it is known how large an answer is. What is small is here as a whole; of what is
large so much is copied, which costs less than another call of the system."""
READ_ON_BYTES: Final = 512 * 1024
"""Of an answer that is read while it comes: received at a time, and then others have their turn."""
JOINED_BYTES_MAX: Final = 16 * 1024
"""A request of so many bytes is copied together: one buffer is sent faster than its four parts."""
NO_TAGS: Final = 0
_SIZE: Final = Packer(">i")
_HEADER_BEGIN: Final = Packer(">hhi")
"""API key, version and correlation id: the numbers that each request has its own of."""


class Receiver(Protocol):
    """Called with the answer's body, header taken off, or with what came instead: once."""

    def keep(self, value: memoryview) -> None: ...

    def fail(self, error: Exception) -> None: ...


class BodyReader(Protocol):
    """Reads the body of an answer while it comes."""

    def begin(self, version: int) -> None:
        """An answer of this version is awaited."""
        ...

    def read_on(self, body: memoryview) -> None:
        """So much of it has come."""
        ...

    def finish(self, body: memoryview) -> None:
        """All of it has; `DecodeError` if that makes no sense."""
        ...


class _Question(NamedTuple):
    correlation_id: int
    header_version: int
    receiver: Receiver
    key: int
    """Of the request."""
    reader: BodyReader | None


# hot: nearly no answer has tags in its header; those with some are read by the codec.
def _read_header(version: int, frame: memoryview) -> tuple[int, int]:
    """The correlation id, and where the answer's body begins."""
    size = len(frame)
    if version == 0 and size >= SIZE_BYTES:
        return _SIZE.unpack_from(frame, 0)[0], SIZE_BYTES
    if version == 1 and size > SIZE_BYTES and frame[SIZE_BYTES] == NO_TAGS:
        return _SIZE.unpack_from(frame, 0)[0], SIZE_BYTES + 1
    header, start = decode_prefix_seldom(ResponseHeader, version, frame)
    return header.correlation_id, start


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
        self._header_ends: dict[int, bytes] = {}
        """By version of the header."""
        self._questions: deque[_Question] = deque()
        self._head = memoryview(bytearray(HEAD_BYTES))
        self._frame: memoryview | None = None
        """Of a large answer that has begun."""
        self._reader: BodyReader | None = None
        """Who reads that one while it comes."""
        self._body_at = 0
        self._filled = 0
        """Bytes of the frame, or else of the head."""
        self._spare: bytearray | None = None
        """The memory of the last large answer, which its receiver may still read."""
        self._answer_count = 0
        self._bytes_out = 0
        self._bytes_in = 0
        self.when_lost: Callable[[str], None] = lambda reason: None
        """Called with the cause when the connection ends and it was not ended here."""

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"{len(self._questions)} unanswered"
        return f"<Peer {self.address}: {state}>"

    @property
    def traffic(self) -> Traffic:
        """Since it was opened."""
        return Traffic(self._correlation_id, self._answer_count, self._bytes_out, self._bytes_in)

    @property
    def oldest(self) -> int:
        """The correlation id of what is unanswered for the longest time; 0 where nothing is."""
        return self._questions[0].correlation_id if self._questions else 0

    def waits_only_for(self, keys: Container[int]) -> bool:
        """Whether nothing is unanswered but requests with these keys."""
        return all(question.key in keys for question in self._questions)

    def ask(
        self,
        request: Message,
        version: int,
        response: type[Message],
        reader: BodyReader | None = None,
    ) -> Promise[memoryview]:
        """Send it; the promise is the answer's body, header taken off."""
        promise: Promise[memoryview] = self._tasks.promise()
        self.ask_for(promise, request, version, response, reader)
        return promise

    def ask_for(
        self,
        receiver: Receiver,
        request: Message,
        version: int,
        response: type[Message],
        reader: BodyReader | None = None,
    ) -> None:
        """The same, with a function that is called with the answer as soon as it has been read.

        A reader is called before, with what has come of an answer that is large.
        """
        if self.is_over:
            receiver.fail(NetworkError(str(self.address), "the connection is over"))
            return
        pieces = self._pieces(request, version)
        header_version = response_header_version(response, version)
        self._questions.append(
            _Question(self._correlation_id, header_version, receiver, request.KEY, reader)
        )
        self._send(pieces)

    def send_one_way(self, request: Message, version: int) -> None:
        """Send what the broker does not answer."""
        if not self.is_over:
            self._send(self._pieces(request, version))

    def _send(self, pieces: list[Buffer]) -> None:
        parts = frame_parts(*pieces)
        size = sum(map(len, parts))
        self._bytes_out += size
        if size <= JOINED_BYTES_MAX:
            self._link.send(b"".join(parts))
        else:
            self._link.send(*parts)

    def _pieces(self, request: Message, version: int) -> list[Buffer]:
        self._correlation_id = self._correlation_id % CORRELATION_ID_MAX + 1
        header_version = request_header_version(type(request), version)
        ends = self._header_ends.get(header_version)
        if ends is None:
            ends = self._header_ends[header_version] = self._header_end(header_version)
        begin = _HEADER_BEGIN.pack(request.KEY, version, self._correlation_id)
        return [begin + ends, *encode_parts_seldom(request, version)]

    def _header_end(self, header_version: int) -> bytes:
        """What stands in a request's header behind its numbers: the same for all of a version."""
        header = RequestHeader(
            request_api_key=0, request_api_version=0, correlation_id=0, client_id=self._client_id
        )
        whole = b"".join(encode_parts_seldom(header, header_version))
        return whole[_HEADER_BEGIN.size :]

    def abort(self, reason: str) -> None:
        """End the connection; requests that wait fail with the cause."""
        self._link.abort()
        self._fail(reason)

    # what the link calls

    # hot: one call of the system for a small answer; no copy of a large one but of its beginning.
    def readable(self) -> None:
        """Others have their turn between two answers, but for those that came together."""
        while self._frame is None:
            taken = self._link.receive_into(self._head[self._filled :])
            if not taken:
                return
            self._bytes_in += taken
            self._filled += taken
            if self._take_whole_ones():
                return
        while (frame := self._frame) is not None:
            reader = self._reader
            end = len(frame) if reader is None else self._filled + READ_ON_BYTES
            taken = self._link.receive_into(frame[self._filled : end])
            if not taken:
                return
            self._bytes_in += taken
            self._filled += taken
            if self._filled == len(frame):
                self._frame, self._filled, self._reader = None, 0, None
                self._answer(frame)
                return
            if reader is not None:
                self._read_on(reader, frame[: self._filled])
                return

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

    def _take_whole_ones(self) -> bool:
        """Answer with all frames that the head holds; whether there was one."""
        head, start, end = self._head, 0, self._filled
        has_answered = False
        while end - start >= SIZE_BYTES and not self.is_over:
            size: int = _SIZE.unpack_from(head, start)[0]
            if not SIZE_BYTES <= size <= ANSWER_BYTES_MAX:
                reason = f"an answer claims {size} bytes: is that a Kafka broker's plain listener?"
                self.abort(reason)
                return True
            begin = start + SIZE_BYTES
            if end - begin < size:
                if size > HEAD_BYTES - SIZE_BYTES:
                    self._begin_large(size, head[begin:end])
                    return has_answered
                break
            start = begin + size
            has_answered = True
            self._spare = None  # what is read here now has no use for so much
            self._answer(memoryview(bytes(head[begin:start])))
        if start:
            head[: end - start] = bytes(head[start:end])
            self._filled = end - start
        return has_answered

    def _begin_large(self, size: int, beginning: memoryview) -> None:
        self._frame, self._filled = self._room_for(size), len(beginning)
        self._frame[: len(beginning)] = beginning
        self._reader = self._questions[0].reader if self._questions else None
        self._body_at = 0

    def _read_on(self, reader: BodyReader, come: memoryview) -> None:
        """Unless it answers something else, which is found when all of it is there."""
        if not self._body_at:
            question = self._questions[0]
            try:
                correlation_id, start = _read_header(question.header_version, come)
            except DecodeError:
                return  # less than its header has come
            if correlation_id != question.correlation_id:
                self._reader = None
                return
            self._body_at = start
        reader.read_on(come[self._body_at :])

    def _room_for(self, size: int) -> memoryview:
        spare, self._spare = self._spare, None
        if spare is None or not is_free(spare) or not size <= len(spare) <= OUTGROWN * size:
            spare = bytearray(size)
        if len(spare) >= REUSED_FROM:
            self._spare = spare
        return memoryview(spare)[:size]

    def _answer(self, frame: memoryview) -> None:
        if not self._questions:
            self.abort("it sent an answer without a request")
            return
        question = self._questions.popleft()
        try:
            correlation_id, start = _read_header(question.header_version, frame)
        except DecodeError as error:
            self._spoil(question, f"no sense in its answer: {error}")
            return
        if correlation_id != question.correlation_id:
            self._spoil(question, "its answers are mixed up")
            return
        self._answer_count += 1
        question.receiver.keep(frame[start:])

    def _spoil(self, question: _Question, reason: str) -> None:
        question.receiver.fail(NetworkError(str(self.address), reason))
        self.abort(reason)

    def _fail(self, reason: str) -> None:
        self.is_over = True
        self._reader = None
        while self._questions:
            error = NetworkError(str(self.address), f"the connection ended: {reason}")
            self._questions.popleft().receiver.fail(error)
