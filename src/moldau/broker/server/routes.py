"""How requests of one API and version are answered: all that can be known before they come."""

from __future__ import annotations

from inspect import iscoroutinefunction
from struct import Struct as Packer
from typing import NamedTuple, TypeAlias

from moldau.broker.metrics.registry import Registry
from moldau.broker.server.apis import Handler, versions_of
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.fast_readers import FastReader
from moldau.broker.server.request_metrics import RequestMetrics
from moldau.broker.server.shortcut import Shortcut
from moldau.errors import DecodeError
from moldau.network.connection import Connection
from moldau.protocol.messages.cluster.api_versions import ApiVersionsResponse
from moldau.protocol.messages.headers import RequestHeader
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.compile import decode_prefix
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.frame import (
    API_VERSIONS_KEY,
    request_header_version,
    response_header_version,
)
from moldau.protocol.wire.schema import Message

__all__ = [
    "NAME_AT",
    "NO_TAGS",
    "START",
    "Route",
    "make_call",
    "make_route",
    "refuse_version",
    "stepped_down",
]

START = Packer(">hhih")
"""API key, version, correlation id and the length of the client id: how every request begins."""
Start: TypeAlias = tuple[int, int, int, int]
_HEAD = (Packer(">ii"), Packer(">iiB"))
NAME_AT = 10
"""Where the client id begins in a request's header, after its size."""
NO_TAGS = 0
FLEXIBLE_HEADER = 2


class Route(NamedTuple):
    """For one API and version."""

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
    fast: FastReader | None = None

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


def stepped_down(version: int, registry: Registry) -> Route:
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
