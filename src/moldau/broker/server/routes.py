"""How requests of one API and version are answered: all that can be known before they come."""

from __future__ import annotations

from collections.abc import Callable
from inspect import iscoroutinefunction
from struct import Struct as Packer
from typing import Final, TypeAlias

from moldau.broker.metrics.registry import Registry
from moldau.broker.server.apis import Handler, versions_of
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call, FastReader
from moldau.broker.server.request_metrics import (
    FETCH_FOLLOWER,
    ErrorLists,
    RequestMetrics,
    error_lists,
)
from moldau.errors import DecodeError
from moldau.network.connection import Connection
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.cluster.api_versions import ApiVersionsResponse
from moldau.protocol.messages.headers import RequestHeader
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.compile import decode_prefix
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.frame import (
    API_VERSIONS_KEY,
    SIZE_BYTES,
    request_header_version,
    response_header_version,
)
from moldau.protocol.wire.schema import Message

__all__ = [
    "NAME_AT",
    "NAME_SIZE_AT",
    "NO_TAGS",
    "START",
    "Route",
    "Start",
    "make_call",
    "make_route",
    "refuse_version",
    "stepped_down",
]

START: Final = Packer(">hhih")
"""API key, version, correlation id and the length of the client id: how every request begins."""
Start: TypeAlias = tuple[int, int, int, int]
_HEAD: Final = (Packer(">ii"), Packer(">iix"))
NAME_SIZE_AT: Final = 8
NAME_AT: Final = 10
"""Where the client id begins in a request's header, after its size."""
NO_TAGS: Final = 0
FLEXIBLE_HEADER: Final = 2
CORRELATION_BYTES: Final = 4


class Route:
    """For one API and version."""

    __slots__ = (
        "error_lists", "fast", "handle", "has_error_code", "has_throttle_time", "head",
        "head_has_tags", "head_size", "header_is_flexible", "is_async", "is_read", "metrics",
        "of_followers", "pack_head", "request", "version",
    )  # fmt: skip

    def __init__(
        self,
        request: type[Message],
        version: int,
        handle: Handler,
        metrics: RequestMetrics,
        head: Packer,
    ) -> None:
        self.request = request
        self.version = version
        """Of the body; below the one that was asked for where ApiVersions steps down."""
        self.handle = handle
        self.is_async = iscoroutinefunction(handle)
        self.header_is_flexible = request_header_version(request, version) == FLEXIBLE_HEADER
        self.head = head
        """Size and correlation id, and the empty tags of a flexible header."""
        self.pack_head: Callable[[int, int], bytes] = head.pack
        """Found once, for it is called for each answer."""
        self.head_size = head.size - SIZE_BYTES
        """Of it, what the size counts."""
        self.head_has_tags = self.head_size > CORRELATION_BYTES
        self.has_throttle_time = False
        self.has_error_code = False
        """The answer as a whole has an error code in this version."""
        self.error_lists: ErrorLists = ()
        """Where its parts have error codes."""
        self.metrics = metrics
        self.of_followers: RequestMetrics | None = None
        """Of Fetch alone: what followers ask for is counted there too."""
        self.is_read = True
        """False where the body is in a version that we cannot read."""
        self.fast: FastReader | None = None

    def __repr__(self) -> str:
        return f"Route({self.request.__name__} {self.version})"

    def read_header(self, frame: memoryview, name_size: int) -> tuple[str | None, int]:
        """The client id, and where the body begins."""
        position = NAME_AT
        client_id = None
        if name_size >= 0:
            position += name_size
            client_id = str(frame[NAME_AT:position], "utf-8", "replace")
        if self.header_is_flexible:
            if frame[position] == NO_TAGS:
                position += 1
            else:
                position = decode_prefix(RequestHeader, 2, frame)[1]
        if position > len(frame):
            raise DecodeError("the client id is longer than its frame")
        return client_id, position


def make_call(
    connection: Connection, start: Start, client_id: str | None, request: Message
) -> Call:
    """A request that has been read, and its circumstances."""
    return Call(
        *start[:3],
        client_id,
        request,
        connection.principal,
        connection.listener,
        connection.link.peer,
        connection.number,
        connection.active_ns,
        connection.software,
    )


def make_route(api_key: int, version: int, handle: Handler, registry: Registry) -> Route:
    api = BY_KEY[api_key]
    header = response_header_version(api.response, version)
    error = api.response.DECLARED.get("error_code")
    metrics = RequestMetrics(registry, api.name, version)
    route = Route(api.request, version, handle, metrics, _HEAD[header])
    route.has_throttle_time = "throttle_time_ms" in api.response.DECLARED
    route.has_error_code = error is not None and version in error.versions
    route.error_lists = error_lists(api.response)
    if api_key == ApiKey.FETCH:
        route.of_followers = RequestMetrics(registry, FETCH_FOLLOWER, version)
    return route


def stepped_down(version: int, registry: Registry) -> Route:
    """For an unknown version of ApiVersions: whatever is in it, the answer is our range."""
    api = BY_KEY[API_VERSIONS_KEY]
    flexible = request_header_version(api.request, max(version, 0)) == FLEXIBLE_HEADER
    route = make_route(API_VERSIONS_KEY, 0, refuse_version, registry)
    route.is_read, route.header_is_flexible = False, flexible
    return route


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
