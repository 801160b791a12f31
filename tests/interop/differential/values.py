"""What is worth asking for: values by the names of fields, and by API where a name means more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.records.batch import set_checksum
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from tests.interop.differential.aliases import Alias

Draw = Callable[[SeededRandom], Any]

TOPICS = ("plain", "many", "compacted", "stamped")
"""Made before the first question; see `world`."""
PASSING_TOPICS = tuple(f"passing-{index}" for index in range(6))
"""Made and deleted by the questions themselves."""
ODD_TOPICS = ("missing", "", "bad name!", "..", "x" * 250, "__consumer_offsets")
GROUPS = ("readers", "idle")
MADE_AT_MS = 1_700_000_000_000


def one_of(*values: Any) -> Draw:
    return lambda random: random.choice(values)


def topic_name(random: SeededRandom) -> Any:
    return random.choice(TOPICS * 3 + ODD_TOPICS + PASSING_TOPICS[:2])


def topic_id(random: SeededRandom) -> Any:
    name = random.choice((*TOPICS, *TOPICS, "missing", "null"))
    return bytes(16) if name == "null" else Alias(f"topic:{name}", b"\x07" * 16)


def batch(
    *,
    codec: Codec = Codec.NONE,
    keys: bool = True,
    count: int = 2,
    timestamp: int = MADE_AT_MS,
    **fields: Any,
) -> bytes:
    builder = BatchBuilder(BatchFields(codec=codec, **fields))
    for index in range(count):
        key = b"k%d" % index if keys else None
        builder.append(timestamp + index, key, b"v%d" % index, [("h", b"x")])
    return bytes(builder.build())


def _broken(good: bytes, position: int, value: int) -> bytes:
    data = bytearray(good)
    data[position] = value
    return bytes(data)


def _sealed(good: bytes, position: int, value: int) -> bytes:
    """Broken by its producer: the checksum is that of the broken bytes."""
    data = bytearray(_broken(good, position, value))
    set_checksum(data, len(data))
    return bytes(data)


GOOD = batch()
MAX_TIMESTAMP_AT, COUNT_AT, FIRST_RECORD_AT, FIRST_KEY_AT = 42, 60, 61, 65
"""Where each has its last, or its only, byte in a batch."""
BATCHES = (
    GOOD,
    GOOD,
    batch(codec=Codec.GZIP),
    batch(codec=Codec.LZ4),
    batch(codec=Codec.ZSTD),
    batch(codec=Codec.SNAPPY),
    batch(keys=False),
    batch(timestamp=4_000_000_000_000),
    batch(base_offset=5),
    batch(is_control=True),
    _broken(GOOD, 30, 0xFF),
    _broken(GOOD, 16, 1),
    _broken(GOOD, 16, 9),
    _broken(GOOD, 60, 9),
    _sealed(GOOD, FIRST_RECORD_AT, 0x70),
    _sealed(GOOD, FIRST_KEY_AT, 0x7E),
    _sealed(GOOD, FIRST_KEY_AT, 1),
    _sealed(GOOD, MAX_TIMESTAMP_AT, 7),
    _sealed(GOOD, COUNT_AT, 9),
    _sealed(batch(codec=Codec.LZ4), -1, 0x55),
    _sealed(batch(codec=Codec.ZSTD), -3, 0x55),
    GOOD + GOOD,
    GOOD[:-1],
    GOOD[:40],
    b"",
    b"nonsense",
)

EXCLUDED = frozenset(
    {
        "SaslHandshake", "SaslAuthenticate", "UnregisterBroker", "RemoveRaftVoter", "AddRaftVoter",
        "GetTelemetrySubscriptions", "PushTelemetry", "UpdateFeatures", "AlterReplicaLogDirs",
        "LeaderAndIsr", "StopReplica", "UpdateMetadata", "ControlledShutdown",
        "WriteTxnMarkers", "DescribeQuorum", "InitializeShareGroupState", "ReadShareGroupState",
        "WriteShareGroupState", "DeleteShareGroupState", "ReadShareGroupStateSummary",
        "ShareFetch", "ShareAcknowledge", "StreamsGroupHeartbeat", "JoinGroup", "SyncGroup",
        "ConsumerGroupHeartbeat", "ShareGroupHeartbeat", "AlterConfigs", "IncrementalAlterConfigs",
        "AlterClientQuotas", "AlterUserScramCredentials", "CreateAcls", "DeleteAcls",
        "InitProducerId", "AddPartitionsToTxn", "AddOffsetsToTxn", "EndTxn", "TxnOffsetCommit",
        "ElectLeaders", "AlterPartitionReassignments", "CreateDelegationToken", "ListTransactions",
        "DescribeShareGroupOffsets", "AlterShareGroupOffsets", "DeleteShareGroupOffsets",
        "RenewDelegationToken", "ExpireDelegationToken", "DescribeDelegationToken",
    }
)  # fmt: skip
"""Asked in dialogues of their own, or never: they change what later answers say, or wait."""

KEPT_DEFAULT = frozenset({"replica_state", "preferred_read_replica", "cursor"})

BY_NAME: dict[str, Draw] = {
    "topic_id": topic_id,
    "topic": topic_name,
    "topic_name": topic_name,
    "partition_index": one_of(0, 0, 0, 1, 2, 99, -1),
    "partition": one_of(0, 0, 0, 1, 2, 99, -1),
    "partition_id": one_of(0, 0, 0, 1, 99, -1),
    "partition_indexes": one_of([0], [0, 1], [], [99]),
    "partitions_indexes": one_of([0], [0, 1], [], [99]),
    "current_leader_epoch": one_of(-1, -1, -1, 0, 1, 99),
    "leader_epoch": one_of(-1, 0, 0, 1, 99),
    "last_fetched_epoch": one_of(-1, -1, 0, 0, 1),
    "committed_leader_epoch": one_of(-1, 0, 5),
    "replica_id": one_of(-1),
    "group_id": one_of(*GROUPS, *GROUPS, "missing", ""),
    "group": one_of(*GROUPS, "missing", ""),
    "groups_names": one_of(["readers"], ["missing"], ["readers", "idle"], []),
    "member_id": one_of("", "", "unknown"),
    "group_instance_id": one_of(None, None, "static"),
    "generation_id": one_of(-1, -1, 0, 1, 5),
    "generation_id_or_member_epoch": one_of(-1, -1, 0, 5),
    "member_epoch": one_of(-1, 0, 1),
    "committed_offset": one_of(0, 3, 10**9, -1),
    "committed_metadata": one_of(None, "", "note", "n" * 4097),
    "timestamp": one_of(-1, -2, -3, -4, -5, 0, MADE_AT_MS, MADE_AT_MS + 1, 4 * 10**12, -9),
    "isolation_level": one_of(0, 0, 1),
    "timeout_ms": one_of(0, 1000, 5000),
    "validate_only": one_of(False, True),
    "include_cluster_authorized_operations": one_of(False, True),
    "include_topic_authorized_operations": one_of(False, True),
    "include_authorized_operations": one_of(False, True),
    "include_synonyms": one_of(False, True),
    "include_documentation": one_of(False, True),
    "allow_auto_topic_creation": one_of(False),
    "require_stable": one_of(False, True),
    "coordinator_keys": one_of(["readers"], ["readers", "idle"], [""]),
    "key": one_of("readers", "idle", ""),
    "key_type": one_of(0, 0, 1, 2, 7),
    "states_filter": one_of([], ["Empty"], ["Stable"], ["nonsense"]),
    "types_filter": one_of([], ["classic"], ["consumer"], ["nonsense"]),
    "producer_ids_filter": one_of([], [5]),
    "transactional_ids": one_of([], ["unknown"]),
}

BY_API: dict[str, dict[str, Draw]] = {
    "Produce": {
        "name": topic_name,
        "acks": one_of(1, -1, -1, 5),
        "index": one_of(0, 0, 0, 1, 99),
        "transactional_id": one_of(None),
        "records": one_of(*BATCHES),  # Kafka never answers if there are none
    },
    "Fetch": {
        "max_wait_ms": one_of(0),
        "min_bytes": one_of(0, 1),
        "max_bytes": one_of(0, 1, 200, 1 << 20),
        "partition_max_bytes": one_of(0, 1, 200, 1 << 20),
        "fetch_offset": one_of(0, 0, 1, 3, 5, 10**6, -1),
        "session_id": one_of(0, 0, 0, 12345),
        "session_epoch": one_of(-1, -1, 1),
        "log_start_offset": one_of(-1),
        "rack_id": one_of(""),
        "forgotten_topics_data": one_of([]),
        "high_watermark": one_of(2**63 - 1),
        "partition": one_of(0, 0, 1, 2, 99),
    },
    "ListOffsets": {"name": topic_name, "max_num_offsets": one_of(1)},
    "Metadata": {"name": one_of(*TOPICS, *TOPICS, *ODD_TOPICS[:4], None)},
    "CreateTopics": {
        "name": one_of(*PASSING_TOPICS, *PASSING_TOPICS, "plain", *ODD_TOPICS[1:]),
        "num_partitions": one_of(-1, 1, 1, 2, 3, 0),
        "replication_factor": one_of(-1, 1, 1, 1, 2, 0),
        "assignments": one_of([]),
        "configs": one_of([]),
        "value": one_of(None, "1"),
    },
    "DeleteTopics": {
        "name": one_of(*PASSING_TOPICS, *PASSING_TOPICS, "missing"),
        "topic_names": one_of(["passing-0"], ["passing-1", "passing-2"], ["missing"], []),
        "topic_id": one_of(bytes(16)),
    },
    "CreatePartitions": {
        "name": one_of(*PASSING_TOPICS, "missing"),
        "count": one_of(1, 2, 3, 4, 0, -1),
        "assignments": one_of(None),
    },
    "DeleteRecords": {
        "name": one_of("passing-3", "passing-4", "missing", "compacted"),
        "offset": one_of(0, 1, -1, -2, 10**6),
    },
    "OffsetForLeaderEpoch": {"leader_epoch": one_of(0, 0, 1, -1, 99)},
    "OffsetCommit": {
        "name": topic_name,
        "member_id": one_of("", "", "", "unknown"),
        "retention_time_ms": one_of(-1, 5000),
        "committed_metadata": one_of(None, "", "note"),  # longer ones are in a dialogue
        "group_id": one_of("idle", "idle", "passing-group", ""),
    },
    "OffsetFetch": {
        "name": topic_name,
        "member_id": one_of(None),
        "member_epoch": one_of(-1),
        "group_id": one_of("readers", "readers", "missing"),
    },
    "OffsetDelete": {"name": topic_name, "group_id": one_of("passing-group", "missing")},
    "DeleteGroups": {"groups_names": one_of(["passing-group"], ["missing"], [])},
    "DescribeGroups": {"groups": one_of(["readers"], ["missing", "idle"], [])},
    "Heartbeat": {},
    "LeaveGroup": {"reason": one_of(None, "because")},
    "ConsumerGroupDescribe": {"group_ids": one_of(["readers"], ["missing"], [])},
    "ShareGroupDescribe": {"group_ids": one_of(["readers"], ["missing"], [])},
    "StreamsGroupDescribe": {"group_ids": one_of(["readers"], ["missing"], [])},
    "DescribeConfigs": {
        "resource_type": one_of(2, 2, 2, 4, 4, 16, 32, 8, 99),
        "resource_name": one_of("plain", "compacted", "missing", "1", "", "7", "readers"),
        "configuration_keys": one_of(None, [], ["retention.ms"], ["cleanup.policy", "nonsense"]),
    },
    "ListConfigResources": {"resource_types": one_of([], [2], [4], [16], [32], [99])},
    "DescribeCluster": {"endpoint_type": one_of(1, 1, 1, 2, 9)},
    "DescribeTopicPartitions": {
        "name": topic_name,
        "response_partition_limit": one_of(2000, 2000, 1, 2),
    },
    "DescribeLogDirs": {"partitions": one_of([0], [0, 1], [99])},
    "ApiVersions": {
        "client_software_name": one_of("moldau", "apache-kafka-java", "", "bad name!"),
        "client_software_version": one_of("1.0", "-", ""),
    },
    "DescribeAcls": {
        "resource_type_filter": one_of(1, 2, 3, 0, 99),
        "resource_name_filter": one_of(None, "plain"),
        "pattern_type_filter": one_of(1, 2, 3, 4, 0, 99),
        "principal_filter": one_of(None, "User:a"),
        "host_filter": one_of(None, "*"),
        "operation": one_of(1, 2, 3, 99),
        "permission_type": one_of(1, 2, 3, 99),
    },
    "DescribeClientQuotas": {
        "entity_type": one_of("user", "client-id", "ip", "nonsense"),
        "match_type": one_of(0, 1, 2, 9),
        "match": one_of(None, "a", ""),
    },
    "DescribeUserScramCredentials": {"name": one_of("alice", "unknown", "")},
    "DescribeProducers": {"name": topic_name},
    "ListPartitionReassignments": {"name": topic_name},
}
