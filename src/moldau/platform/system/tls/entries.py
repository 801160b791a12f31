"""What a store holds, in DER."""

from __future__ import annotations

from typing import NamedTuple

from moldau.platform.der import read_der

__all__ = ["KeyEntry", "StoreContents"]


class KeyEntry(NamedTuple):
    """A private key in PKCS#8, and the certificates for it, its own first."""

    key: bytes
    chain: tuple[bytes, ...]
    alias: str = ""

    def __repr__(self) -> str:
        return f"KeyEntry({len(self.chain)} certificates)"

    @property
    def kind(self) -> bytes:
        """What sort of key it is, as the identifier of its algorithm."""
        _, algorithm, *_ = read_der(self.key).children()
        return algorithm.children()[0].body


class StoreContents(NamedTuple):
    """Keys in the order in which Java lists them, and certificates that are trusted."""

    keys: tuple[KeyEntry, ...]
    certificates: tuple[bytes, ...]
    certificate_count: int = 0
    """With those that are not trusted."""
