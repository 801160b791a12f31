"""Each listener has the TLS that its own settings ask for."""

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.node.tls_listeners import TlsListeners, listener_terms
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.platform.ports.tls import ClientCertificates, KeyStore, TlsError

GIVEN = {
    "listeners": "IN://:1,OUT://:2,USERS://:3",
    "listener.security.protocol.map": "IN:SSL,OUT:SSL,USERS:SASL_SSL",
    "controller.listener.names": "IN",
    "ssl.keystore.type": "PEM",
    "ssl.keystore.location": "all.pem",
    "ssl.client.auth": "required",
    "listener.name.out.ssl.keystore.location": "out.pem",
    "listener.name.out.ssl.client.auth": "requested",
    "listener.name.out.ssl.enabled.protocols": "TLSv1.3",
}


def terms(listener, **more):
    return listener_terms(BrokerSettings({**GIVEN, **more}), listener)


def test_settings_of_a_listener_go_before_those_of_all():
    assert terms("IN").keys == KeyStore("PEM", "all.pem")
    assert terms("OUT").keys == KeyStore("PEM", "out.pem")
    assert terms("OUT").versions == ("TLSv1.3",)


def test_behind_a_login_certificates_are_wanted_only_by_the_listeners_own_setting():
    wanted = [terms(name).client_certificates for name in ("IN", "OUT", "USERS")]
    assert wanted == [
        ClientCertificates.REQUIRED,
        ClientCertificates.REQUESTED,
        ClientCertificates.IGNORED,
    ]
    own = {"listener.name.users.ssl.client.auth": "required"}
    assert terms("USERS", **own).client_certificates is ClientCertificates.REQUIRED


def test_a_listener_without_a_certificate_is_refused():
    with pytest.raises(SettingError, match="USERS speaks SASL_SSL and has no certificate"):
        listener_terms(
            BrokerSettings({name: GIVEN[name] for name in GIVEN if "ssl." not in name}), "USERS"
        )


class StrangeTls:
    """No other trusts it, and it opens everything."""

    shown = None
    keeps_trust = False

    def keep_trust(self):
        self.keeps_trust = True

    def try_terms(self, terms):
        return None

    def try_with_former(self, terms):
        raise TlsError("as client, its certificate is refused")


def test_stores_of_the_listener_between_brokers_have_to_trust_the_former_ones():
    made = [StrangeTls(), StrangeTls()]
    coming = iter(made)
    network = SimpleNamespace(tls=lambda terms, is_server: next(coming))
    world: Any = SimpleNamespace(network=network, clock=None)
    given = {**GIVEN, "inter.broker.listener.name": "OUT"}
    listeners = TlsListeners(BrokerSettings(given), world)
    for listener in ("OUT", "USERS"):
        listeners.protect(listener)
    assert [tls.keeps_trust for tls in made] == [True, False]
    others = {**given, "listener.name.users.ssl.keystore.location": "others.pem"}
    listeners.check(BrokerSettings(others))
    others = {**given, "listener.name.out.ssl.keystore.location": "others.pem"}
    with pytest.raises(SettingError, match="listener OUT: as client, its certificate is refused"):
        listeners.check(BrokerSettings(others))
