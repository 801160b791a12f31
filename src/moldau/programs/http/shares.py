"""What each place has of a server: bytes that are held for it, and connections.

A place is an address, or a network of 64 bits with IPv6, where one client has as many addresses as
it likes.
"""

from __future__ import annotations

from collections import Counter
from ipaddress import IPv4Address, ip_address
from typing import Final

from moldau.programs.http.limits import Limits

__all__ = ["Shares", "place_of"]

NETWORK_BYTES: Final = 8


class Shares:
    """Counts, and the limits that they are held against."""

    def __init__(self, limits: Limits) -> None:
        self._bytes_max = limits.held_bytes_max
        self._parts = limits.place_parts
        self._connections_max = limits.connections_max
        self._bytes: Counter[str] = Counter()
        self._connections: Counter[str] = Counter()
        self.held_bytes = 0

    def __repr__(self) -> str:
        return f"Shares({self.held_bytes} bytes, {self._connections.total()} connections)"

    def hold(self, place: str, change: int) -> None:
        """So many bytes more, or less."""
        self.held_bytes += change
        _add(self._bytes, place, change)

    def connect(self, place: str, change: int) -> None:
        _add(self._connections, place, change)

    def is_crowded(self, place: str) -> bool:
        """Whether another connection of the place would be one too many."""
        return self._connections[place] * self._parts >= self._connections_max

    def overloaded(self, place: str) -> str | None:
        """Which place holds more bytes than it may, if this one has just come to hold more."""
        if self._bytes[place] * self._parts > self._bytes_max:
            return place
        if self.held_bytes > self._bytes_max:
            return self._bytes.most_common(1)[0][0]
        return None


def place_of(host: str) -> str:
    if ":" not in host:
        return host
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return host
    mapped = address.ipv4_mapped
    return str(mapped) if mapped else address.packed[:NETWORK_BYTES].hex()


def _add(counter: Counter[str], place: str, change: int) -> None:
    counter[place] += change
    if not counter[place]:
        del counter[place]
