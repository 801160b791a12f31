"""From the handler's answer to the connection: encoded, counted, and the errors on that way.

A handler with an unexpected error is our own bug. The peer gets UNKNOWN_SERVER_ERROR,
the log gets the traceback, and all others are served on: `Answering.bugs` counts them, and
tests look at it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from librt.strings import BytesWriter, write_i32_be

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import CLOSE, LATER, Answer, Call, EncodedParts, Finisher, Slices
from moldau.broker.server.fitting import fit, has_malformed_text
from moldau.broker.server.monitoring.processor_time import charged
from moldau.broker.server.refusing import refusal
from moldau.broker.server.request_metrics import count_errors
from moldau.broker.server.routes import NO_TAGS, Route
from moldau.broker.server.slices import in_slices, run_slice
from moldau.broker.server.spliced import SplicedAnswer
from moldau.errors import (
    CorruptRecordError,
    DecodeError,
    EncodeError,
    InvalidRecordError,
    KafkaError,
    MoldauError,
    StorageError,
)
from moldau.network.connection import Connection
from moldau.platform.buffers import Buffer
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.compile import encode_parts
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

__all__ = ["BUGS", "Answering", "error_of"]

log: Final = logging.getLogger("moldau.broker.server.dispatch")

BUGS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    NameError,
    NotImplementedError,
    OSError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""What a mistake of ours shows as, in a handler or where its module is imported: by the first
request for it, which may be when nothing is left to open a file with. Anything else ends the
program, as it should."""


class Answering(Finisher):
    """For the connections of one listener."""

    def __init__(self) -> None:
        self.bugs = 0
        self.taken = 0
        """Requests, since the start."""
        self.broker: Broker
        self.now_ns: Callable[[], int]
        """The broker's clock; found once, for it is called for each answer."""

    def serve(self, broker: Broker) -> None:
        """From now on requests can be answered."""
        self.broker = broker
        self.now_ns = broker.clock.monotonic_ns

    def finish_later(
        self, connection: Connection, call: Call, route: object, answer: Answer
    ) -> None:
        assert isinstance(route, Route), "it was noted with the call"
        self.finish(connection, call, route, answer)

    def finish(
        self,
        connection: Connection,
        call: Call,
        route: Route,
        answer: Answer,
        parts: list[Buffer] | None = None,
    ) -> None:
        """Send the answer, and mute the connection for the throttle time."""
        call.answered()
        if isinstance(answer, bytes):
            connection.reply_bytes(_with_head(call, route, answer), call.throttle_ms)
            self._count(call, route)
            return
        if answer is None:
            connection.done(call.throttle_ms)
            return
        if not isinstance(answer, Message):
            self._go_on(connection, call, route, answer)
            return
        throttle_ms = call.throttle_ms
        if throttle_ms and route.has_throttle_time:
            answer.throttle_time_ms = throttle_ms  # type: ignore[attr-defined]
        try:
            parts = parts or encode_parts(answer, route.version)
        except MoldauError as error:
            if fit(answer):
                self.finish(connection, call, route, answer)
            else:
                self._give_up(connection, call, error)
            return
        self._count_errors(call, route, answer)
        self._send(connection, call, route, parts)

    # hot: once for each answer.
    def _send(self, connection: Connection, call: Call, route: Route, parts: list[Buffer]) -> None:
        size = route.head_size
        for part in parts:
            size += len(part)
        head = route.pack_head(size, call.correlation_id)
        if len(parts) == 1:
            connection.reply_bytes(head + parts[0], call.throttle_ms)
        else:
            connection.reply(head, *parts, mute_ms=call.throttle_ms)
        self._count(call, route)

    def _count(self, call: Call, route: Route) -> None:
        """Count a response that has left."""
        elapsed_ns = self.now_ns() - call.received_ns
        local_ns = call.handled_ns - call.received_ns if call.handled_ns else elapsed_ns
        route.metrics.answered(elapsed_ns, local_ns, call.throttle_ms)
        if call.is_of_follower and route.of_followers is not None:
            route.of_followers.answered(elapsed_ns, local_ns, call.throttle_ms)

    def _count_errors(self, call: Call, route: Route, answer: Message) -> None:
        """Of the answer as a whole, or of its parts."""
        if route.has_error_code and answer.error_code:  # type: ignore[attr-defined]
            self._failed(call, route, answer.error_code)  # type: ignore[attr-defined]
        elif route.error_lists:
            for code, count in count_errors(answer, route.error_lists).items():
                self._failed(call, route, code, count)

    def _failed(self, call: Call, route: Route, code: int, count: int = 1) -> None:
        route.metrics.failed(code, count)
        if call.is_of_follower and route.of_followers is not None:
            route.of_followers.failed(code, count)

    def _go_on(self, connection: Connection, call: Call, route: Route, answer: Answer) -> None:
        """End it, or work through what the handler has begun: at once, if that is little."""
        if answer is CLOSE:
            connection.end_in_turn()
            return
        if isinstance(answer, EncodedParts):
            self._send(connection, call, route, answer.parts)
            return
        if isinstance(answer, SplicedAnswer):
            self._finish_spliced(connection, call, route, answer)
            return
        assert isinstance(answer, Slices), answer
        done, found = self._run_slice(call, answer)
        if done and found is not LATER:
            self.finish(connection, call, route, found)
            return
        call.expect(connection, route, self)
        if not done:
            rest = in_slices(self.broker, answer)
            self.begin(connection, call, route, rest)

    def _finish_spliced(
        self, connection: Connection, call: Call, route: Route, answer: SplicedAnswer
    ) -> None:
        message = answer.message
        if call.throttle_ms and route.has_throttle_time:
            message.throttle_time_ms = call.throttle_ms  # type: ignore[attr-defined]
        try:
            parts: list[Buffer] = [answer.encode()]
        except MoldauError as error:
            self._give_up(connection, call, error)
            return
        self.finish(connection, call, route, message, parts)

    def _run_slice(self, call: Call, work: Slices[None, None, Answer]) -> tuple[bool, Answer]:
        clock, quotas = self.broker.clock, self.broker.quotas
        began_ns = clock.monotonic_ns()
        try:
            return run_slice(clock, work)
        except MoldauError as error:
            return True, self.refuse(call, error)
        except BUGS:
            return True, self.unexpected(call)
        finally:
            if quotas is not None and quotas.are_set:
                quotas.spent(call, clock.monotonic_ns() - began_ns)

    def begin(
        self, connection: Connection, call: Call, route: Route, work: Coroutine[Any, Any, Answer]
    ) -> None:
        """Answer from a task."""
        self.broker.tasks.spawn(
            f"{BY_KEY[call.api_key].name} of {connection.number}",
            self._run(connection, call, route, work),
        )

    async def _run(
        self, connection: Connection, call: Call, route: Route, work: Coroutine[Any, Any, Answer]
    ) -> None:
        answer = await self.outcome(call, work)
        if answer is not LATER:
            self.finish(connection, call, route, answer)

    async def outcome(self, call: Call, work: Coroutine[Any, Any, Answer]) -> Answer:
        """The handler's answer, or the refusal that its error stands for."""
        try:
            return await charged(call, self.broker, work)
        except MoldauError as error:
            return self.refuse(call, error)
        except BUGS:
            return self.unexpected(call)

    def _give_up(self, connection: Connection, call: Call, error: MoldauError) -> None:
        """There is an answer, but it cannot be written."""
        if has_malformed_text(call.request):
            log.info("Closing %s: its text is no UTF-8, and %s", connection, error)
        else:
            name = BY_KEY[call.api_key].name
            log.error("The answer to %s cannot be written", name, exc_info=error)
            self.bugs += 1
        connection.end_in_turn(is_abrupt=True)

    def refuse(self, call: Call, error: MoldauError) -> Message:
        if isinstance(error, EncodeError) and has_malformed_text(call.request):
            # A refusal repeats that text, too, and is given up in turn.
            return refusal(call.request, call.version, ErrorCode.UNKNOWN_SERVER_ERROR, None)
        code, message = error_of(error)
        return refusal(call.request, call.version, code, message)

    def note_bug(self, call: Call) -> None:
        self.bugs += 1
        log.exception("A bug met %s of %s", BY_KEY[call.api_key].name, call.client_id)

    def unexpected(self, call: Call) -> Message:
        self.note_bug(call)
        return refusal(call.request, call.version, ErrorCode.UNKNOWN_SERVER_ERROR, None)


def _with_head(call: Call, route: Route, answer: bytes) -> bytes:
    """The whole frame of an answer that is encoded already."""
    # hot: of what fast readers have read, nearly always.
    writer = BytesWriter()
    write_i32_be(writer, route.head_size + len(answer))
    write_i32_be(writer, call.correlation_id)
    if route.head_has_tags:
        writer.append(NO_TAGS)
    writer.write(answer)
    return writer.getvalue()


def error_of(error: MoldauError) -> tuple[int, str | None]:
    """The code and the sentence that a peer gets for an error of ours."""
    match error:
        case KafkaError():
            return error.code, error.message
        case StorageError():
            return ErrorCode.KAFKA_STORAGE_ERROR, str(error)
        case CorruptRecordError():
            return ErrorCode.CORRUPT_MESSAGE, str(error)
        case InvalidRecordError():
            return ErrorCode.INVALID_RECORD, str(error)
        case DecodeError():
            return ErrorCode.INVALID_REQUEST, str(error)
        case _:
            log.error("A handler met an error that no peer can have caused", exc_info=error)
            return ErrorCode.UNKNOWN_SERVER_ERROR, str(error)
