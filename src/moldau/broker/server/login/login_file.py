"""Logins of a node in a file of their own, as Java's `java.security.auth.login.config` names it.

    KafkaServer {
        org.apache.kafka.common.security.plain.PlainLoginModule required
            username="admin" password="secret" user_admin="secret" user_alice="another";
    };

As in Kafka a listener has the logins under `NAME.KafkaServer`, with its own name in small letters,
or else those under `KafkaServer`; and a `sasl.jaas.config` among the settings of a listener and a
mechanism wins over both. What the file has is turned into such settings once, before the node
starts, so that files matter nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from moldau.broker.server.login.listener import JAAS_CONFIG, JAVA, MODULES
from moldau.config.broker.settings import BrokerSettings
from moldau.network.sasl.gssapi import GSSAPI
from moldau.network.sasl.jaas import JaasLogin
from moldau.network.sasl.plain import PLAIN

__all__ = ["settings_of_logins"]

CONTEXT = "KafkaServer"
SASL = "SASL_"
OWN_MODULES = {
    **MODULES,
    PLAIN: f"{JAVA}.plain.PlainLoginModule",
    GSSAPI: "com.sun.security.auth.module.Krb5LoginModule",
}
SUBJECT = ("username", "password")
"""What any module has of the node itself."""


def settings_of_logins(
    settings: BrokerSettings, logins: Mapping[str, Sequence[JaasLogin]]
) -> dict[str, str]:
    """A `sasl.jaas.config` for each mechanism of a listener that has none of its own."""
    found = {}
    for listener, mechanism in _places(settings):
        name = f"listener.name.{listener}.{mechanism.lower()}.{JAAS_CONFIG}"
        theirs = logins.get(f"{listener}.{CONTEXT}") or logins.get(CONTEXT) or ()
        login = _login_for(mechanism, theirs)
        if login is not None and name not in settings.all_given:
            found[name] = login.as_text()
    return found


def _places(settings: BrokerSettings) -> Iterator[tuple[str, str]]:
    """Listeners where logins are asked for, each with a mechanism: of clients, and of nodes."""
    between = (
        settings.sasl_mechanism_inter_broker_protocol,
        settings.sasl_mechanism_controller_protocol,
    )
    for listener, protocol in settings.protocols.items():
        if protocol.startswith(SASL):
            served = settings.for_listener(listener).sasl_enabled_mechanisms
            for mechanism in dict.fromkeys((*served, *between)):
                yield listener.lower(), mechanism


def _login_for(mechanism: str, logins: Sequence[JaasLogin]) -> JaasLogin | None:
    """That of the mechanism's own module.

    SCRAM and bearer tokens need none to serve clients; a node that logs in by them itself is, as in
    Java, the user that the first login names.
    """
    own = OWN_MODULES.get(mechanism)
    for login in logins:
        if login.module == own:
            return login
    if not logins or mechanism not in MODULES:
        return None
    named = next((login.options for login in logins if SUBJECT[0] in login.options), {})
    return JaasLogin(MODULES[mechanism], {key: named[key] for key in SUBJECT if key in named})
