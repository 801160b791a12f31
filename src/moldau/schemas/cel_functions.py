"""What Confluent's rules in CEL may ask of texts, beside what the language has."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from ipaddress import IPv4Address, IPv6Address
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from celpy import celtypes

__all__ = ["FUNCTIONS"]

HOST_MAX, MAIL_MAX = 253, 254
LABEL: Final = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)")
LOCAL: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}")
"""The part of an address before its @."""
NO_URI: Final = re.compile(r"[\s<>\"{}|\\^`]")


def _is_hostname(text: str) -> bool:
    """Names by RFC 1123; four numbers are an address and no name."""
    if not text or len(text) > HOST_MAX:
        return False
    labels = text.removesuffix(".").split(".")
    return all(LABEL.fullmatch(one) for one in labels) and not labels[-1].isdecimal()


def _is_email(text: str) -> bool:
    local, _, host = text.rpartition("@")
    return len(text) <= MAIL_MAX and LOCAL.fullmatch(local) is not None and _is_hostname(host)


def _is_uri(text: str) -> bool:
    return _is_reference(text) and bool(urlsplit(text).scheme)


def _is_reference(text: str) -> bool:
    try:
        urlsplit(text)
    except ValueError:
        return False
    return NO_URI.search(text) is None


def _is_made_by(kind: Callable[[str], Any]) -> Callable[[str], bool]:
    def check(text: str) -> bool:
        try:
            kind(text)
        except ValueError:
            return False
        return True

    return check


def _of_text(check: Callable[[str], bool]) -> Callable[..., Any]:
    def answer(text: object) -> celtypes.BoolType:
        if not isinstance(text, str):
            raise TypeError("it is asked of a text")
        return celtypes.BoolType(check(str(text)))

    return answer


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "isEmail": _of_text(_is_email),
    "isHostname": _of_text(_is_hostname),
    "isIpv4": _of_text(_is_made_by(IPv4Address)),
    "isIpv6": _of_text(_is_made_by(IPv6Address)),
    "isUri": _of_text(_is_uri),
    "isUriRef": _of_text(_is_reference),
    "isUuid": _of_text(_is_made_by(UUID)),
}
