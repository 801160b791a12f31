"""From a frame to its handler, and from the handler's answer to the connection.

    frame ─► route by API key and version ─► header ─► body ─► handler ─► response ─► connection
                   │ unknown: hang up          │ malformed: hang up   │ KafkaError: refusal

What Kafka does is done here too: an API that is not served on this kind of listener, or a version
of it that is not, closes the connection, and so do bytes that are no request. The one exception is
ApiVersions, whose unknown versions are answered as version 0 with UNSUPPORTED_VERSION. Bytes behind
a whole request are passed over, as in Kafka: librdkafka leaves some behind its Metadata requests.

Some APIs have shortcuts (`server.shortcuts`): requests in their commonest shape are answered from
the bytes of the frame, without call, message and handler. They are counted like all others.

A route is made by the first request for its API and version and then kept. It holds everything
that can be known beforehand, so that the way of an ordinary request is one dictionary look-up, two
decoders, the handler, and one encoder.

A handler that fails in a way nobody foresaw is our own bug. The peer gets UNKNOWN_SERVER_ERROR,
the log gets the traceback, and everybody else is served on: `Dispatcher.bugs` counts them, and
tests look at it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from inspect import iscoroutinefunction
from struct import Struct as Packer
from struct import error as StructError
from typing import NamedTuple

from moldau.buffers import Buffer
from moldau.errors import (
    CorruptRecordError,
    DecodeError,
    InvalidRecordError,
    KafkaError,
    MoldauError,
    StorageError,
)
from moldau.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.messages.headers import RequestHeader
from moldau.messages.index import BY_KEY
from moldau.metrics.registry import Registry
from moldau.network.connection import Connection
from moldau.server.apis import Handler, handler_of, versions_of
from moldau.server.broker import Broker
from moldau.server.call import HANG_UP, LATER, Answer, Call
from moldau.server.fitting import fit, has_malformed_text
from moldau.server.processor_time import charged
from moldau.server.refusing import refusal
from moldau.server.request_metrics import RequestMetrics
from moldau.server.shortcuts.shortcut import (
    SHORT_HEAD,
    SHORT_HEAD_BYTES,
    Later,
    Postponed,
    Shortcut,
    shortcut_of,
)
from moldau.wire.compile import decode_prefix, encode_parts
from moldau.wire.error_codes import ErrorCode
from moldau.wire.frame import API_VERSIONS_KEY, request_header_version, response_header_version
from moldau.wire.schema import Message

__all__ = [
    "Dispatcher",
    "Route",
    "already_answered",
    "error_of",
    "make_route",
    "refuse_version",
]

log = logging.getLogger(__name__)

_START = Packer(">hhih")
_HEAD = (Packer(">ii"), Packer(">iiB"))
PRODUCE_KEY = 0
NAME_AT = 10
"""Where the client id begins in a request's header, after its size."""
NO_TAGS = 0
FLEXIBLE_HEADER = 2

BLANK = ApiVersionsRequest()

BUGS = (
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


class Route(NamedTuple):
    """How requests of one API and version are answered."""

    request: type[Message]
    version: int
    """Of the body; below the one that was asked for where ApiVersions steps down."""
    handle: Handler
    is_async: bool
    header_is_flexible: bool
    head: Packer
    """Size and correlation id, and the empty tags of a flexible header."""
    tags: tuple[int, ...]
    tells_throttle: bool
    tells_error: bool
    """The answer as a whole has an error code in this version."""
    metrics: RequestMetrics
    is_read: bool = True
    """False where the body is in a version that we cannot read."""
    shortcut: Shortcut | None = None


class Dispatcher:
    """Answers the requests that come through one listener."""

    def __init__(self, apis: Mapping[int, str]) -> None:
        self.bugs = 0
        self.taken = 0
        """Requests, since the start."""
        self._apis = apis
        self._broker: Broker
        self._routes: dict[tuple[int, int], Route] = {}

    def serve(self, broker: Broker) -> None:
        """From now on there is somebody who can answer."""
        self._broker = broker

    def handle(self, connection: Connection, frame: memoryview) -> None:
        """Take one frame; its connection is answered now or later."""
        try:
            api_key, version, correlation_id, name_size = _START.unpack_from(frame)
            route = self._routes.get((api_key, version)) or self._route(api_key, version)
            if route.shortcut is not None:
                body_at = NAME_AT + 1 + (name_size if name_size > 0 else 0)
                body = None
                if frame[body_at - 1] == NO_TAGS:
                    body = route.shortcut.find(connection, frame, body_at)
                if body is not None:
                    self._shorten(connection, route, correlation_id, body, len(frame))
                    return
            call = self._read(connection, frame)
        except (DecodeError, StructError, IndexError) as error:
            short = f"a request of {len(frame)} bytes ends within its header"
            log.info("Closing %s: %s", connection, error if type(error) is DecodeError else short)
            connection.abort()
            return
        except BUGS:
            self.bugs += 1
            log.exception("A bug met a request of %s", connection)
            connection.abort()
            return
        self._ask(connection, call, route, len(frame))

    def _ask(self, connection: Connection, call: Call, route: Route, size: int) -> None:
        """Have the handler answer, now or later."""
        route.metrics.sizes.record(size)
        self.taken += 1
        if route.is_async:
            self._broker.tasks.spawn(
                f"{BY_KEY[call.api_key].name} of {connection.number}",
                self._run(connection, call, route),
            )
            return
        # hot: no task, no closure but the one that may be asked to answer later.
        call.answer = lambda later: self._finish(connection, call, route, later)
        began_ns = self._broker.clock.monotonic_ns()
        try:
            answer = route.handle(call, self._broker)
        except MoldauError as error:
            answer = self._refuse(call, error)
        except BUGS:
            answer = self._confess(call)
        quotas = self._broker.quotas
        if quotas is not None and quotas.are_set:
            self._charge(call, size, began_ns)
        if answer is not LATER:
            self._finish(connection, call, route, answer)

    def _shorten(
        self,
        connection: Connection,
        route: Route,
        correlation_id: int,
        body: bytes | Postponed,
        size: int,
    ) -> None:
        """Send what a shortcut has found, and count as `_ask` and `_finish` do."""
        # hot: two of three requests in the life of a broker end here.
        self.taken += 1
        if isinstance(body, Postponed):
            body.later = self._promise(connection, route, correlation_id, size)
            return
        head = SHORT_HEAD.pack(len(body) + SHORT_HEAD_BYTES, correlation_id, NO_TAGS)
        connection.reply(head + body)
        elapsed_ns = self._broker.clock.monotonic_ns() - connection.active_ns
        route.metrics.shortened(size, elapsed_ns)

    def _promise(
        self, connection: Connection, route: Route, correlation_id: int, size: int
    ) -> Later:
        return Later(
            connection, correlation_id, size, route.metrics, self._broker.clock,
            lambda call, answer: self._finish(connection, call, route, answer),
        )  # fmt: skip

    def _charge(self, call: Call, size: int, began_ns: int) -> None:
        """What the request has cost so far counts against the quotas of its sender."""
        quotas = self._broker.quotas
        if call.api_key == PRODUCE_KEY:
            quotas.produced(call, size)
        quotas.spent(call, self._broker.clock.monotonic_ns() - began_ns)

    def _read(self, connection: Connection, frame: memoryview) -> Call:
        """The request, decoded."""
        api_key, version, correlation_id, name_size = _START.unpack_from(frame)
        route = self._routes[api_key, version]
        position = NAME_AT
        client_id = None
        if name_size >= 0:
            position += name_size
            client_id = str(frame[NAME_AT:position], "utf-8", "replace")
        if route.header_is_flexible:
            if frame[position] == NO_TAGS:
                position += 1
            else:
                position = decode_prefix(RequestHeader, 2, frame)[1]
        if position > len(frame):
            raise DecodeError("the client id is longer than its frame")
        body: Buffer = frame[position:]
        if route.is_async:
            body = bytes(body)
        request = decode_prefix(route.request, route.version, body)[0] if route.is_read else BLANK
        return Call(
            api_key,
            version,
            correlation_id,
            client_id,
            request,
            connection.principal,
            connection.listener,
            connection.link.peer,
            connection.number,
            connection.active_ns,
            connection.software,
        )

    async def _run(self, connection: Connection, call: Call, route: Route) -> None:
        """A handler that waits, as its task."""
        try:
            answer = await charged(call, self._broker, route.handle(call, self._broker))
        except MoldauError as error:
            answer = self._refuse(call, error)
        except BUGS:
            answer = self._confess(call)
        assert answer is not LATER, "who awaits has the answer when it returns"
        self._finish(connection, call, route, answer)

    def _finish(self, connection: Connection, call: Call, route: Route, answer: Answer) -> None:
        """Send the answer, and mute the connection as long as its client owes."""
        call.answer = already_answered  # and so call and closure do not hold each other
        if answer is None:
            connection.done(call.throttle_ms)
            return
        if not isinstance(answer, Message):
            assert answer is HANG_UP, answer
            connection.hang_up()
            return
        throttle_ms = call.throttle_ms
        if throttle_ms and route.tells_throttle:
            answer.throttle_time_ms = throttle_ms  # type: ignore[attr-defined]
        try:
            parts = encode_parts(answer, route.version)
        except MoldauError as error:
            if fit(answer):
                self._finish(connection, call, route, answer)
            else:
                self._give_up(connection, call, error)
            return
        tags = route.tags
        size = sum(map(len, parts)) + 4 + len(tags)
        head = route.head.pack(size, call.correlation_id, *tags)
        if len(parts) == 1:
            connection.reply(head + parts[0], mute_ms=throttle_ms)
        else:
            connection.reply(head, *parts, mute_ms=throttle_ms)
        if route.tells_error and answer.error_code:  # type: ignore[attr-defined]
            route.metrics.failed(answer.error_code)  # type: ignore[attr-defined]
        route.metrics.throttle_time.record(throttle_ms)
        route.metrics.answered(self._broker.clock.monotonic_ns() - call.received_ns)

    def _give_up(self, connection: Connection, call: Call, error: MoldauError) -> None:
        """There is an answer, but it cannot be written."""
        if has_malformed_text(call.request):
            log.info("Closing %s: its text is no UTF-8, and %s", connection, error)
        else:
            name = BY_KEY[call.api_key].name
            log.error("The answer to %s cannot be written", name, exc_info=error)
            self.bugs += 1
        connection.abort()

    def _refuse(self, call: Call, error: MoldauError) -> Message:
        code, message = error_of(error)
        return refusal(call.request, call.version, code, message)

    def _confess(self, call: Call) -> Message:
        self.bugs += 1
        log.exception("A bug met %s of %s", BY_KEY[call.api_key].name, call.client_id)
        return refusal(call.request, call.version, ErrorCode.UNKNOWN_SERVER_ERROR, None)

    def _route(self, api_key: int, version: int) -> Route:
        """Look once whether and how this is served."""
        module = self._apis.get(api_key)
        if module is None:
            raise DecodeError(f"API {api_key} is not served on this listener")
        if version in versions_of(api_key):
            route = make_route(api_key, version, handler_of(api_key, module), self._broker.metrics)
            shortcut = shortcut_of(api_key, version, self._broker, self._read)
            route = route._replace(shortcut=shortcut)
        elif api_key == API_VERSIONS_KEY:
            route = _stepped_down(version, self._broker.metrics)
        else:
            raise DecodeError(f"version {version} of API {api_key} is not served")
        self._routes[api_key, version] = route
        return route


def make_route(api_key: int, version: int, handle: Handler, registry: Registry) -> Route:
    api = BY_KEY[api_key]
    header = response_header_version(api.response, version)
    error = api.response.DECLARED.get("error_code")
    return Route(
        api.request,
        version,
        handle,
        iscoroutinefunction(handle),
        request_header_version(api.request, version) == FLEXIBLE_HEADER,
        _HEAD[header],
        (NO_TAGS,) if header else (),
        "throttle_time_ms" in api.response.DECLARED,
        error is not None and version in error.versions,
        RequestMetrics(registry, api.name, version),
    )


def _stepped_down(version: int, registry: Registry) -> Route:
    """For a version of ApiVersions that is not known: whatever it says, the answer is our range."""
    api = BY_KEY[API_VERSIONS_KEY]
    flexible = request_header_version(api.request, max(version, 0)) == FLEXIBLE_HEADER
    route = make_route(API_VERSIONS_KEY, 0, refuse_version, registry)
    return route._replace(is_read=False, header_is_flexible=flexible)


def refuse_version(call: Call, broker: Broker) -> Message:
    served = versions_of(API_VERSIONS_KEY)
    return ApiVersionsResponse(
        error_code=ErrorCode.UNSUPPORTED_VERSION,
        api_keys=[
            ApiVersionsResponse.ApiVersion(
                api_key=API_VERSIONS_KEY, min_version=served[0], max_version=served[-1]
            )
        ],
    )


def already_answered(answer: Answer) -> None:
    raise AssertionError("a call is answered once")


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
            return ErrorCode.UNKNOWN_SERVER_ERROR, str(error)
