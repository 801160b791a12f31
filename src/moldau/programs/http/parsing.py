"""Bytes to requests (RFC 9112), as they arrive.

`feed` takes what came, `next_request` gives a request as soon as it is whole; one whose body is
streamed comes with its head, and `next_piece` gives what follows. What is no HTTP, or
more than is allowed, is an `HttpError`, after which the connection is of no use: where a request
ends and the next one begins is not known any more. For the same reason a request that
gives its size in two ways is refused, and so is a header that is folded into the next line or has a
control character, and a chunk that is longer than its size: a proxy in front may read these in
another way (request smuggling).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import parse_qs

from moldau.programs.http.limits import Limits
from moldau.programs.http.messages import HttpError, Request

__all__ = ["RequestParser"]

HEAD_END: Final = b"\r\n\r\n"
LINE_END: Final = b"\r\n"
CHUNK_HEAD_BYTES_MAX: Final = 1024
_LINE: Final = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([!-~]+) HTTP/1\.([01])")
_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE: Final = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")
"""RFC 9110, 5.5: where a line ends is not left to who reads it next."""
_SIZE: Final = re.compile(r"[0-9]{1,15}")
_CHUNK: Final = re.compile(rb"([0-9a-fA-F]{1,12})[ \t]*(?:;[^\r\n]*)?")
QUERY_FIELDS_MAX: Final = 200
ONCE: Final = ("content-length", "transfer-encoding", "host", "authorization")
"""What decides where a request ends, where it goes and who sends it."""


class RequestParser:
    """Parses the requests of one connection."""

    def __init__(
        self, limits: Limits, streams: Callable[[Request], bool] = lambda request: False
    ) -> None:
        """`streams` decides whose body in chunks is taken piece by piece."""
        self._limits = limits
        self._streams = streams
        self._buffer = bytearray()
        self._request: Request | None = None
        """Its head is there, its body not yet."""
        self._size: int | None = None
        """Of the body; None for one in chunks."""
        self._chunks = bytearray()
        self._searched = 0
        self.wants_continue = False
        """The client waits for `100 Continue` before it sends the body."""
        self.is_streaming = False
        """A request has been given out, and the end of its body has not come."""

    @property
    def has_begun(self) -> bool:
        return self._request is not None or bool(self._buffer) or self.is_streaming

    def feed(self, data: bytes | memoryview) -> None:
        self._buffer += data

    @property
    def unread_bytes(self) -> int:
        return len(self._buffer) + len(self._chunks)

    def take_unread(self) -> bytes:
        """What has come behind the last request, for a connection that is HTTP no more."""
        rest = bytes(self._buffer)
        self._buffer.clear()
        self._chunks.clear()
        return rest

    def next_request(self) -> Request | None:
        """One that is whole, or None where more has to come."""
        if self._request is None and not self._read_head():
            return None
        assert self._request is not None
        if self._size is None and self._streams(self._request):
            self.is_streaming = True
            request, self._request = self._request, None
            return request
        body = self._read_chunks() if self._size is None else self._read_body(self._size)
        if body is None:
            return None
        request, self._request = self._request, None
        self.wants_continue = False
        assert request is not None
        request.body = body
        return request

    def next_piece(self) -> bytes | None:
        """Of a body that is streamed: what of it has come, perhaps nothing, or None at its end."""
        if not self.is_streaming:
            return None
        try:
            whole = self._read_chunks()
        except HttpError:
            if not self._chunks:
                raise
            whole = None  # what came before is good, and it is raised again behind that
        if whole is None:
            whole = bytes(self._chunks)
            self._chunks.clear()
            return whole
        self.is_streaming = False
        return whole or None

    def _read_head(self) -> bool:
        while self._buffer.startswith(LINE_END):
            del self._buffer[:2]  # RFC 9112, 2.2: an empty line before a request is nothing
        end = self._buffer.find(HEAD_END, max(self._searched - 3, 0))
        if max(end, 0) > self._limits.head_bytes_max or (
            end < 0 and len(self._buffer) > self._limits.head_bytes_max
        ):
            raise HttpError(431, "the headers of the request are too long")
        self._searched = 0 if end >= 0 else len(self._buffer)
        if end < 0:
            return False
        head = self._buffer[:end].decode("latin-1")
        del self._buffer[: end + 4]
        line, *fields = head.split("\r\n")
        self._request = request = _request_of(line, _headers(fields))
        self._size = self._size_of(request)
        self.wants_continue = request.headers.get("expect", "").lower() == "100-continue"
        return True

    def _size_of(self, request: Request) -> int | None:
        headers = request.headers
        coding, length = headers.get("transfer-encoding"), headers.get("content-length")
        if coding is not None:
            is_old = not request.is_chunkable
            if length is not None or coding.lower() != "chunked" or is_old:
                raise HttpError(400, "the request's body has no single declared size")
            return None
        if length is None:
            return 0
        if not _SIZE.fullmatch(length):
            raise HttpError(400, f"Content-Length is no number: {length!r}")
        self._check_size(int(length))
        return int(length)

    def _check_size(self, size: int) -> None:
        if size > self._limits.body_bytes_max:
            most = self._limits.body_bytes_max
            raise HttpError(413, f"the body has {size} bytes or more, and may have {most}")

    def _read_body(self, size: int) -> bytes | None:
        if len(self._buffer) < size:
            return None
        body = bytes(self._buffer[:size])
        del self._buffer[:size]
        return body

    def _read_chunks(self) -> bytes | None:
        while True:
            end = self._buffer.find(LINE_END)
            if end < 0 or end > CHUNK_HEAD_BYTES_MAX:
                self._refuse_long_line()
                return None
            match = _CHUNK.fullmatch(self._buffer[:end])
            if match is None:
                raise HttpError(400, "a chunk of the body has no size")
            size = int(match[1], 16)
            self._check_size(len(self._chunks) + size)
            if not size:
                return self._end_of_chunks(end)
            if len(self._buffer) < end + 2 + size + 2:
                return None
            stop = end + 2 + size
            if self._buffer[stop : stop + 2] != LINE_END:
                raise HttpError(400, "a chunk of the body has another size than it declares")
            self._chunks += self._buffer[end + 2 : stop]
            del self._buffer[: stop + 2]

    def _end_of_chunks(self, end: int) -> bytes | None:
        """Behind the last chunk there may be headers, which mean nothing here."""
        if self._buffer[end : end + 4] == HEAD_END:
            stop = end
        else:
            stop = self._buffer.find(HEAD_END, end)
            if stop < 0:
                self._refuse_long_line()
                return None
        del self._buffer[: stop + 4]
        body = bytes(self._chunks)
        self._chunks.clear()
        return body

    def _refuse_long_line(self) -> None:
        if len(self._buffer) > self._limits.head_bytes_max:
            raise HttpError(400, "a chunk of the body has no end of line")


def _request_of(line: str, headers: Mapping[str, str]) -> Request:
    match = _LINE.fullmatch(line)
    if match is None:
        raise HttpError(400, "the first line of the request is not HTTP/1.1")
    method, target, minor = match.groups()
    path, _, query = target.partition("?")
    if "://" in path.partition("/")[0] + path[:8]:
        path = "/" + path.split("://", 1)[1].partition("/")[2]  # a proxy's absolute form
    is_1_1 = minor == "1"
    connection = headers.get("connection", "").lower()
    return Request(
        method,
        path,
        _query_of(query),
        headers,
        keeps_alive="close" not in connection and (is_1_1 or "keep-alive" in connection),
        is_chunkable=is_1_1,
    )


def _query_of(query: str) -> dict[str, list[str]]:
    if not query:
        return {}
    try:
        return parse_qs(query, keep_blank_values=True, max_num_fields=QUERY_FIELDS_MAX)
    except ValueError:
        raise HttpError(414, f"the query has more than {QUERY_FIELDS_MAX} parameters") from None


def _headers(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            raise HttpError(400, "a header of the request is malformed")
        name, value = name.lower(), value.strip(" \t")
        is_twice = name in found and (name == "transfer-encoding" or found[name] != value)
        if is_twice and name in ONCE:
            raise HttpError(400, f"the request has {name} twice")
        found[name] = f"{found[name]}, {value}" if name in found and found[name] != value else value
    return found
