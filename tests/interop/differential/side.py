"""One of the two nodes that are asked the same: a connection, and what its random ids mean.

Ids that a node makes up (of topics, members, producers) differ from node to node. A side knows its
own by a name that both share, so that a request can be written once, with `Alias`es, and an answer
can be read back into the same names.
"""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass, field
from typing import Any

from moldau.protocol.messages.headers import RequestHeader, ResponseHeader
from moldau.protocol.messages.index import APIS, Api
from moldau.protocol.wire.compile import decode, decode_prefix, encode
from moldau.protocol.wire.frame import (
    SIZE_BYTES,
    frame_parts,
    read_size,
    request_header_version,
    response_header_version,
)
from moldau.protocol.wire.schema import Message, Request

HOST = "127.0.0.1"
TIMEOUT_S = 12
SILENCE_S = 2
"""How long an answer is waited for that may never come."""
CLIENT_ID = "differential"
API_BY_KEY = {api.key: api for api in APIS}


class ClosedError(Exception):
    """The node closed the connection instead of answering; both may be right to."""


class SilentError(Exception):
    """The node neither answers nor closes the connection."""


@dataclass
class Side:
    """A node, and a connection that is opened anew when it was closed."""

    name: str
    port: int
    ids: dict[str, Any] = field(default_factory=dict)
    """Shared name → this node's own id."""
    rests_until: float = 0.0
    """Until then it may not yet show what was changed last."""
    _socket: socket.socket | None = None
    _correlation_id: int = 0

    def names(self) -> dict[Any, str]:
        return {value: name for name, value in self.ids.items()}

    def ask(self, request: Request, version: int, patience_s: float = TIMEOUT_S) -> Any:
        """The answer to one request, or `ClosedError`."""
        api = API_BY_KEY[request.KEY]
        time.sleep(max(self.rests_until - time.monotonic(), 0))
        try:
            return self._exchange(api, request, version, patience_s)
        except TimeoutError:
            self.close()
            raise SilentError(f"{self.name} does not answer {request} v{version}") from None
        except (ConnectionError, ClosedError):
            self.close()
            raise ClosedError(self.name) from None

    def _exchange(
        self, api: Api, request: Request, version: int, patience_s: float = TIMEOUT_S
    ) -> Message:
        if self._socket is None:
            self._socket = socket.create_connection((HOST, self.port), TIMEOUT_S)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.settimeout(patience_s)
        self._correlation_id += 1
        header = RequestHeader(
            request_api_key=request.KEY,
            request_api_version=version,
            correlation_id=self._correlation_id,
            client_id=CLIENT_ID,
        )
        head = encode(header, request_header_version(type(request), version))
        self._socket.sendall(b"".join(frame_parts(head, encode(request, version))))
        frame = self._read(read_size(self._read(SIZE_BYTES)))
        answer = api.response
        read, length = decode_prefix(
            ResponseHeader, response_header_version(answer, version), frame
        )
        assert read.correlation_id == self._correlation_id, f"{self.name} answers another request"
        return decode(answer, version, memoryview(frame)[length:], per_byte=1000)

    def _read(self, size: int) -> bytes:
        assert self._socket is not None
        data = bytearray()
        while len(data) < size:
            piece = self._socket.recv(size - len(data))
            if not piece:
                raise ClosedError(self.name)
            data += piece
        return bytes(data)

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
