"""A link without a network: its peer says one thing, and takes everything."""

from __future__ import annotations

from typing import Any

from moldau.platform.ports.network import Address


class Line:
    """Remembers each call to send by itself."""

    peer = Address("client", 4711)
    unsent = 0

    def __init__(self, arrived: bytes) -> None:
        self._arrived = arrived
        self.sent: list[bytes] = []
        self.is_closed = False

    @property
    def is_unread(self) -> bool:
        """Whether more is there than was taken."""
        return bool(self._arrived)

    def receive_into(self, buffer: Any) -> int:
        size = min(len(self._arrived), len(buffer))
        buffer[:size], self._arrived = self._arrived[:size], self._arrived[size:]
        return size

    def send(self, *buffers: Any) -> None:
        self.sent.append(b"".join(buffers))

    def send_file(self, file: Any, position: int, size: int, before: Any = ()) -> None:
        self.sent += [b"".join(before), file.read_at(position, size)]

    def pause(self) -> None:
        """It says nothing unasked."""

    def resume(self) -> None:
        """The same."""

    def close(self) -> None:
        self.is_closed = True

    abort = close
