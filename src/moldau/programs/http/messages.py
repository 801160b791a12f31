"""Requests and responses as values, and refusals, which are responses too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass

if TYPE_CHECKING:
    from moldau.programs.http.websocket.socket import WebSocket

__all__ = [
    "ALLOW",
    "BUGS",
    "DIGITS_MAX",
    "REASONS",
    "Handler",
    "HttpError",
    "MethodError",
    "PathError",
    "Request",
    "Response",
    "Upgrade",
]

REASONS: Final[Mapping[int, str]] = {
    100: "Continue",
    101: "Switching Protocols",
    200: "OK",
    201: "Created",
    202: "Accepted",
    204: "No Content",
    207: "Multi-Status",
    302: "Found",
    304: "Not Modified",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    406: "Not Acceptable",
    408: "Request Timeout",
    409: "Conflict",
    411: "Length Required",
    413: "Request Entity Too Large",
    414: "URI Too Long",
    415: "Unsupported Media Type",
    417: "Expectation Failed",
    422: "Unprocessable Entity",
    426: "Upgrade Required",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
    504: "Gateway Timeout",
    505: "HTTP Version Not Supported",
}
NO_PARAMETERS: Final[Mapping[str, str]] = {}
TRUE: Final = "true"
ALLOW: Final = "Allow"
"""The header with the methods that a path has."""
DIGITS_MAX: Final = 19
"""Of a number of 64 bits; Python itself refuses to read thousands."""
BUGS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    NameError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What only a defect raises: it costs one request, and not the server."""


class HttpError(MoldauError):
    """Refused, with a status for HTTP and a code that clients look at."""

    def __init__(self, status: int, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = status if code is None else code


class PathError(HttpError):
    """Nothing is served at the path, by any method."""

    def __init__(self) -> None:
        super().__init__(404, "HTTP 404 Not Found")


class MethodError(HttpError):
    """The path is served, and not by this method."""

    def __init__(self, allowed: str) -> None:
        super().__init__(405, "HTTP 405 Method Not Allowed")
        self.allowed = allowed
        """Methods that are served, as the header `Allow` has them."""


@dataclass(slots=True)
class Request:
    """One request, whole."""

    method: str
    path: str
    """As it came, still percent-encoded: a name may hold a slash."""
    query: Mapping[str, list[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Names in lower case; passwords and tokens are among them."""
    body: bytes = field(default=b"", repr=False)
    stream: AsyncIterator[bytes] | None = None
    """The body, where it comes in pieces while the request is being answered."""
    keeps_alive: bool = True
    is_chunkable: bool = True
    """The client's version is HTTP/1.1, so a response may come in chunks."""
    parameters: Mapping[str, str] = field(default_factory=lambda: NO_PARAMETERS)
    """What the path has where its route has `{names}`."""
    certificate: bytes | None = None
    """What the client has shown and TLS has checked, in DER."""
    peer: str = ""
    """The address that it comes from."""
    may_show: frozenset[str] | None = None
    """What of a listing this user may be shown, by name; None for all."""
    scheme: str = "http"
    """`https` where TLS is spoken: links in responses begin so."""

    @property
    def site(self) -> str | None:
        """Scheme and host, as the client has asked for them; None from a client of HTTP/1.0."""
        host = self.headers.get("host")
        return None if host is None else f"{self.scheme}://{host}"

    def one(self, name: str, default: str | None = None) -> str | None:
        """A parameter of the query."""
        found = self.query.get(name)
        return found[-1] if found else default

    def flag(self, name: str) -> bool:
        return (self.one(name) or "").lower() == TRUE

    def number(self, name: str, default: int) -> int:
        text = self.one(name)
        if text is None:
            return default
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= DIGITS_MAX):
            raise HttpError(404, "HTTP 404 Not Found")  # what JAX-RS makes of it
        return int(text)

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Upgrade(NamedTuple):
    """What a connection becomes behind a response of 101."""

    run: Callable[[WebSocket], Awaitable[None]]
    """The socket lives as long as this."""
    takes_messages: bool


@dataclass(slots=True)
class Response:
    """What is sent back: a body, or pieces of one that are still to be made."""

    body: bytes = b""
    status: int = 200
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=lambda: NO_PARAMETERS)
    pieces: AsyncIterator[bytes] | None = None
    upgrade: Upgrade | None = None


Handler: TypeAlias = Callable[[Request], Response | Awaitable[Response]]
"""What needs no waiting answers at once; what does is awaited by a task."""
