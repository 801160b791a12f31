"""Cipher suites under the names that are registered, as Java has them, and under OpenSSL's own.

    TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384      ECDHE-RSA-AES256-GCM-SHA384

The suites of TLS 1.3 cannot be chosen through Python: where one of them is named, all are allowed,
and where none is, that version is not spoken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Suites", "chosen_suites"]

SUITES_1_3 = frozenset(
    {
        "TLS_AES_128_GCM_SHA256",
        "TLS_AES_256_GCM_SHA384",
        "TLS_CHACHA20_POLY1305_SHA256",
        "TLS_AES_128_CCM_SHA256",
        "TLS_AES_128_CCM_8_SHA256",
    }
)
BETWEEN = "_WITH_"


class Suites(NamedTuple):
    """What was chosen, for both families of versions."""

    has_1_3: bool
    before_1_3: tuple[str, ...]
    """In OpenSSL's words."""


def chosen_suites(names: Sequence[str]) -> Suites:
    """Names that are OpenSSL's already are left alone."""
    before = tuple(_openssl_name(name) for name in names if name not in SUITES_1_3)
    return Suites(len(before) < len(names), before)


def _openssl_name(name: str) -> str:
    exchange, found, cipher = name.removeprefix("TLS_").partition(BETWEEN)
    if not found:
        return name
    cipher = cipher.replace("AES_128", "AES128").replace("AES_256", "AES256")
    cipher = cipher.replace("_CBC", "").replace("CHACHA20_POLY1305_SHA256", "CHACHA20_POLY1305")
    parts = [] if exchange == "RSA" else [exchange]
    return "_".join([*parts, cipher]).replace("_", "-")
