"""Copying partitions from broker to broker."""

from __future__ import annotations

from moldau.config.key import Rank, Scope, integer, long, maybe_integer, maybe_text
from moldau.config.settings import Settings
from moldau.config.units import FOREVER, MIB


class ReplicationKeys(Settings):
    """Declared by theme; see BrokerSettings."""

    num_replica_fetchers = integer(
        1,
        "Connections to each leader that copies are fetched by.",
        least=1,
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    num_replica_alter_log_dirs_threads = maybe_integer(
        "How many partitions move between directories at a time.", rank=Rank.HIGH
    )
    replica_fetch_max_bytes = integer(
        MIB, "The most that a fetch brings of one partition.", least=0
    )
    replica_fetch_response_max_bytes = integer(
        10 * MIB, "The most that a fetch brings in all.", least=0
    )
    replica_fetch_min_bytes = integer(1, "A follower's fetch waits for so much.", rank=Rank.HIGH)
    replica_fetch_wait_max_ms = integer(
        500, "The longest that a follower's fetch waits.", rank=Rank.HIGH
    )
    replica_fetch_backoff_ms = integer(1000, "The pause after a failed fetch.", least=0)
    replica_lag_time_max_ms = long(
        30_000,
        "A follower that has not caught up for so long is not in sync any more.",
        rank=Rank.HIGH,
    )
    replica_high_watermark_checkpoint_interval_ms = long(
        5000, "How often high watermarks are written down.", rank=Rank.HIGH
    )
    replica_socket_timeout_ms = integer(
        30_000, "How long a follower waits for an answer.", rank=Rank.HIGH
    )
    replica_socket_receive_buffer_bytes = integer(
        65_536, "The receive buffer of a follower's socket.", rank=Rank.HIGH
    )
    replica_selector_class = maybe_text("How a consumer is sent to a copy near it.")
    fetch_max_bytes = integer(55 * MIB, "The most that any fetch is answered with.", least=1024)
    max_incremental_fetch_session_cache_slots = integer(
        1000, "How many fetch sessions are kept.", least=0
    )
    max_incremental_fetch_session_cache_bytes = long(
        128 * MIB,
        "Moldau's own, about how much memory fetch sessions take together: who finds no room for "
        "one fetches without, as where all slots are taken.",
        least=0,
        own=True,
    )
    fetch_purgatory_purge_interval_requests = integer(
        1000, "After so many completed fetches their purgatory is cleared of them."
    )
    producer_purgatory_purge_interval_requests = integer(
        1000, "After so many completed produce requests their purgatory is cleared of them."
    )
    delete_records_purgatory_purge_interval_requests = integer(
        1, "After so many completed deletions their purgatory is cleared of them."
    )
    leader_replication_throttled_rate = long(
        FOREVER, "Bytes a second at which throttled copies are sent.", least=0, scope=Scope.CLUSTER
    )
    follower_replication_throttled_rate = long(
        FOREVER,
        "Bytes a second at which throttled copies are fetched.",
        least=0,
        scope=Scope.CLUSTER,
    )
    replica_alter_log_dirs_io_max_bytes_per_second = long(
        FOREVER,
        "Bytes a second at which partitions move between directories.",
        least=0,
        scope=Scope.CLUSTER,
    )
    replication_quota_window_num = integer(
        11, "How many windows the quota on replication looks back.", least=1, rank=Rank.LOW
    )
    replication_quota_window_size_seconds = integer(
        1, "The length of a window of the quota on replication.", least=1, rank=Rank.LOW
    )
    alter_log_dirs_replication_quota_window_num = integer(
        11, "How many windows the quota on moves looks back.", least=1, rank=Rank.LOW
    )
    alter_log_dirs_replication_quota_window_size_seconds = integer(
        1, "The length of a window of the quota on moves.", least=1, rank=Rank.LOW
    )
