"""The listeners of a node: opened on its addresses, and advertised as they are reached.

A listener on port 0 takes any free port, and one without a host, or on 0.0.0.0, takes all of them;
the advertised listener is then the port it got and the name of the machine. `advertised.listeners`
is set where the way from outside is another one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf

from moldau.broker.metadata.cluster import Endpoint
from moldau.broker.server.connections import Connections
from moldau.broker.server.quota.quotas import ListenerRates
from moldau.config.broker.listeners import PROTOCOLS, Listener
from moldau.config.broker.settings import BrokerSettings
from moldau.network.admission import UNLIMITED, Limits
from moldau.network.connection import FrameHandler
from moldau.platform.ports.network import Address, TakeOver

__all__ = ["connection_limits", "endpoints", "listener_rates", "open_listeners"]

ANY_HOSTS = ("", "0.0.0.0", "::")  # noqa: S104  # recognised here, not listened on


async def open_listeners(
    settings: BrokerSettings,
    connections: Connections,
    handler_for: Callable[[str], FrameHandler],
    protect: Callable[[str], Callable[[TakeOver], TakeOver] | None],
) -> dict[str, Address]:
    """Open every listener; where each one really is."""
    return {
        listener.name: await connections.open(
            listener.name,
            Address(listener.host, listener.port),
            handler_for(listener.name),
            first_bytes_max=_first_bytes_max(settings, listener),
            protect=protect(listener.name),
        )
        for listener in settings.listener_list
    }


def _first_bytes_max(settings: BrokerSettings, listener: Listener) -> int | None:
    """The largest frame before a login, where there is one."""
    if not listener.protocol.startswith("SASL"):
        return None
    return settings.for_listener(listener.name).sasl_server_max_receive_size


def endpoints(
    advertised: tuple[Listener, ...], opened: Mapping[str, Address], host_name: str
) -> dict[str, Endpoint]:
    """These listeners as they are advertised, by name."""
    return {listener.name: _endpoint(listener, opened, host_name) for listener in advertised}


def _endpoint(listener: Listener, opened: Mapping[str, Address], host_name: str) -> Endpoint:
    host = host_name if listener.host in ANY_HOSTS else listener.host
    port = listener.port or opened[listener.name].port
    return Endpoint(listener.name, host, port, PROTOCOLS.index(listener.protocol))


def connection_limits(settings: BrokerSettings) -> Limits:
    """Who may come, as the settings say."""
    overrides = dict(
        entry.rpartition(":")[::2]
        for entry in settings.max_connections_per_ip_overrides.split(",")
        if entry
    )
    return Limits(
        connections_max=settings.max_connections,
        per_address_max=settings.max_connections_per_ip,
        per_address_overrides={host.strip(" []"): int(most) for host, most in overrides.items()},
        per_listener_max={
            listener.name: settings.for_listener(listener.name).max_connections
            for listener in settings.listener_list
        },
        protected_listener=_protected_listener(settings),
    )


def _protected_listener(settings: BrokerSettings) -> str | None:
    """That of the brokers among themselves, where clients have another one."""
    return settings.inter_broker_listener if len(settings.broker_listeners) > 1 else None


def listener_rates(settings: BrokerSettings) -> ListenerRates:
    """Connections in a second that the node, and each listener by its prefix, takes."""
    rates = {
        listener.name: float(settings.for_listener(listener.name).max_connection_creation_rate)
        for listener in settings.listener_list
    }
    of_node = settings.max_connection_creation_rate
    return ListenerRates(
        float(of_node) if of_node < UNLIMITED else inf,
        {name: rate for name, rate in rates.items() if rate < UNLIMITED},
        _protected_listener(settings),
    )
