"""The settings of a group; where one is not set, the broker's setting holds."""

from __future__ import annotations

from moldau.config.key import Scope, flag, integer, text
from moldau.config.settings import Settings


class GroupSettings(Settings):
    """The settings of a group, by Kafka's names."""

    consumer_session_timeout_ms = integer(
        45_000,
        "A consumer without a heartbeat for so long is removed.",
        least=1,
        scope=Scope.CLUSTER,
    )
    consumer_heartbeat_interval_ms = integer(
        5000, "How often consumers are to send heartbeats.", least=1, scope=Scope.CLUSTER
    )
    consumer_assignment_interval_ms = integer(
        1000,
        "The shortest time between two assignments of a consumer group.",
        least=0,
        scope=Scope.CLUSTER,
    )
    share_session_timeout_ms = integer(
        45_000,
        "A share consumer without a heartbeat for so long is removed.",
        least=1,
        scope=Scope.CLUSTER,
    )
    share_heartbeat_interval_ms = integer(
        5000, "How often share consumers are to send heartbeats.", least=1, scope=Scope.CLUSTER
    )
    share_record_lock_duration_ms = integer(
        30_000,
        "How long an acquisition lock holds a record for its consumer.",
        least=1000,
        scope=Scope.CLUSTER,
    )
    share_delivery_count_limit = integer(
        5, "How often a record is delivered before it is given up.", least=2, scope=Scope.CLUSTER
    )
    share_partition_max_record_locks = integer(
        2000,
        "The most records of a partition that are out at a time.",
        least=100,
        scope=Scope.CLUSTER,
    )
    share_auto_offset_reset = text(
        "latest",
        "Where a new share group begins: latest, earliest, or by_duration: and an ISO duration.",
        scope=Scope.CLUSTER,
    )
    share_isolation_level = text(
        "read_uncommitted",
        "Whether share consumers see records of open transactions.",
        choices=("read_committed", "read_uncommitted"),
        scope=Scope.CLUSTER,
    )
    share_renew_acknowledge_enable = flag(
        True, "Whether share consumers may prolong the lock of a record.", scope=Scope.CLUSTER
    )
    share_assignment_interval_ms = integer(
        1000,
        "The shortest time between two assignments of a share group.",
        least=0,
        scope=Scope.CLUSTER,
    )
    streams_session_timeout_ms = integer(
        45_000,
        "A Streams member without a heartbeat for so long is removed.",
        least=1,
        scope=Scope.CLUSTER,
    )
    streams_heartbeat_interval_ms = integer(
        5000, "How often Streams members are to send heartbeats.", least=1, scope=Scope.CLUSTER
    )
    streams_num_standby_replicas = integer(
        0, "How many standby copies each stateful task has.", least=0, scope=Scope.CLUSTER
    )
    streams_initial_rebalance_delay_ms = integer(
        3000, "How long a new Streams group waits for more members.", least=0, scope=Scope.CLUSTER
    )
    streams_assignment_interval_ms = integer(
        1000,
        "The shortest time between two assignments of a Streams group.",
        least=0,
        scope=Scope.CLUSTER,
    )
