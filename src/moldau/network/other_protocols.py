"""Clients of another protocol: they are known by their first bytes, and named with the remedy.

What begins a TLS handshake or a request of HTTP would be the size of an enormous frame, and the
connection is closed as for any such size. But clients try again, for hours, and their own log has
no more than that the connection was closed. So the broker logs what it was, once in a while
for each host and protocol, however often it comes.
"""

from __future__ import annotations

import logging
from struct import Struct as Packer
from typing import Protocol

from moldau.network.named_hosts import NamedHosts
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address

__all__ = ["FrameRefusals", "Refused", "other_protocol"]

log = logging.getLogger(__name__)

HANDSHAKE_OF_TLS = b"\x16\x03"
"""A record of type handshake, in any version of TLS."""
METHODS_OF_HTTP = (b"GET ", b"POST", b"HEAD", b"PUT ", b"DELE", b"OPTI", b"PATC", b"CONN", b"PRI ")
"""What a request line begins with; the last one is HTTP/2's."""
REMEDIES = {
    "TLS": "set security.protocol=PLAINTEXT there",
    "HTTP": "clients of Kafka belong here; metrics over HTTP have a port of their own",
}
ALWAYS, BEFORE_LOGIN = "socket.request.max.bytes", "sasl.server.max.receive.size"
"""What bounds the size of a frame."""
AGAIN_NS = 600 * 1_000_000_000
"""When the same host is named again: ten minutes."""
_SIZE = Packer(">i")


class Refused(Protocol):
    """The connection whose frame cannot be."""

    @property
    def peer(self) -> Address: ...
    @property
    def listener(self) -> str: ...
    @property
    def frame_bytes_max(self) -> int: ...
    def abort(self) -> None: ...


def other_protocol(start: bytes) -> str | None:
    """The protocol whose first bytes are these, if it is known and not Kafka's."""
    if start.startswith(HANDSHAKE_OF_TLS):
        return "TLS"
    return "HTTP" if start.startswith(METHODS_OF_HTTP) else None


class FrameRefusals:
    """Closes connections whose frames have impossible sizes, and logs why."""

    def __init__(self, clock: Clock, frame_bytes_max: int) -> None:
        self.frame_bytes_max = frame_bytes_max
        self._named = NamedHosts(clock, AGAIN_NS)

    def __repr__(self) -> str:
        return f"FrameRefusals({self._named})"

    def refuse(self, connection: Refused, start: memoryview) -> None:
        """`start` begins with the size that cannot be."""
        first = bytes(start[: _SIZE.size])
        protocol = other_protocol(first)
        if protocol is None:
            (size,), most = _SIZE.unpack(first), connection.frame_bytes_max
            is_early = most != self.frame_bytes_max
            log.info(
                "Closing %s: a frame of %d bytes is refused; %s is %d",
                connection, size, BEFORE_LOGIN if is_early else ALWAYS, most,
            )  # fmt: skip
        else:
            self._name(connection, protocol)
        connection.abort()

    def _name(self, connection: Refused, protocol: str) -> None:
        since = self._named.count_since(connection.peer.host, protocol)
        if since is None:
            return
        log.warning(
            "The listener %s is PLAINTEXT; the client at %s seems to speak %s: %s%s",
            connection.listener, connection.peer, protocol, REMEDIES[protocol],
            f" ({since} more connections from there before)" if since else "",
        )  # fmt: skip
