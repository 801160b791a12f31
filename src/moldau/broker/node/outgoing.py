"""The channels from a node to others, each protected as the listener that it leads to requires.

Controllers are reached through the controllers' listener, brokers through the one between brokers.
Nothing is opened here: a channel connects when it is first asked.
"""

from __future__ import annotations

from moldau.broker.node.world import NodeWorld
from moldau.broker.server.login.listener import for_mechanism, jaas_of
from moldau.broker.server.login.providers import Providers
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.network.outgoing.bearer_login import LoginWorld, bearer_login
from moldau.network.outgoing.channels import Channels
from moldau.network.outgoing.dialer import Dialer
from moldau.network.outgoing.kerberos_login import kerberos_login
from moldau.network.outgoing.login import sasl_login
from moldau.network.outgoing.protection import PLAIN, Protection
from moldau.network.outgoing.tls import TlsProtection
from moldau.network.outgoing.web import Web
from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.gssapi import GSSAPI
from moldau.network.sasl.oauth import OAUTHBEARER
from moldau.network.tls.terms import terms_of
from moldau.platform.ports.tls import TlsError

__all__ = [
    "channels_to_brokers",
    "channels_to_controllers",
    "identity_providers",
    "protection_to_brokers",
]

SASL = "SASL_"
TLS = frozenset({"SSL", "SASL_SSL"})


def channels_to_controllers(settings: BrokerSettings, world: NodeWorld) -> Channels:
    """A controller that is not reached within a request's timeout is taken for unreachable."""
    setup_ms = min(
        settings.socket_connection_setup_timeout_ms, settings.controller_quorum_request_timeout_ms
    )
    listener = settings.controller_listener_names[0]
    mechanism = settings.sasl_mechanism_controller_protocol
    protection = _protection(settings, listener, mechanism, world)
    return _channels(settings, world, setup_ms, protection)


def channels_to_brokers(settings: BrokerSettings, world: NodeWorld) -> Channels:
    """They connect in the time that clients have for it, too."""
    setup_ms = settings.socket_connection_setup_timeout_ms
    return _channels(settings, world, setup_ms, protection_to_brokers(settings, world))


def protection_to_brokers(settings: BrokerSettings, world: NodeWorld) -> Protection:
    """How connections to other brokers are protected: those of the fetchers too."""
    mechanism = settings.sasl_mechanism_inter_broker_protocol
    return _protection(settings, settings.inter_broker_listener, mechanism, world)


def identity_providers(world: NodeWorld) -> Providers:
    """Those whose keys the listeners of this node ask for."""
    web = Web(network=world.network, tasks=world.tasks)
    return Providers(world.files, world.clock, world.random, web, world.kerberos)


def _protection(
    settings: BrokerSettings, listener: str, mechanism: str, world: NodeWorld
) -> Protection:
    """How connections to that listener of other nodes are protected."""
    protocol = settings.protocols[listener]
    login = _login(settings, listener, mechanism, world) if protocol.startswith(SASL) else PLAIN
    if protocol not in TLS:
        return login
    try:
        tls = world.network.tls(terms_of(settings.for_listener(listener)), is_server=False)
    except TlsError as error:
        raise SettingError(f"listener {listener} of other nodes: {error}") from None
    return TlsProtection(tls, login)


def _login(settings: BrokerSettings, listener: str, mechanism: str, world: NodeWorld) -> Protection:
    own = settings.for_listener(listener)
    login = jaas_of(own, mechanism, listener)
    if login is None and mechanism != OAUTHBEARER:
        raise SettingError(
            f"this node cannot log in at the listener {listener} of others: set "
            f"listener.name.{listener.lower()}.{mechanism.lower()}.sasl.jaas.config"
        )
    try:
        if login is None or mechanism == OAUTHBEARER:
            place = LoginWorld(world.network, world.clock, world.random, world.tasks, world.files)
            return bearer_login(for_mechanism(own, OAUTHBEARER), login, place)
        if mechanism == GSSAPI:
            return kerberos_login(own, login, world.kerberos and world.kerberos(), world.tasks)
        return sasl_login(mechanism, login, world.random)
    except SaslError as error:
        raise SettingError(f"listener {listener}: {error}") from None


def _channels(
    settings: BrokerSettings,
    world: NodeWorld,
    setup_timeout_ms: int,
    protection: Protection,
) -> Channels:
    dialer = Dialer(
        protection=protection,
        network=world.network,
        tasks=world.tasks,
        client_id=f"node-{settings.node_id}",
        setup_timeout_ms=setup_timeout_ms,
        request_timeout_ms=settings.request_timeout_ms,
    )
    return Channels(dialer, world.clock, world.random)
