"""Share groups: records are handed out one by one, and acknowledged."""

from __future__ import annotations

from moldau.config.key import Rank, Scope, integer, names, short, text
from moldau.config.settings import Settings
from moldau.config.units import MIB

_PERSISTERS = "org.apache.kafka.server.share.persister."
DEFAULT_PERSISTER = f"{_PERSISTERS}DefaultStatePersister"
NO_OP_PERSISTER = f"{_PERSISTERS}NoOpStatePersister"


class ShareKeys(Settings):
    """Declared by theme; see BrokerSettings."""

    group_share_session_timeout_ms = integer(
        45_000, "A member without a heartbeat for so long is removed.", least=1
    )
    group_share_min_session_timeout_ms = integer(
        45_000, "The least that a group may set for group.share.session.timeout.ms.", least=1
    )
    group_share_max_session_timeout_ms = integer(
        60_000, "The most that a group may set for group.share.session.timeout.ms.", least=1
    )
    group_share_heartbeat_interval_ms = integer(
        5000, "How often members are to send heartbeats.", least=1
    )
    group_share_min_heartbeat_interval_ms = integer(
        5000, "The least that a group may set for group.share.heartbeat.interval.ms.", least=1
    )
    group_share_max_heartbeat_interval_ms = integer(
        15_000, "The most that a group may set for group.share.heartbeat.interval.ms.", least=1
    )
    group_share_max_size = integer(200, "The most members of a share group.", least=1, most=1000)
    group_share_max_share_sessions = integer(2000, "The most share sessions of a broker.", least=1)
    group_share_assignors = names(("simple",), "How partitions are given out in share groups.")
    group_share_assignment_interval_ms = integer(
        1000, "The shortest time between two assignments of a group.", least=0, scope=Scope.CLUSTER
    )
    group_share_min_assignment_interval_ms = integer(
        0, "The least that a group may set for group.share.assignment.interval.ms.", least=0
    )
    group_share_max_assignment_interval_ms = integer(
        15_000, "The most that a group may set for group.share.assignment.interval.ms.", least=0
    )
    group_share_delivery_count_limit = integer(
        5, "How often a record is delivered before it is given up.", least=2, most=10
    )
    group_share_min_delivery_count_limit = integer(
        2, "The least that a group may set for group.share.delivery.count.limit.", least=2, most=5
    )
    group_share_max_delivery_count_limit = integer(
        10, "The most that a group may set for group.share.delivery.count.limit.", least=5, most=25
    )
    group_share_partition_max_record_locks = integer(
        2000, "The most records of a partition that are out at a time.", least=100, most=10_000
    )
    group_share_min_partition_max_record_locks = integer(
        100,
        "The least that a group may set for group.share.partition.max.record.locks.",
        least=100,
        most=2000,
    )
    group_share_max_partition_max_record_locks = integer(
        4000,
        "The most that a group may set for group.share.partition.max.record.locks.",
        least=2000,
        most=10_000,
    )
    group_share_record_lock_duration_ms = integer(
        30_000,
        "How long an acquisition lock holds a record for its consumer.",
        least=1000,
        most=3_600_000,
    )
    group_share_min_record_lock_duration_ms = integer(
        15_000,
        "The least that a group may set for group.share.record.lock.duration.ms.",
        least=1000,
        most=30_000,
    )
    group_share_max_record_lock_duration_ms = integer(
        60_000,
        "The most that a group may set for group.share.record.lock.duration.ms.",
        least=30_000,
        most=3_600_000,
    )
    group_share_initialize_retry_interval_ms = integer(
        30_000,
        "How often it is tried again to prepare the state of new partitions.",
        least=1,
        rank=Rank.LOW,
        internal=True,
    )
    group_share_persister_class_name = text(
        DEFAULT_PERSISTER,
        "What keeps the state of share groups; if it is empty, or Kafka's NoOpStatePersister, "
        "nothing is kept, and every leader begins as for a group that is new.",
        internal=True,
    )
    share_coordinator_threads = integer(1, "How many threads run the share coordinator.", least=1)
    share_coordinator_append_linger_ms = integer(
        -1,
        "How long the share coordinator gathers records before it writes; -1 while others wait.",
        least=-1,
    )
    share_coordinator_cached_buffer_max_bytes = integer(
        1_048_588,
        "The largest buffer that is kept for the next write.",
        least=524_288,
        scope=Scope.CLUSTER,
    )
    share_coordinator_load_buffer_size = integer(
        5 * MIB,
        "How much of the share state topic is read at a time when it is loaded.",
        least=1,
        rank=Rank.HIGH,
    )
    share_coordinator_snapshot_update_records_per_snapshot = integer(
        500, "After so many updates a snapshot is written.", least=0, most=500
    )
    share_coordinator_cold_partition_snapshot_interval_ms = integer(
        300_000,
        "A partition without news gets a snapshot after so long.",
        least=1,
        rank=Rank.LOW,
        internal=True,
    )
    share_coordinator_write_timeout_ms = integer(
        5000, "How long a write of share state may wait for the copies.", least=1, rank=Rank.HIGH
    )
    share_coordinator_state_topic_num_partitions = integer(
        50,
        "The partitions of the share state topic; never to be changed later.",
        least=1,
        rank=Rank.HIGH,
    )
    share_coordinator_state_topic_replication_factor = short(
        3, "The copies of the share state topic.", least=1, rank=Rank.HIGH
    )
    share_coordinator_state_topic_min_isr = short(
        2, "How many copies of the share state topic must be in sync.", least=1, rank=Rank.HIGH
    )
    share_coordinator_state_topic_segment_bytes = integer(
        100 * MIB, "The size of the share state topic's segments.", least=1, rank=Rank.HIGH
    )
    share_coordinator_state_topic_compression_codec = integer(
        0, "The codec of the share state topic, by its number.", rank=Rank.HIGH
    )
    share_coordinator_state_topic_prune_interval_ms = integer(
        300_000,
        "How often share state that is not needed any more is dropped.",
        least=1,
        rank=Rank.LOW,
        internal=True,
    )
    share_fetch_purgatory_purge_interval_requests = integer(
        1000, "After so many completed share fetches their purgatory is cleared of them."
    )
