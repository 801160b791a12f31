"""A client of WebSockets on a plain socket, which waits for one message at a time."""

from __future__ import annotations

import json
import socket
from base64 import b64encode

from moldau.programs.http.websocket.frames import FrameReader, Message, Opcode, frame
from tests.interop.registry.running_registry import START_SECONDS_MAX

KEY = b64encode(b"sixteen bytes it").decode()
MASK = b"mask"
BYTES_MAX = 1 << 24


class SocketClient:
    """Connected when it is made; `status` says whether it is a socket."""

    def __init__(self, rest, path, **headers):
        host, _, port = rest.url.removeprefix("http://").rpartition(":")
        self._link = socket.create_connection((host, int(port)), timeout=START_SECONDS_MAX)
        self._reader = FrameReader(BYTES_MAX, masked=False)
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket"]
        lines += ["Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {KEY}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self._link.sendall("\r\n".join([*lines, "", ""]).encode())
        head, self.body = self._head()
        self.status = int(head.split()[1])
        if self.status == 101:
            self._reader.feed(self.body)

    def send(self, *values):
        texts = [one if isinstance(one, str) else json.dumps(one) for one in values]
        self._link.sendall(b"".join(frame(Opcode.TEXT, one.encode(), MASK) for one in texts))

    def send_bytes(self, data):
        self._link.sendall(frame(Opcode.BINARY, data, MASK))

    def event(self):
        """The next one of any kind."""
        while (event := self._reader.next_event()) is None:
            data = self._link.recv(1 << 16)
            assert data, "the connection is lost"
            self._reader.feed(data)
        return event

    def next(self):
        """The next message, from JSON."""
        event = self.event()
        assert isinstance(event, Message), event
        return json.loads(event.data)

    def close(self):
        self._link.close()

    def _head(self):
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._link.recv(1 << 16)
        head, _, rest = data.partition(b"\r\n\r\n")
        return head.decode(), rest
