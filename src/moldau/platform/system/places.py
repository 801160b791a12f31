"""What an address stands for on this machine, and why the system refuses it."""

from __future__ import annotations

import _socket as socket  # without socket.py, which makes seven enumerations of its names
import errno
import os
from typing import Any, TypeAlias

from moldau.errors import AddressRefusesError, HostUnknownError, NetworkError
from moldau.platform.ports.network import Address

__all__ = ["Place", "places_of", "refusal", "written_out"]

PORT_MAX = 65_535
FLAGS = socket.AI_PASSIVE
NO_NAME = "no host can have this name: between its dots are 1 to 63 letters, digits and hyphens"
Place: TypeAlias = tuple[int, Any]
"""A family, and what has its form."""


def _ensure_port(address: Address) -> None:
    """The system would take another, without a word."""
    if not 0 <= address.port <= PORT_MAX:
        raise NetworkError(str(address), f"a port is a number from 0 to {PORT_MAX}")


def written_out(address: Address) -> list[Place]:
    """What an address in digits stands for; nothing for a name, which takes a while to look up."""
    _ensure_port(address)
    try:
        host = address.host.encode("ascii") or None  # as text, it would go through a codec of names
        return _found(host, address.port, FLAGS | socket.AI_NUMERICHOST)
    except (socket.gaierror, UnicodeEncodeError):
        return []


def places_of(address: Address) -> list[Place]:
    """All that it stands for; a name is looked up here and now."""
    try:
        return written_out(address) or _found(address.host or None, address.port, FLAGS)
    except OSError as error:
        raise refusal(address, error) from error
    except UnicodeError as error:
        raise HostUnknownError(str(address), NO_NAME) from error


def _found(host: str | bytes | None, port: int, flags: int) -> list[Place]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
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
