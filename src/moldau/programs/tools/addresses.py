"""Addresses, ports and sites on the command line."""

from __future__ import annotations

from argparse import ArgumentTypeError
from urllib.parse import urlsplit

from moldau.config.broker.listeners import PORT_MAX
from moldau.platform.ports.network import Address

__all__ = ["ADVERTISE_HELP", "address", "port", "site"]

ADVERTISE_HELP = (
    "where other proxies of the cluster reach this one: each then answers for the consumers of "
    "all, which they keep in the topic _rest_consumers; without a port it is that of the listener"
)


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


def site(text: str) -> str:
    """The URL of a program, for a flag: a scheme and a host, and perhaps a port and a path."""
    try:
        parts = urlsplit(text)
        is_one = parts.scheme in ("http", "https") and parts.hostname is not None
        is_one = is_one and (parts.port is None or parts.port > 0)
    except ValueError:
        is_one = False
    if not is_one or not text.isascii() or any(letter in text for letter in "@?# "):
        raise ArgumentTypeError(f"{text!r} is no URL of a program, such as http://rest-1:8082")
    return text
