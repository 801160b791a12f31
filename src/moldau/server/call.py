"""One request on its way through the server, with all that a handler may know about its sender."""

from __future__ import annotations

from dataclasses import dataclass

from moldau.ports.network import Address
from moldau.wire.schema import Message


@dataclass(frozen=True, slots=True)
class Principal:
    """Who the other side has proved to be."""

    kind: str
    name: str
    token_authenticated: bool = False

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


ANONYMOUS = Principal("User", "ANONYMOUS")


@dataclass(slots=True)
class Call:
    """A decoded request and its circumstances."""

    api_key: int
    version: int
    correlation_id: int
    client_id: str | None
    request: Message
    principal: Principal
    listener: str
    """The listener's name, as in `listeners`."""
    peer: Address
    connection_id: int
    """Unique in this process, never reused."""
    received_ns: int
    """The monotonic moment at which the last byte of the frame was there."""
    throttle_ms: int = 0
    """What the handler found the sender owes by its quotas; the connection is muted that long."""
