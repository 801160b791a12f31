"""Whether a certificate may take the place of another one while its listener serves (KIP-978).

A changed setting may give it another name by mistake: those that connect would refuse the node, or
rules would hold for another principal. So the subject has to stay, but for the case of its letters,
and no alternative name may go, unless `ssl.allow.dn.changes` or `ssl.allow.san.changes` allows it.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.network.tls.distinguished_name import subject_of
from moldau.platform.der import Element, read_der
from moldau.platform.ports.tls import TlsError

__all__ = ["alternative_names_of", "check_renewal"]

EXTENSIONS = 0xA3
ALTERNATIVE_NAMES = bytes.fromhex("551d11")
"""2.5.29.17"""
SHORT_IP, LONG_IP = 4, 16
IP_TAG = 0x87
EMAIL_TAG, DNS_TAG, URI_TAG = 0x81, 0x82, 0x86
TEXT_TAGS = {EMAIL_TAG: "email", DNS_TAG: "DNS", URI_TAG: "URI"}


def check_renewal(old: bytes, new: bytes, *, any_subject: bool, any_names: bool) -> None:
    """Compare two certificates in DER; `TlsError` where `new` is refused."""
    was, comes = subject_of(old), subject_of(new)
    if not any_subject and was.lower() != comes.lower():
        raise TlsError(
            f"its certificate is that of {comes}, and the former one is that of {was}; "
            "ssl.allow.dn.changes=true allows that"
        )
    gone = sorted(alternative_names_of(old) - alternative_names_of(new))
    if gone and not any_names:
        raise TlsError(
            f"its certificate has not {', '.join(gone)} among its alternative names, which the "
            "former one has; ssl.allow.san.changes=true allows that"
        )


def alternative_names_of(certificate: bytes) -> frozenset[str]:
    """As texts that can be compared and shown."""
    return frozenset(map(_shown, _names(certificate)))


def _names(certificate: bytes) -> Iterator[Element]:
    for part in read_der(certificate).children()[0].children():
        if part.tag != EXTENSIONS:
            continue
        for extension in part.children()[0].children():
            kind, *_, value = extension.children()
            if kind.body == ALTERNATIVE_NAMES:
                yield from read_der(bytes(value.body)).children()


def _shown(name: Element) -> str:
    body = bytes(name.body)
    if name.tag in TEXT_TAGS:
        return f"{TEXT_TAGS[name.tag]}:{body.decode('latin-1')}"
    if name.tag == IP_TAG and len(body) == SHORT_IP:
        return f"IP:{'.'.join(map(str, body))}"
    if name.tag == IP_TAG and len(body) == LONG_IP:
        return f"IP:{body.hex(':', 2)}"
    return f"#{bytes(name.whole).hex()}"
