"""What stands between the frame's size and the body, in both directions.

An API version that is flexible takes request header 2 and response header 1; any other takes
request header 1 and response header 0. Request header 0 went with Kafka 4.0. The one exception:
ApiVersions answers always use response header 0, because the client cannot yet know what we speak.

The client id of request header 2 keeps its old form (two-byte length, nullable) although the
header is flexible: a server must be able to read it before it knows the header's version.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Header
from moldau.protocol.wire.types import Int16, Int32, String


class RequestHeader(Header, versions="1-2", flexible="2+"):
    """Names the API, its version and the conversation a request belongs to."""

    request_api_key: Int16
    request_api_version: Int16
    correlation_id: Int32
    """Made up by the client; the answer repeats it."""
    client_id: String | None = at(flexible=False)
    """The client's name for itself: quotas and logs go by it, access never."""


class ResponseHeader(Header, versions="0-1", flexible="1+"):
    """Ties an answer to its request."""

    correlation_id: Int32
