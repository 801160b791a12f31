"""Listeners as they are advertised, and who may come."""

from moldau.broker.metadata.cluster import Endpoint
from moldau.broker.node.defaults import alone
from moldau.broker.node.listeners import connection_limits, endpoints, listener_rates
from moldau.broker.node.server_properties import node_settings
from moldau.broker.server.quota.quotas import ListenerRates
from moldau.platform.ports.network import Address


def settings(**given):
    return node_settings(alone(), {key.replace("_", "."): value for key, value in given.items()})


def test_a_free_port_is_reported_once_it_is_known():
    chosen = settings(listeners="PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0")
    opened = {"PLAINTEXT": Address("127.0.0.1", 4711)}
    advertised = endpoints(chosen.advertised, opened, "machine")
    assert advertised == {"PLAINTEXT": Endpoint("PLAINTEXT", "127.0.0.1", 4711, 0)}


def test_a_listener_on_all_addresses_is_reported_by_the_name_of_the_machine():
    chosen = settings(listeners="PLAINTEXT://:9092,CONTROLLER://127.0.0.1:0")
    advertised = endpoints(chosen.advertised, {}, "machine")
    assert advertised["PLAINTEXT"][:3] == ("PLAINTEXT", "machine", 9092)


def test_what_is_advertised_is_reported_instead():
    chosen = settings(advertised_listeners="PLAINTEXT://outside:19092")
    assert endpoints(chosen.advertised, {}, "machine")["PLAINTEXT"].host == "outside"


def test_limits_come_from_the_settings_with_those_of_single_addresses():
    chosen = settings(
        max_connections="10",
        max_connections_per_ip="2",
        max_connections_per_ip_overrides="10.0.0.1:5,fe80::1:3",
    )
    limits = connection_limits(chosen)
    assert (limits.connections_max, limits.per_address_max) == (10, 2)
    assert limits.per_address_overrides == {"10.0.0.1": 5, "fe80::1": 3}
    assert limits.protected_listener is None


def test_the_brokers_own_listener_is_protected_where_clients_have_another():
    chosen = settings(
        listeners="PLAINTEXT://127.0.0.1:1,INTERNAL://127.0.0.1:2,CONTROLLER://127.0.0.1:0",
        listener_security_protocol_map="PLAINTEXT:PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT",
        inter_broker_listener_name="INTERNAL",
    )
    assert connection_limits(chosen).protected_listener == "INTERNAL"


def test_a_listener_whose_rate_is_limited_is_reported():
    chosen = settings(**{"listener.name.plaintext.max.connection.creation.rate": "5"})
    assert listener_rates(chosen).by_listener == {"PLAINTEXT": 5.0}
    assert listener_rates(settings()) == ListenerRates()


def test_a_rate_of_the_node_is_for_all_its_listeners_together():
    rates = listener_rates(settings(max_connection_creation_rate="7"))
    assert rates.of_node == 7
    assert set(rates.by_listener.values()) == {7.0}
