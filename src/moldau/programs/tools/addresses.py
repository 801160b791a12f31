"""Addresses and ports on the command line."""

from __future__ import annotations

from argparse import ArgumentTypeError

from moldau.config.broker.listeners import PORT_MAX
from moldau.platform.ports.network import Address

__all__ = ["address", "port"]


def port(text: str) -> int:
    """A number that may be a port, for a flag."""
    if not text.isascii() or not text.isdecimal() or int(text) > PORT_MAX:
        raise ArgumentTypeError(f"{text!r} is no port; ports are 0 to {PORT_MAX}")
    return int(text)


def address(text: str) -> Address:
    """HOST:PORT of a flag; an address of IPv6 is in brackets."""
    host, colon, number = text.rpartition(":")
    bare = host.removeprefix("[").removesuffix("]")
    if not colon or (":" in bare and bare == host) or "/" in host or "," in host:
        raise ArgumentTypeError(f"{text!r} is not HOST:PORT, such as 0.0.0.0:9092 or [::1]:9092")
    return Address(bare, port(number))
