"""Makes protected links, by terms that may change, of files that may change.

Where some time has passed since the last look, a connection that comes or goes out looks at the
files again: a renewed certificate is used by the next connection, and open ones go on. A store that
cannot be used any more, or is half written, leaves the former one in use, and the log has why.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from functools import partial
from time import monotonic

from moldau.platform.ports.network import Address, TakeOver
from moldau.platform.ports.tls import HandshakeFailed, KeyStore, TlsError, TlsTerms
from moldau.platform.system.tls.contexts import make_context
from moldau.platform.system.tls.link import Shared, TlsLink
from moldau.platform.system.tls.stores import (
    first_certificate,
    read_certificates,
    read_identity,
    read_store,
)
from moldau.platform.system.tls.trial import try_handshake

__all__ = ["SystemTls"]

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""Between two looks at the files: two small reads, beside a handshake that takes much longer."""


class SystemTls:
    """One side of connections: of those that come, or of those that go out."""

    def __init__(self, terms: TlsTerms, *, is_server: bool) -> None:
        self._is_server = is_server
        self._shared = Shared(asyncio.get_running_loop().call_soon)
        self._terms = terms
        self._contents = _contents(terms)
        self._context = self._make(terms, self._contents)
        self._looked_at = monotonic()
        self._complaint: str | None = None
        self._keeps_trust = False

    def __repr__(self) -> str:
        return f"SystemTls({'server' if self._is_server else 'client'}, {self._terms.keys})"

    def serve(self, take_over: TakeOver, failed: HandshakeFailed) -> TakeOver:
        wrap = partial(self._wrap, None)
        return lambda link: TlsLink(link, wrap, take_over, self._shared, failed)

    def call(self, host: str, take_over: TakeOver) -> TakeOver:
        wrap = partial(self._wrap, host)
        return lambda link: TlsLink(link, wrap, take_over, self._shared, _not_named)

    @property
    def shown(self) -> bytes | None:
        return _certificate(self._terms, self._contents)

    def try_terms(self, terms: TlsTerms) -> bytes | None:
        contents = _contents(terms)
        self._make(terms, contents)
        return _certificate(terms, contents)

    def try_with_former(self, terms: TlsTerms) -> None:
        self._try_with_former(terms, _contents(terms))

    def keep_trust(self) -> None:
        self._keeps_trust = True

    def _try_with_former(self, terms: TlsTerms, contents: _Contents) -> None:
        for server, client in (
            ((self._terms, self._contents), (terms, contents)),
            ((terms, contents), (self._terms, self._contents)),
        ):
            try_handshake(_context(*server, is_server=True), _nameless(*client))

    def change(self, terms: TlsTerms) -> None:
        contents = _contents(terms)
        self._context = self._make(terms, contents)
        self._terms, self._contents, self._complaint = terms, contents, None

    def _wrap(
        self, host: str | None, arrived: ssl.MemoryBIO, leaving: ssl.MemoryBIO
    ) -> ssl.SSLObject:
        if monotonic() - self._looked_at >= LOOK_S:
            self._look()
        return self._context.wrap_bio(
            arrived, leaving, server_side=self._is_server, server_hostname=host
        )

    def _look(self) -> None:
        """Whether the files are what they were."""
        self._looked_at = monotonic()
        try:
            contents = _contents(self._terms)
            if contents == self._contents:
                return
            context = self._make(self._terms, contents)
            if self._keeps_trust:
                self._try_with_former(self._terms, contents)
        except TlsError as error:
            if str(error) != self._complaint:
                self._complaint = str(error)
                log.warning("The former certificates stay in use: %s", error)
            return
        self._context, self._contents, self._complaint = context, contents, None
        log.info("Certificates were read anew: %s", self._terms.keys or self._terms.trusted)

    def _make(self, terms: TlsTerms, contents: _Contents) -> ssl.SSLContext:
        try:
            return _context(terms, contents, is_server=self._is_server)
        except TlsError as error:
            place = None if terms.keys is None else terms.keys.path
            text = str(error)
            raise TlsError(
                text if place is None or place in text or "trusted" in text else f"{place}: {text}"
            ) from None


_Contents = tuple[bytes | None, bytes | None]


def _contents(terms: TlsTerms) -> _Contents:
    return _read(terms.keys), _read(terms.trusted)


def _context(terms: TlsTerms, contents: _Contents, *, is_server: bool) -> ssl.SSLContext:
    keys, trusted = contents
    return make_context(
        terms,
        None if terms.keys is None or keys is None else read_identity(terms.keys, keys),
        None
        if terms.trusted is None or trusted is None
        else read_certificates(terms.trusted, trusted),
        is_server=is_server,
    )


def _nameless(terms: TlsTerms, contents: _Contents) -> ssl.SSLContext:
    """Of a client that looks at no name."""
    return _context(terms._replace(checks_name=False), contents, is_server=False)


def _certificate(terms: TlsTerms, contents: _Contents) -> bytes | None:
    """The first of the key store."""
    keys = contents[0]
    if terms.keys is None or keys is None:
        return None
    return first_certificate(read_identity(terms.keys, keys))


def _read(store: KeyStore | None) -> bytes | None:
    return None if store is None else read_store(store)


def _not_named(peer: Address, reason: str) -> None:
    """The opener of the link gets the reason as that of its loss."""
