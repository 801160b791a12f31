"""Which program is on the other end of a connection (KIP-511)."""

from __future__ import annotations

from moldau.platform.quick_dataclass import dataclass


@dataclass(slots=True)
class Software:
    """The name and version that a client sent in ApiVersions, if any."""

    name: str = "unknown"
    version: str = "unknown"
