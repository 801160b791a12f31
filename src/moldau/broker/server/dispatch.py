"""From a frame to its handler.

    frame ─► route by API key and version ─► header ─► body ─► handler ─► response ─► connection
                   │ unknown: the end          │ malformed: the end   │ KafkaError: refusal

What Kafka does is done here too: an API that is not served on this kind of listener, or a version
of it that is not, closes the connection, and so do bytes that are no request. The one exception is
ApiVersions, whose unknown versions are answered as version 0 with UNSUPPORTED_VERSION. Bytes behind
a whole request are passed over, as in Kafka: librdkafka leaves some behind its Metadata requests.

Some APIs have a reader of bytes beside the decoder of messages (`server.fast_readers`); their
requests go the same way from there.

A route is made by the first request for its API and version and then kept. It holds everything
that can be known beforehand, so that the way of an ordinary request is one dictionary look-up, two
decoders, the handler, and one encoder. Requests that take long to read go the way of
`server.long_requests`; what becomes of the handler's answer stands in `server.answering`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from struct import error as StructError
from typing import Final

from librt.strings import read_i16_be, read_i32_be

from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.server.answering import BUGS, Answering
from moldau.broker.server.apis import Handler, handler_of, is_served
from moldau.broker.server.call import HEAD_BYTES, LATER, Call, FastReader
from moldau.broker.server.fast_readers import fast_reader_of
from moldau.broker.server.long_requests import LONG_BYTES, LongRequests, Room
from moldau.broker.server.routes import (
    NAME_AT,
    NAME_SIZE_AT,
    NO_TAGS,
    START,
    Route,
    Start,
    make_route,
    stepped_down,
)
from moldau.errors import DecodeError, MoldauError
from moldau.network.connection import Connection
from moldau.platform.buffers import Buffer
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.wire.compile import decode_prefix
from moldau.protocol.wire.frame import API_VERSIONS_KEY

__all__ = ["Dispatcher"]

log: Final = logging.getLogger(__name__)

BLANK: Final = ApiVersionsRequest()


class Dispatcher(Answering):
    """Answers the requests that come through one listener."""

    def __init__(
        self, apis: Mapping[int, str], find_handler: Callable[[int, str], Handler] = handler_of
    ) -> None:
        super().__init__()
        self._apis = apis
        self._find_handler = find_handler
        self._long = LongRequests(self, Room())
        self._routes: dict[int, Route] = {}
        """By the first four bytes of a frame: API and version."""
        self._image: Image = EMPTY_IMAGE
        self._has_quotas = False
        """By that image."""

    def handle(self, connection: Connection, frame: memoryview) -> None:
        """Take one frame; its connection is answered now or later."""
        try:
            head = (frame if len(frame) <= HEAD_BYTES else frame[:HEAD_BYTES]).tobytes()
            route = self._routes.get(read_i32_be(head, 0)) or self._route(
                read_i16_be(head, 0), read_i16_be(head, 2)
            )
            image = self.broker.metadata.image
            if image is not self._image:
                self._image, self._has_quotas = image, bool(image.quotas.by_entity)
            has_quotas = self._has_quotas
            fast = None if has_quotas else route.fast
            call = None if fast is None else self._read_fast(fast, connection, frame, head, image)
            if call is None:
                call = self._read_message(connection, frame, route, START.unpack_from(frame))
        except (DecodeError, StructError, IndexError) as error:
            short = f"a request of {len(frame)} bytes ends within its header"
            log.info("Closing %s: %s", connection, error if type(error) is DecodeError else short)
            connection.end_in_turn(is_abrupt=True)
            return
        except BUGS:
            self.bugs += 1
            log.exception("A bug met a request of %s", connection)
            connection.end_in_turn(is_abrupt=True)
            return
        if call is not None:
            self._ask(connection, call, route, len(frame), has_quotas=has_quotas)

    def read(self, connection: Connection, frame: memoryview) -> tuple[Call, Route]:
        """What a frame asks for, for what answers in place of its handler."""
        start: Start = START.unpack_from(frame)
        known = self._routes.get(read_i32_be(bytes(frame[:4]), 0))
        route = known or self._route(start[0], start[1])
        return self._read(connection, frame, route, start), route

    def _ask(
        self, connection: Connection, call: Call, route: Route, size: int, *, has_quotas: bool
    ) -> None:
        """Have the handler answer, now or later."""
        route.metrics.sizes.record(size)
        self.taken += 1
        if route.is_async:
            work = route.handle(call, self.broker)
            self.begin(connection, call, route, work)
            call.handled_ns = self.now_ns()
            return
        # hot: no task and no closure.
        call.expect(connection, route, self)
        quotas = self.broker.quotas if has_quotas else None
        began_ns = 0 if quotas is None else self.now_ns()
        try:
            answer = route.handle(call, self.broker)
        except MoldauError as error:
            answer = self.refuse(call, error)
        except BUGS:
            answer = self.unexpected(call)
        if quotas is not None:
            self._charge(call, size, began_ns)
        if call.is_of_follower and route.of_followers is not None:
            route.of_followers.sizes.record(size)
        if answer is LATER:
            call.handled_ns = self.now_ns()
        else:
            self.finish(connection, call, route, answer)

    def _charge(self, call: Call, size: int, began_ns: int) -> None:
        """What the request has cost so far counts against the quotas of its sender."""
        quotas = self.broker.quotas
        assert quotas is not None, "some are set"
        if call.api_key == ApiKey.PRODUCE:
            quotas.produced(call, size)
        quotas.spent(call, self.broker.clock.monotonic_ns() - began_ns)

    def _read_message(
        self, connection: Connection, frame: memoryview, route: Route, start: Start
    ) -> Call | None:
        """The request, decoded; None where that takes long, and goes its own way."""
        if len(frame) > LONG_BYTES and route.is_read:
            return self._long.read(connection, frame, route)
        return self._read(connection, frame, route, start)

    def _read(self, connection: Connection, frame: memoryview, route: Route, start: Start) -> Call:
        """The request, decoded."""
        client_id, position = route.read_header(frame, start[3])
        body: Buffer = frame[position:]
        if route.is_async:
            body = bytes(body)
        request = decode_prefix(route.request, route.version, body)[0] if route.is_read else BLANK
        # hot: as `make_call`, without the call.
        return Call(
            start[0],
            start[1],
            start[2],
            client_id,
            request,
            connection.principal,
            connection.listener,
            connection.link.peer,
            connection.number,
            connection.active_ns,
            connection.software,
        )

    # hot: as `_read`, for two of three requests in the life of a broker.
    def _read_fast(
        self,
        fast: FastReader,
        connection: Connection,
        frame: memoryview,
        head: bytes,
        image: Image,
    ) -> Call | None:
        """The same by a reader of bytes; None where it leaves the request to its message.

        So are all requests where a quota is set, for an answer that is kept has no throttle time.
        """
        name_size: int = read_i16_be(head, NAME_SIZE_AT)
        name_end = NAME_AT + name_size if name_size > 0 else NAME_AT
        if name_end >= len(head) or head[name_end] != NO_TAGS:
            return None
        read = fast.read(connection, frame, head, name_end + 1, image)
        if read is None:
            return None
        client_id = head[NAME_AT:name_end].decode("utf-8", "replace") if name_size >= 0 else None
        return Call(
            read_i16_be(head, 0),
            read_i16_be(head, 2),
            read_i32_be(head, 4),
            client_id,
            None,
            connection.principal,
            connection.listener,
            connection.peer,
            connection.number,
            connection.active_ns,
            connection.software,
            read,
        )

    def _route(self, api_key: int, version: int) -> Route:
        """Look once whether and how this is served."""
        module = self._apis.get(api_key)
        if module is None:
            raise DecodeError(f"API {api_key} is not served on this listener")
        if is_served(api_key, version, self.broker):
            handle = self._find_handler(api_key, module)
            route = make_route(api_key, version, handle, self.broker.metrics)
            route.fast = fast_reader_of(api_key, version, self.broker)
        elif api_key == API_VERSIONS_KEY:
            route = stepped_down(version, self.broker.metrics)
        else:
            raise DecodeError(f"version {version} of API {api_key} is not served")
        self._routes[(api_key << 16) + (version & 0xFFFF)] = route
        return route
