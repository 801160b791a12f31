"""Peers that want more than their share: raw connections, and what they send."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from moldau.protocol.messages.headers import RequestHeader
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.frame import frame_parts, request_header_version
from moldau.protocol.wire.schema import Request
from tests.judges.kafka_node import HOST

ELSEWHERE = "127.0.0.2"
"""Another address of the loopback, to come from."""
PATIENCE_S = 90
POLL_S = 0.05


def framed(request: Request, version: int, correlation_id: int = 1) -> bytes:
    """A good request as it goes through a socket."""
    header = RequestHeader(
        request_api_key=request.KEY,
        request_api_version=version,
        correlation_id=correlation_id,
        client_id="greed",
    )
    head = encode(header, request_header_version(type(request), version))
    return b"".join(map(bytes, frame_parts(head, encode(request, version))))


def connect(port: int, source: str = HOST) -> socket.socket:
    return socket.create_connection((HOST, port), PATIENCE_S, source_address=(source, 0))


@contextmanager
def crowd(port: int, count: int, says: bytes = b"") -> Iterator[list[socket.socket]]:
    """So many connections, each of which has sent this."""
    with ExitStack() as stack:
        peers = []
        for _ in range(count):
            peer = stack.enter_context(connect(port))
            peer.setblocking(False)
            if says:
                send_some(peer, says)
            peers.append(peer)
        yield peers


def send_some(peer: socket.socket, data: bytes) -> int:
    """As much as goes without waiting; nothing when the other side has closed."""
    try:
        return peer.send(data)
    except (BlockingIOError, ConnectionError):
        return 0


def is_closed(peer: socket.socket) -> bool:
    """Whether the other side has ended it; what it has sent is thrown away."""
    peer.setblocking(False)
    try:
        while data := peer.recv(1 << 20):
            assert data
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    return True


def times_logged(log: str, text: str) -> int:
    """How often a node has logged this, the lines among them that it only counted."""
    held_back = re.findall(rf"… (\d+) more of these .*{re.escape(text)}", log)
    return log.count(text) - len(held_back) + sum(map(int, held_back))


def wait_until(happens: Any) -> None:
    """Return when it is so, or fail after a long time."""
    end = time.monotonic() + PATIENCE_S
    while not happens():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(POLL_S)


def read_exactly(peer: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = peer.recv(min(size - len(data), 1 << 20))
        assert piece, "the node ended the connection"
        data += piece
    return bytes(data)
