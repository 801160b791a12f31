"""TLS around links: what protects them, and what the other end has proved.

A `Tls` stands between a link and its owner and changes neither: to the link it is a receiver, to
the owner it is a link. It is made of `TlsTerms`, which name files; these are read again when they
have changed, so that certificates are replaced without a restart.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple, Protocol

from moldau.errors import MoldauError
from moldau.platform.ports.network import Address, Link, TakeOver

__all__ = [
    "ClientCertificates",
    "HandshakeFailed",
    "KeyStore",
    "SecureLink",
    "Tls",
    "TlsError",
    "TlsTerms",
]


class TlsError(MoldauError):
    """Keys, certificates or choices of which no protection can be made."""


class ClientCertificates(Enum):
    """What a server asks of its clients' certificates."""

    IGNORED = "none"
    REQUESTED = "requested"
    REQUIRED = "required"


class KeyStore(NamedTuple):
    """Where certificates are, and perhaps the key of the first of them."""

    kind: str
    """PEM, PKCS12, JKS or JCEKS."""
    path: str | None = None
    password: str | None = None
    key_password: str | None = None
    """That of the key, where it has one of its own."""
    certificates: str | None = None
    """In PEM, where there is no file."""
    key: str | None = None

    def __repr__(self) -> str:
        return f"KeyStore({self.kind}, {self.path or 'in the settings'})"


class TlsTerms(NamedTuple):
    """All that is chosen about a protection."""

    keys: KeyStore | None = None
    trusted: KeyStore | None = None
    """None for the authorities that the system trusts."""
    versions: tuple[str, ...] = ("TLSv1.2", "TLSv1.3")
    ciphers: tuple[str, ...] = ()
    """By their registered names; none of them for the library's own choice."""
    client_certificates: ClientCertificates = ClientCertificates.IGNORED
    checks_name: bool = True
    """Whether a server's certificate has to have the name under which it was reached."""


HandshakeFailed = Callable[[Address, str], None]
"""Called with the peer and why no protection was agreed on, in one clause."""


class SecureLink(Link, Protocol):
    """What the owner of a protected link gets."""

    @property
    def peer_certificate(self) -> bytes | None:
        """In DER, once the owner has been called; None where the peer has shown none."""
        ...

    @property
    def is_protected(self) -> bool:
        """Whether the handshake is over."""
        ...


class Tls(Protocol):
    """Protects links by the same terms."""

    def serve(self, take_over: TakeOver, failed: HandshakeFailed) -> TakeOver:
        """What takes over links that others open; their owners get `SecureLink`s."""
        ...

    def call(self, host: str, take_over: TakeOver) -> TakeOver:
        """What takes over a link that is opened to that host."""
        ...

    @property
    def shown(self) -> bytes | None:
        """The certificate that is shown to others, in DER."""
        ...

    def try_terms(self, terms: TlsTerms) -> bytes | None:
        """What would be shown by these, or raise `TlsError`; nothing changes."""
        ...

    def try_with_former(self, terms: TlsTerms) -> None:
        """Whether these and the present terms trust each other, or raise `TlsError`."""
        ...

    def keep_trust(self) -> None:
        """From now on use files that change only where they and the former trust each other."""
        ...

    def change(self, terms: TlsTerms) -> None:
        """Protect links that come later by these, or raise `TlsError` and keep the former."""
        ...
