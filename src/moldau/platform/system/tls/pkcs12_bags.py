"""What lies in a PKCS#12, bag by bag, with the names that it was given (RFC 7292, 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from moldau.platform.der import Element, read_der
from moldau.platform.system.tls.store_locks import unlocked

__all__ = ["CERTIFICATE_BAG", "KEY_BAG", "LOCKED_KEY_BAG", "Bag", "read_bags"]

DATA: Final = bytes.fromhex("2a864886f70d010701")
LOCKED_DATA: Final = bytes.fromhex("2a864886f70d010706")
KEY_BAG: Final = bytes.fromhex("2a864886f70d010c0a0101")
LOCKED_KEY_BAG: Final = bytes.fromhex("2a864886f70d010c0a0102")
CERTIFICATE_BAG: Final = bytes.fromhex("2a864886f70d010c0a0103")
NAME: Final = bytes.fromhex("2a864886f70d010914")
TRUSTED: Final = bytes.fromhex("6086480186f966adca7b0101")
"""Oracle's trustedKeyUsage: what Java's keytool gives to a certificate that it imports."""
OCTETS: Final = 0x04
CONSTRUCTED: Final = 0x20


class Bag(NamedTuple):
    """A key or a certificate."""

    kind: bytes
    value: Element
    name: str | None
    is_trusted: bool


def read_bags(data: bytes, password: str | None) -> Iterator[Bag]:
    """In their order; those of parts that need a password are left out where there is none."""
    outer = read_der(data).children()[1].children()
    for part in _content(outer).children():
        kind, *_ = parts = part.children()
        if kind.body == DATA:
            yield from map(_bag, _content(parts).children())
        elif kind.body == LOCKED_DATA and password is not None:
            _, algorithm, locked = parts[1].children()[0].children()[1].children()
            yield from map(
                _bag, read_der(unlocked(algorithm, _octets(locked), password)).children()
            )


def _content(info: list[Element]) -> Element:
    """What is in it, taken out of its envelope and of the bytes that it is there."""
    return read_der(info[1].children()[0].body)


def _octets(locked: Element) -> bytes:
    """Bytes that some programs write in pieces."""
    if locked.body[:1] == bytes([OCTETS]) and locked.tag & CONSTRUCTED:
        return b"".join(piece.body for piece in locked.children())
    return locked.body


def _bag(whole: Element) -> Bag:
    kind, value, *more = whole.children()
    found = {}
    for attribute in more[0].children() if more else []:
        name, values = attribute.children()
        found[name.body] = values.children()
    names = found.get(NAME)
    text = names[0].body.decode("utf-16-be") if names else None
    return Bag(kind.body, value.children()[0], text, TRUSTED in found)
