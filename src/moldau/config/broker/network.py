"""Listeners, connections and the limits on them."""

from __future__ import annotations

from moldau.config.key import Rank, Scope, integer, long, maybe_names, maybe_text, names, text
from moldau.config.settings import Settings
from moldau.config.units import MIB, NO_LIMIT


class NetworkKeys(Settings):
    """Declared by theme; see BrokerSettings."""

    listeners = names(
        ("PLAINTEXT://:9092",),
        "Where the node listens: name://host:port for each.",
        scope=Scope.BROKER,
        rank=Rank.HIGH,
    )
    advertised_listeners = maybe_names(
        "The advertised listeners: addresses for clients, where they differ.", rank=Rank.HIGH
    )
    listener_security_protocol_map = text(
        "SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT",
        "The security protocol of each listener's name.",
        scope=Scope.BROKER,
        rank=Rank.LOW,
    )
    inter_broker_listener_name = maybe_text("The listener that brokers use among themselves.")
    security_inter_broker_protocol = text(
        "PLAINTEXT",
        "The protocol that brokers use among themselves, where no listener is named.",
        choices=("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"),
    )
    early_start_listeners = maybe_names(
        "Listeners that open before the metadata is loaded.", rank=Rank.HIGH
    )
    socket_send_buffer_bytes = integer(
        102_400, "The send buffer of a socket; -1 leaves it to the system.", rank=Rank.HIGH
    )
    socket_receive_buffer_bytes = integer(
        102_400, "The receive buffer of a socket; -1 leaves it to the system.", rank=Rank.HIGH
    )
    socket_request_max_bytes = integer(
        100 * MIB,
        "The largest request; a larger claim closes the connection.",
        least=1,
        rank=Rank.HIGH,
    )
    socket_listen_backlog_size = integer(
        50, "How many connections may wait to be accepted.", least=1
    )
    socket_connection_setup_timeout_ms = long(10_000, "How long it may take to reach another node.")
    socket_connection_setup_timeout_max_ms = long(
        30_000, "How long it may take to reach another node after several failures."
    )
    max_connections = integer(
        NO_LIMIT,
        "The most connections of the broker; also per listener, by its prefix.",
        least=0,
        scope=Scope.CLUSTER,
    )
    max_connections_per_ip = integer(
        NO_LIMIT, "The most connections from one address.", least=0, scope=Scope.CLUSTER
    )
    max_connections_per_ip_overrides = text(
        "",
        "Limits on connections from single addresses, as host:count,host:count.",
        scope=Scope.CLUSTER,
    )
    max_connection_creation_rate = integer(
        NO_LIMIT,
        "The most new connections a second, in all; also per listener, by its prefix.",
        least=0,
        scope=Scope.CLUSTER,
    )
    connections_max_idle_ms = long(
        600_000, "A connection without a request for so long is closed; -1 none."
    )
    connection_failed_authentication_delay_ms = integer(
        100, "How long the answer to a failed authentication is held back.", least=0, rank=Rank.LOW
    )
    queued_max_requests = integer(
        500, "The most requests that wait; reading pauses above it.", least=1, rank=Rank.HIGH
    )
    queued_max_request_bytes = long(-1, "The most bytes of requests that wait; -1 sets no bound.")
    request_timeout_ms = integer(
        30_000, "How long a broker waits for another's answer.", rank=Rank.HIGH
    )
    max_request_partition_size_limit = integer(
        2000, "The most partitions that one page of a description holds.", least=1
    )
