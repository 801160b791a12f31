"""Who this node is, and where it keeps its data."""

from __future__ import annotations

from moldau.config.key import Rank, Scope, flag, integer, long, maybe_names, maybe_text, names
from moldau.config.settings import Settings
from moldau.config.units import FOREVER


class NodeKeys(Settings):
    """Declared by theme; see BrokerSettings."""

    node_id = integer(
        -1, "The number of this node, unique in its cluster.", least=0, rank=Rank.HIGH
    )
    broker_id = integer(
        -1, "The old name of node.id; both must agree where both are given.", rank=Rank.HIGH
    )
    broker_rack = maybe_text(
        "Where this broker stands; copies of a partition are spread over racks."
    )
    process_roles = names(
        (),
        "What this process is: broker, controller, or both.",
        choices=("broker", "controller"),
        rank=Rank.HIGH,
    )
    log_dir = names(
        ("/tmp/kafka-logs",),  # noqa: S108  # where Kafka puts them
        "The directory of the logs, where log.dirs is not given.",
        rank=Rank.HIGH,
    )
    log_dirs = maybe_names(
        "The directories of the logs; a partition lives in one of them.", rank=Rank.HIGH
    )
    cordoned_log_dirs = names(
        (), "Directories that get no new partitions; `*` means all.", scope=Scope.BROKER
    )
    metadata_log_dir = maybe_text(
        "The directory of the metadata log; the first of log.dirs by default.", rank=Rank.HIGH
    )
    initial_broker_registration_timeout_ms = integer(
        60_000, "How long a starting broker tries to register before it gives up."
    )
    broker_heartbeat_interval_ms = integer(
        2000, "How often a broker sends a heartbeat to the controller."
    )
    broker_session_timeout_ms = integer(9000, "A broker without a heartbeat for so long is fenced.")
    controlled_shutdown_enable = flag(
        True, "Whether leaders are moved away before the broker stops."
    )
    server_max_startup_time_ms = long(
        FOREVER, "How long a start may take before the node gives up.", least=0, internal=True
    )
    background_threads = integer(
        10,
        "How many threads work in the background.",
        least=1,
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    num_io_threads = integer(
        8,
        "How many threads handle requests.",
        least=1,
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    num_network_threads = integer(
        3,
        "How many threads move bytes.",
        least=1,
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    num_recovery_threads_per_data_dir = integer(
        2,
        "How many logs of a directory are recovered at a time after an unclean stop.",
        least=1,
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    security_providers = maybe_text(
        "Java classes of security providers; nothing here.", rank=Rank.LOW
    )
    config_providers = names(
        (), "Plug-ins that look up values such as secrets.", scope=Scope.CLUSTER, rank=Rank.LOW
    )
    unstable_api_versions_enable = flag(
        False, "Offer versions of APIs that may still change.", rank=Rank.HIGH, internal=True
    )
    unstable_feature_versions_enable = flag(
        False, "Allow feature levels that may still change.", rank=Rank.HIGH, internal=True
    )
