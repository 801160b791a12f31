"""The metadata quorum: its voters, its timers, its log."""

from __future__ import annotations

from moldau.config.key import Rank, Scope, flag, integer, long, maybe_integer, names, plugin
from moldau.config.settings import Settings
from moldau.config.units import GIB, MIB


class QuorumKeys(Settings):
    """Declared by theme; see BrokerSettings."""

    controller_listener_names = names(
        (), "The listeners of the controller, in order of preference.", rank=Rank.HIGH
    )
    controller_quorum_bootstrap_servers = names(
        (), "Addresses at which a node finds the quorum.", rank=Rank.HIGH
    )
    controller_quorum_voters = names(
        (), "The voters of a static quorum, as id@host:port.", rank=Rank.HIGH
    )
    controller_quorum_auto_join_enable = flag(
        False, "Whether a new controller makes itself a voter.", rank=Rank.LOW
    )
    controller_quorum_election_timeout_ms = integer(
        1000, "How long a candidate waits for votes before it tries again.", least=0, rank=Rank.HIGH
    )
    controller_quorum_election_backoff_max_ms = integer(
        1000, "The longest pause between two lost elections.", least=0, rank=Rank.HIGH
    )
    controller_quorum_fetch_timeout_ms = integer(
        2000,
        "A leader that could not be fetched from for so long is given up.",
        least=0,
        rank=Rank.HIGH,
    )
    controller_quorum_fetch_max_bytes = integer(
        MIB, "The most that one fetch of the metadata log brings.", least=1, rank=Rank.LOW
    )
    controller_quorum_fetch_snapshot_max_bytes = integer(
        MIB, "The most that one fetch of a snapshot brings.", least=1, rank=Rank.LOW
    )
    controller_quorum_request_timeout_ms = integer(
        2000, "How long an answer from another voter may take.", least=0
    )
    controller_quorum_retry_backoff_ms = integer(
        20, "The pause before a failed request is sent again.", least=0, rank=Rank.LOW
    )
    controller_quorum_append_linger_ms = integer(
        25, "How long the leader gathers records before it writes them.", least=0
    )
    controller_socket_timeout_ms = integer(
        30_000, "How long a request to the controller may take on its connection."
    )
    controller_performance_sample_period_ms = long(
        60_000, "How often the controller logs how long its events took.", least=100, internal=True
    )
    controller_performance_always_log_threshold_ms = long(
        2000, "Events of the controller that take longer are always logged.", least=0, internal=True
    )
    controller_quota_window_num = integer(
        11, "How many windows the quota on topic changes looks back.", least=1, rank=Rank.LOW
    )
    controller_quota_window_size_seconds = integer(
        1, "The length of a window of the quota on topic changes.", least=1, rank=Rank.LOW
    )
    metadata_log_segment_bytes = integer(
        GIB, "Size at which a segment of the metadata log is full.", least=8 * MIB, rank=Rank.HIGH
    )
    metadata_log_segment_ms = long(
        604_800_000, "Age at which a segment of the metadata log is full.", rank=Rank.HIGH
    )
    metadata_log_max_record_bytes_between_snapshots = long(
        20 * MIB, "So many new bytes of metadata call for a snapshot.", least=1, rank=Rank.HIGH
    )
    metadata_log_max_snapshot_interval_ms = long(
        3_600_000,
        "So much time since the last snapshot calls for another; 0 switches that off.",
        least=0,
        rank=Rank.HIGH,
    )
    metadata_max_idle_interval_ms = integer(
        500,
        "How often an idle controller writes an empty record, so that others see it live; 0 never.",
        least=0,
        rank=Rank.LOW,
    )
    metadata_max_retention_bytes = long(
        100 * MIB, "Metadata log and snapshots are cut when they are larger.", rank=Rank.HIGH
    )
    metadata_max_retention_ms = long(
        604_800_000, "Metadata log and snapshots are cut when they are older.", rank=Rank.HIGH
    )
    internal_metadata_log_segment_bytes = maybe_integer(
        "A smaller segment size than people may set, for tests.", rank=Rank.LOW, internal=True
    )
    internal_metadata_max_batch_size_in_bytes = integer(
        8 * MIB, "The largest batch of metadata records.", rank=Rank.LOW, internal=True
    )
    internal_metadata_delete_delay_millis = long(
        60_000,
        "How long a dropped file of the metadata log stays on the disk.",
        rank=Rank.LOW,
        internal=True,
    )
    leader_imbalance_check_interval_seconds = long(
        300,
        "How often the controller moves leaders back to their preferred brokers.",
        least=1,
        rank=Rank.HIGH,
    )
    auto_leader_rebalance_enable = flag(
        True,
        "Whether the controller moves leaders back to their preferred brokers.",
        rank=Rank.HIGH,
    )
    unclean_leader_election_enable = flag(
        False,
        "Whether a copy that lacks records may lead when no other is left. It loses them.",
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    unclean_leader_election_interval_ms = long(
        300_000,
        "How often the controller looks for partitions that need such an election.",
        least=1,
        internal=True,
    )
    alter_config_policy_class_name = plugin(
        None, "A plug-in that may refuse changes of settings.", rank=Rank.LOW
    )
    create_topic_policy_class_name = plugin(
        None, "A plug-in that may refuse new topics.", rank=Rank.LOW
    )
