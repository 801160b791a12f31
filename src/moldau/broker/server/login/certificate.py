"""Who the client of a listener of SSL is: the subject of the certificate that it has shown.

One that has shown none is anonymous. One whose name fits no rule is sent away, for with Kafka a
rule has to fit. Where a function of one's own makes principals, it decides, also where TLS is not.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from moldau.errors import MoldauError
from moldau.network.connection import Connection, FrameHandler
from moldau.network.principal import ANONYMOUS, Principal
from moldau.network.tls.distinguished_name import subject_of
from moldau.network.tls.principal_rules import PrincipalRules
from moldau.platform.ports.network import Address
from moldau.platform.ports.tls import SecureLink

if TYPE_CHECKING:
    from moldau.broker.server.login.own_principals import OwnPrincipals

__all__ = ["CertificateAuthenticator"]

log = logging.getLogger(__name__)

USER = "User"
SSL = "SSL"
"""In the place of a mechanism."""
Note = Callable[[str, Address, str, str | None, str | None], None]
"""Listener, peer, mechanism, principal, and the reason where it is refused."""


def _unnoted(*login: object) -> None:
    """Where there is nothing that counts, and no audit."""


class CertificateAuthenticator:
    """Takes the first frame of each connection; the others go to the dispatcher."""

    def __init__(
        self,
        rules: str,
        handle: FrameHandler,
        note: Note | None = None,
        own: OwnPrincipals | None = None,
    ) -> None:
        self._rules = PrincipalRules(rules)
        self._handle = handle
        self._note = note or _unnoted
        self._own = own

    def handle(self, connection: Connection, frame: memoryview) -> None:
        try:
            if self._own is not None:
                connection.principal = self._own.principal_of(connection)
            else:
                connection.principal = self._principal(cast(SecureLink, connection.link))
        except MoldauError as error:
            log.info("Closing %s: %s", connection, error)
            self._note(connection.listener, connection.peer, SSL, None, str(error))
            connection.abort()
            return
        self._note(connection.listener, connection.peer, SSL, str(connection.principal), None)
        connection.hand_over(self._handle)
        self._handle(connection, frame)

    def _principal(self, link: SecureLink) -> Principal:
        if link.peer_certificate is None:
            return ANONYMOUS
        subject = subject_of(link.peer_certificate)
        name = self._rules.name_of(subject)
        if name is None:
            raise MoldauError(f"no rule of ssl.principal.mapping.rules fits {subject}")
        return Principal(USER, name)
