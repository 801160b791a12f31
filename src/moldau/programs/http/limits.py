"""What one client may take of a server."""

from __future__ import annotations

from moldau.platform.quick_dataclass import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Each has a reason."""

    head_bytes_max: int = 32 * 1024
    """Request line and headers: tokens of identity providers have a few KiB."""
    body_bytes_max: int = 16 * 1024 * 1024
    held_bytes_max: int = 256 * 1024 * 1024
    """Of all requests that are being read or answered: 16 of the largest bodies. No login is known
    while a body comes."""
    connections_max: int = 1024
    """Far from the limit of descriptors, which a node in the same process needs too."""
    place_parts: int = 2
    """One address may have one part of so many of the bytes and of the connections: all users may
    be behind one proxy, and yet no client shuts out all others."""
    request_ms_max: int = 30_000
    """Until a request that has begun is whole."""
    idle_ms_max: int = 60_000
    """Between two requests."""
    unread_ms_max: int = 60_000
    """Until a client takes some of a response that waits for it."""
    unsent_bytes_max: int = 1024 * 1024
    """Of a response that comes in pieces; then the next piece waits."""
