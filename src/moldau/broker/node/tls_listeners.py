"""The TLS of a node's own listeners, and of its channels to others, as the settings are now.

`ssl.client.auth` sets for a listener of SSL whether clients show certificates. On one of SASL_SSL
it holds only behind the listener's own prefix (KIP-684), for there the login has their principal.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from moldau.broker.node.world import NodeWorld
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.errors import MoldauError
from moldau.network.tls.failures import HandshakeFailures
from moldau.network.tls.renewal import check_renewal
from moldau.network.tls.terms import terms_of
from moldau.platform.ports.network import Address, TakeOver
from moldau.platform.ports.tls import ClientCertificates, Tls, TlsError, TlsTerms

__all__ = ["TLS_PROTOCOLS", "TlsListeners", "listener_terms"]

log = logging.getLogger(__name__)

TLS_PROTOCOLS = frozenset({"SSL", "SASL_SSL"})
CLIENT_AUTH = "ssl.client.auth"


def listener_terms(settings: BrokerSettings, listener: str) -> TlsTerms:
    """Of a listener's certificate and of those it asks for; or `SettingError`."""
    own = settings.for_listener(listener)
    prefix = f"listener.name.{listener.lower()}."
    asks = settings.protocols[listener] == "SSL" or prefix + CLIENT_AUTH in settings.all_given
    wanted = ClientCertificates(own.ssl_client_auth) if asks else ClientCertificates.IGNORED
    terms = terms_of(own, wanted)
    if terms.keys is None:
        raise SettingError(
            f"the listener {listener} speaks {settings.protocols[listener]} and has no "
            f"certificate: set {prefix}ssl.keystore.location, or ssl.keystore.location for all "
            "listeners; moldau certs makes one"
        )
    return terms


class TlsListeners:
    """Made of the settings that a node starts with."""

    def __init__(self, settings: BrokerSettings, world: NodeWorld) -> None:
        self._settings = settings
        self._world = world
        self._tls: dict[str, Tls] = {}
        self._terms: dict[str, TlsTerms] = {}

    def __repr__(self) -> str:
        return f"TlsListeners({', '.join(self._tls)})"

    def protect(
        self, listener: str, failed: Callable[[Address, str], None] | None = None
    ) -> Callable[[TakeOver], TakeOver] | None:
        """What stands between the links of a listener and their owners; or `SettingError`."""
        if self._settings.protocols[listener] not in TLS_PROTOCOLS:
            return None
        terms = listener_terms(self._settings, listener)
        try:
            tls = self._world.network.tls(terms, is_server=True)
        except TlsError as error:
            raise SettingError(f"listener {listener}: {error}") from None
        if listener == self._settings.inter_broker_listener:
            tls.keep_trust()
        self._tls[listener], self._terms[listener] = tls, terms
        failures = HandshakeFailures(listener, self._world.clock, failed)
        return lambda take_over: failures.protect(tls, take_over)

    def check(self, settings: BrokerSettings) -> None:
        """Whether listeners can go on by these; or `SettingError`, and nothing changes."""
        for listener, tls in self._tls.items():
            terms, own = listener_terms(settings, listener), settings.for_listener(listener)
            if terms == self._terms[listener]:
                continue
            try:
                old, new = tls.shown, tls.try_terms(terms)
                if old is not None and new is not None:
                    check_renewal(
                        old,
                        new,
                        any_subject=own.ssl_allow_dn_changes,
                        any_names=own.ssl_allow_san_changes,
                    )
                if listener == settings.inter_broker_listener:
                    tls.try_with_former(terms)
            except MoldauError as error:
                raise SettingError(f"listener {listener}: {error}") from None

    def take_settings(self, settings: BrokerSettings) -> None:
        """Those of connections that come from now on."""
        for listener, tls in self._tls.items():
            try:
                terms = listener_terms(settings, listener)
                if terms != self._terms[listener]:
                    tls.change(terms)
                    self._terms[listener] = terms
                    log.info("Listener %s has other TLS settings now", listener)
            except MoldauError as error:
                log.warning("Listener %s keeps its TLS settings: %s", listener, error)
