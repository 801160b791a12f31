"""What a store holds, in DER."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["KeyEntry", "StoreContents"]


class KeyEntry(NamedTuple):
    """A private key in PKCS#8, and the certificates for it, its own first."""

    key: bytes
    chain: tuple[bytes, ...]

    def __repr__(self) -> str:
        return f"KeyEntry({len(self.chain)} certificates)"


class StoreContents(NamedTuple):
    """Keys in their order, and certificates that stand alone."""

    keys: tuple[KeyEntry, ...]
    certificates: tuple[bytes, ...]
