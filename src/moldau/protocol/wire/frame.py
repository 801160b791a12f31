"""Frames: what separates one message from the next on a connection.

    frame = int32 size, header, body

A request's header names API and version before anything else, so that `RequestStart` can be read
from any frame, whatever its header's version. Which header version belongs to an API version is a
rule of the protocol: flexible versions have flexible headers, but the answer to ApiVersions always
has the oldest response header, because the client does not yet have the server's versions.
"""

from __future__ import annotations

from struct import Struct as Packer
from typing import Final, NamedTuple

from moldau.errors import DecodeError
from moldau.platform.buffers import Buffer
from moldau.protocol.wire.schema import Message

SIZE_BYTES: Final = 4
FRAME_BYTES_MAX: Final = 100 * 1024 * 1024
"""`socket.request.max.bytes` by default: a larger claim closes the connection."""
API_VERSIONS_KEY: Final = 18

_SIZE: Final = Packer(">i")
_START: Final = Packer(">hhi")


class RequestStart(NamedTuple):
    """The eight bytes that every request header begins with."""

    api_key: int
    api_version: int
    correlation_id: int


def read_size(buffer: Buffer, position: int = 0, *, limit: int = FRAME_BYTES_MAX) -> int:
    """The size of the frame that starts here, judged before anything is read for it."""
    (size,) = _SIZE.unpack_from(buffer, position)
    assert isinstance(size, int)
    if not 0 <= size <= limit:
        raise DecodeError(f"a frame claims {size} bytes where at most {limit} are accepted")
    return size


def read_request_start(frame: Buffer) -> RequestStart:
    """API, version and correlation id of a request frame without its size."""
    if len(frame) < _START.size:
        raise DecodeError(f"a request of {len(frame)} bytes is shorter than its header")
    return RequestStart._make(_START.unpack_from(frame))


def request_header_version(request: type[Message], version: int) -> int:
    return 2 if version in request.FLEXIBLE else 1


def response_header_version(response: type[Message], version: int) -> int:
    if response.KEY == API_VERSIONS_KEY:
        return 0
    return 1 if version in response.FLEXIBLE else 0


def frame_parts(*pieces: Buffer) -> list[Buffer]:
    """The pieces of one message with their common size before them, none of them copied."""
    return [_SIZE.pack(sum(map(len, pieces))), *pieces]
