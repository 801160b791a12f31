"""What an address stands for on this machine, and why the system refuses it."""

from __future__ import annotations

import _socket as socket  # without socket.py, which makes seven enumerations of its names
import errno
import os
from typing import Any, TypeAlias

from moldau.errors import AddressRefusesError, HostUnknownError, NetworkError
from moldau.platform.ports.network import Address

__all__ = ["FLAGS", "Place", "ensure_port", "places_of", "refusal", "written_out"]

PORT_MAX = 65_535
FLAGS = socket.AI_PASSIVE
Place: TypeAlias = tuple[int, Any]
"""A family, and what has its form."""


def ensure_port(address: Address) -> None:
    """The system would take another, without a word."""
    if not 0 <= address.port <= PORT_MAX:
        raise NetworkError(str(address), f"a port is a number from 0 to {PORT_MAX}")


def written_out(address: Address) -> list[Any]:
    """What an address in digits stands for; nothing for a name, which takes a while to look up."""
    try:
        host = address.host.encode("ascii") or None  # as text, it would go through a codec of names
        return socket.getaddrinfo(
            host, address.port, type=socket.SOCK_STREAM, flags=FLAGS | socket.AI_NUMERICHOST
        )
    except (socket.gaierror, UnicodeEncodeError):
        return []


def places_of(address: Address) -> list[Place]:
    """All that it stands for; a name is looked up here and now."""
    ensure_port(address)
    try:
        found = written_out(address) or socket.getaddrinfo(
            address.host or None, address.port, type=socket.SOCK_STREAM, flags=FLAGS
        )
    except OSError as error:
        raise refusal(address, error) from error
    return [(family, place) for family, _type, _protocol, _name, place in found]


def refusal(address: Address, error: OSError, remedy: str = "") -> NetworkError:
    """Our error; asyncio hides the system's, which has the cause."""
    is_unknown = isinstance(error, socket.gaierror)
    if is_unknown or error.errno is None:
        reason = error.strerror or str(error)
    else:
        reason = os.strerror(error.errno)
    kind = AddressRefusesError if error.errno == errno.ECONNREFUSED else NetworkError
    return (HostUnknownError if is_unknown else kind)(str(address), reason.lower() + remedy)
