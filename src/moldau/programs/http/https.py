"""HTTPS: a network whose listeners speak TLS, by Kafka's names of settings.

    ssl.keystore.type=PEM
    ssl.keystore.location=certs/localhost.pem
    ssl.client.auth=required

The files are read again when they have changed, so certificates are replaced without a restart. A
client's certificate is checked; where a program has logins, `ssl.principal.mapping.rules` makes the
name of a user of its subject.
"""

from __future__ import annotations

from collections.abc import Mapping

from moldau.config.broker.tls import TlsKeys
from moldau.config.refusals import SettingError
from moldau.network.tls.failures import HandshakeFailures
from moldau.network.tls.terms import terms_of
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, Link, Listener, Network, TakeOver
from moldau.platform.ports.tls import ClientCertificates, Tls, TlsError, TlsTerms

__all__ = ["HttpsNetwork", "https_network", "https_terms"]

NAME = "HTTPS"
"""Of the listener, in the log."""


class HttpsNetwork:
    """Around a network: what comes is protected, and what goes out is left alone."""

    def __init__(
        self, network: Network, tls: Tls, clock: Clock, principal_rules: str | None = None
    ) -> None:
        """`principal_rules` make names of certificates; None where none is asked for."""
        self.principal_rules = principal_rules
        self._network = network
        self._tls = tls
        self._failures = HandshakeFailures(NAME, clock)

    async def listen(self, address: Address, take_over: TakeOver) -> Listener:
        return await self._network.listen(address, self._failures.protect(self._tls, take_over))

    async def connect(self, address: Address, take_over: TakeOver) -> Link:
        return await self._network.connect(address, take_over)

    def tls(self, terms: TlsTerms, *, is_server: bool) -> Tls:
        return self._network.tls(terms, is_server=is_server)

    def close(self) -> None:
        self._network.close()


def https_network(network: Network, given: Mapping[str, str], clock: Clock) -> HttpsNetwork:
    """A network with HTTPS, or `SettingError` where the settings or their files make no TLS."""
    terms = https_terms(given)
    is_shown = terms.client_certificates is not ClientCertificates.IGNORED
    rules = TlsKeys(given).ssl_principal_mapping_rules if is_shown else None
    try:
        return HttpsNetwork(network, network.tls(terms, is_server=True), clock, rules)
    except TlsError as error:
        raise SettingError(str(error)) from None


def https_terms(given: Mapping[str, str]) -> TlsTerms:
    """The terms of TLS by these settings, or `SettingError`."""
    unknown = TlsKeys.unknown(given)
    if unknown:
        raise SettingError(f"{unknown[0]} is no setting of HTTPS; those of TLS begin with ssl.")
    settings = TlsKeys(given)
    terms = terms_of(settings, ClientCertificates(settings.ssl_client_auth))
    if terms.keys is None:
        raise SettingError(
            "HTTPS needs a certificate: set ssl.keystore.location; moldau certs makes one"
        )
    return terms
