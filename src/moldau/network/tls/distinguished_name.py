"""The subject of a certificate as Java writes it, which rules and access lists are made for.

RFC 2253, in the manner of `X500Principal.getName()`: the last part of the name comes first, nine
attributes have names, and all others are shown by their object identifier with the value in
hexadecimal, as are values that are no text.
"""

from __future__ import annotations

from moldau.platform.der import DerError, Element, read_der

__all__ = ["subject_of"]

NAMES = {
    "2.5.4.3": "CN",
    "2.5.4.6": "C",
    "2.5.4.7": "L",
    "2.5.4.8": "ST",
    "2.5.4.10": "O",
    "2.5.4.11": "OU",
    "2.5.4.9": "STREET",
    "0.9.2342.19200300.100.1.25": "DC",
    "0.9.2342.19200300.100.1.1": "UID",
}
"""Those of RFC 2253."""
TEXT_TAGS = frozenset({0x0C, 0x13, 0x14, 0x16, 0x1B, 0x1C, 0x1E})
"""Of values that are shown as text. Java reads them all as UTF-8, and what else it reads so is
part of the names that rules were made for."""
ESCAPED = frozenset(',=+<>#;"\\')
EXPLICIT_VERSION = 0xA0
FIRST_ARCS = 40
SECOND_ARC_MAX = 2
MORE = 0x80


def subject_of(certificate: bytes) -> str:
    """The subject of a certificate in DER; `DerError` where it is none."""
    try:
        fields = read_der(certificate).children()[0].children()
        if fields[0].tag == EXPLICIT_VERSION:
            fields = fields[1:]
        return _name(fields[4])  # after number, algorithm, issuer and validity
    except IndexError as error:
        raise DerError(f"it is no certificate: {error}") from None


def _name(name: Element) -> str:
    parts = name.children()
    return ",".join(_part(part) for part in reversed(parts))


def _part(part: Element) -> str:
    """One relative name; it may have several attributes."""
    return "+".join(_attribute(*one.children()[:2]) for one in part.children())


def _attribute(kind: Element, value: Element) -> str:
    identifier = _identifier(kind.body)
    name = NAMES.get(identifier)
    if name is None or value.tag not in TEXT_TAGS:
        return f"{name or identifier}=#{value.whole.hex()}"
    text = value.body.decode(errors="replace")
    return f"{name}={_escaped(text)}"


def _escaped(text: str) -> str:
    """With a backslash before what means something, and before spaces at the ends."""
    stripped = text.strip(" ")
    leading = len(text) - len(text.lstrip(" "))
    trailing = len(text) - len(text.rstrip(" ")) if stripped else 0
    inner = "".join(f"\\{char}" if char in ESCAPED else char for char in stripped)
    return "\\ " * leading + inner.replace("\0", "\\00") + "\\ " * trailing


def _identifier(body: bytes) -> str:
    arcs: list[int] = []
    number = 0
    for byte in body:
        number = number << 7 | byte & ~MORE
        if not byte & MORE:
            arcs.append(number)
            number = 0
    first = min(arcs[0] // FIRST_ARCS, SECOND_ARC_MAX)
    return ".".join(map(str, (first, arcs[0] - first * FIRST_ARCS, *arcs[1:])))
