"""Which program is on the other end of a connection (KIP-511)."""

from __future__ import annotations

from moldau.platform.quick_dataclass import dataclass


@dataclass(slots=True)
class Software:
    """What a client has said of itself in ApiVersions, if it has."""

    name: str = "unknown"
    version: str = "unknown"
