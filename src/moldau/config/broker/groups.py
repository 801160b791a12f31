"""Groups of consumers and their offsets."""

from __future__ import annotations

from moldau.config.key import Rank, Scope, integer, long, names, short, text
from moldau.config.settings import Settings
from moldau.config.units import MIB, NO_LIMIT


class GroupKeys(Settings):
    """Declared by theme; see BrokerSettings."""

    group_coordinator_rebalance_protocols = names(
        ("classic", "consumer", "streams"),
        "The protocols that groups may use.",
        choices=("consumer", "classic", "share", "streams"),
    )
    group_coordinator_threads = integer(
        4,
        "How many threads run the group coordinator.",
        least=1,
        rank=Rank.HIGH,
    )
    group_coordinator_background_threads = integer(
        2, "Threads for regular expressions and their kin.", least=1, rank=Rank.HIGH
    )
    group_coordinator_append_linger_ms = integer(
        -1,
        "How long the coordinator gathers records before it writes; -1 as long as others wait.",
        least=-1,
    )
    group_coordinator_cached_buffer_max_bytes = integer(
        1_048_588,
        "The largest buffer that is kept for the next write.",
        least=524_288,
        scope=Scope.CLUSTER,
    )
    group_initial_rebalance_delay_ms = integer(
        3000, "How long the first rebalance of an empty group waits for more members."
    )
    group_min_session_timeout_ms = integer(
        6000, "The shortest session timeout of a classic member."
    )
    group_max_session_timeout_ms = integer(
        1_800_000, "The most that a member may set for group.session.timeout.ms."
    )
    group_max_size = integer(NO_LIMIT, "The most members of a classic group.", least=1)
    group_consumer_session_timeout_ms = integer(
        45_000, "A member without a heartbeat for so long is removed.", least=1
    )
    group_consumer_min_session_timeout_ms = integer(
        45_000, "The least that a group may set for group.consumer.session.timeout.ms.", least=1
    )
    group_consumer_max_session_timeout_ms = integer(
        60_000, "The most that a group may set for group.consumer.session.timeout.ms.", least=1
    )
    group_consumer_heartbeat_interval_ms = integer(
        5000, "How often members are to send heartbeats.", least=1
    )
    group_consumer_min_heartbeat_interval_ms = integer(
        5000, "The least that a group may set for group.consumer.heartbeat.interval.ms.", least=1
    )
    group_consumer_max_heartbeat_interval_ms = integer(
        15_000, "The most that a group may set for group.consumer.heartbeat.interval.ms.", least=1
    )
    group_consumer_max_size = integer(NO_LIMIT, "The most members of a consumer group.", least=1)
    group_consumer_assignors = names(
        ("uniform", "range"), "How partitions are given out: the first is the default."
    )
    group_consumer_migration_policy = text(
        "bidirectional",
        "Whether groups may change between the classic and the consumer protocol while they run.",
        choices=("DISABLED", "DOWNGRADE", "UPGRADE", "BIDIRECTIONAL"),
        any_case=True,
    )
    group_consumer_regex_refresh_interval_ms = integer(
        600_000,
        "How often a subscription by pattern is resolved anew.",
        least=10_000,
        internal=True,
    )
    group_consumer_assignment_interval_ms = integer(
        1000, "The shortest time between two assignments of a group.", least=0, scope=Scope.CLUSTER
    )
    group_consumer_min_assignment_interval_ms = integer(
        0, "The least that a group may set for group.consumer.assignment.interval.ms.", least=0
    )
    group_consumer_max_assignment_interval_ms = integer(
        15_000, "The most that a group may set for group.consumer.assignment.interval.ms.", least=0
    )
    group_streams_session_timeout_ms = integer(
        45_000, "A Streams member without a heartbeat for so long is removed.", least=1
    )
    group_streams_min_session_timeout_ms = integer(
        45_000, "The least that a group may set for group.streams.session.timeout.ms.", least=1
    )
    group_streams_max_session_timeout_ms = integer(
        60_000, "The most that a group may set for group.streams.session.timeout.ms.", least=1
    )
    group_streams_heartbeat_interval_ms = integer(
        5000, "How often Streams members are to send heartbeats.", least=1
    )
    group_streams_min_heartbeat_interval_ms = integer(
        5000, "The least that a group may set for group.streams.heartbeat.interval.ms.", least=1
    )
    group_streams_max_heartbeat_interval_ms = integer(
        15_000, "The most that a group may set for group.streams.heartbeat.interval.ms.", least=1
    )
    group_streams_max_size = integer(NO_LIMIT, "The most members of a Streams group.", least=1)
    group_streams_num_standby_replicas = integer(
        0, "How many standby copies each stateful task has.", least=0
    )
    group_streams_max_standby_replicas = integer(
        2, "The most that a group may set for group.streams.standby.replicas.", least=0
    )
    group_streams_initial_rebalance_delay_ms = integer(
        3000, "How long a new Streams group waits for more members.", least=0
    )
    group_streams_assignment_interval_ms = integer(
        1000, "The shortest time between two assignments of a group.", least=0, scope=Scope.CLUSTER
    )
    group_streams_min_assignment_interval_ms = integer(
        0, "The least that a group may set for group.streams.assignment.interval.ms.", least=0
    )
    group_streams_max_assignment_interval_ms = integer(
        15_000, "The most that a group may set for group.streams.assignment.interval.ms.", least=0
    )
    offset_metadata_max_bytes = integer(
        4096, "The longest text that may stand beside a committed offset.", rank=Rank.HIGH
    )
    offsets_commit_timeout_ms = integer(
        5000,
        "How long a commit may wait for the copies of the offsets topic.",
        least=1,
        rank=Rank.HIGH,
    )
    offsets_load_buffer_size = integer(
        5 * MIB,
        "How much of the offsets topic is read at a time when it is loaded.",
        least=1,
        rank=Rank.HIGH,
    )
    offsets_retention_minutes = integer(
        10_080,
        "Offsets of a group without members are forgotten after so long.",
        least=1,
        rank=Rank.HIGH,
    )
    offsets_retention_check_interval_ms = long(
        600_000, "How often offsets are looked for that may be forgotten.", least=1, rank=Rank.HIGH
    )
    offsets_topic_compression_codec = integer(
        0, "The codec of the offsets topic, by its number.", rank=Rank.HIGH
    )
    offsets_topic_num_partitions = integer(
        50,
        "The partitions of the offsets topic; never to be changed later.",
        least=1,
        rank=Rank.HIGH,
    )
    offsets_topic_replication_factor = short(
        3, "The copies of the offsets topic.", least=1, rank=Rank.HIGH
    )
    offsets_topic_segment_bytes = integer(
        100 * MIB, "The size of the offsets topic's segments.", least=1, rank=Rank.HIGH
    )
