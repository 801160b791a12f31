"""The newest version of each request that a broker of Apache Kafka 3.1 understands, by its name.

Requests that clients do not send are left out. It has no consumer groups of KIP-848, no share or
streams groups, no telemetry, and no quorum that is described or changed.
"""

from __future__ import annotations

from collections.abc import Mapping

from moldau.protocol.wire.versions import Versions

__all__ = ["ABSENT", "NEWEST", "SPOKEN"]

NEWEST: Mapping[int, int] = {
    0: 9,  # Produce
    1: 13,  # Fetch
    2: 7,  # ListOffsets
    3: 12,  # Metadata
    8: 8,  # OffsetCommit
    9: 8,  # OffsetFetch
    10: 4,  # FindCoordinator
    11: 7,  # JoinGroup
    12: 4,  # Heartbeat
    13: 4,  # LeaveGroup
    14: 5,  # SyncGroup
    15: 5,  # DescribeGroups
    16: 4,  # ListGroups
    17: 1,  # SaslHandshake
    18: 3,  # ApiVersions
    19: 7,  # CreateTopics
    20: 6,  # DeleteTopics
    21: 2,  # DeleteRecords
    22: 4,  # InitProducerId
    23: 4,  # OffsetForLeaderEpoch
    24: 3,  # AddPartitionsToTxn
    25: 3,  # AddOffsetsToTxn
    26: 3,  # EndTxn
    27: 1,  # WriteTxnMarkers
    28: 3,  # TxnOffsetCommit
    29: 2,  # DescribeAcls
    30: 2,  # CreateAcls
    31: 2,  # DeleteAcls
    32: 4,  # DescribeConfigs
    33: 2,  # AlterConfigs
    34: 2,  # AlterReplicaLogDirs
    35: 2,  # DescribeLogDirs
    36: 2,  # SaslAuthenticate
    37: 3,  # CreatePartitions
    38: 2,  # CreateDelegationToken
    39: 2,  # RenewDelegationToken
    40: 2,  # ExpireDelegationToken
    41: 2,  # DescribeDelegationToken
    42: 2,  # DeleteGroups
    43: 2,  # ElectLeaders
    44: 1,  # IncrementalAlterConfigs
    45: 0,  # AlterPartitionReassignments
    46: 0,  # ListPartitionReassignments
    47: 0,  # OffsetDelete
    48: 1,  # DescribeClientQuotas
    49: 1,  # AlterClientQuotas
    50: 0,  # DescribeUserScramCredentials
    51: 0,  # AlterUserScramCredentials
    57: 0,  # UpdateFeatures
    60: 0,  # DescribeCluster
    61: 0,  # DescribeProducers
    65: 0,  # DescribeTransactions
    66: 0,  # ListTransactions
}
SPOKEN = {key: Versions(0, high) for key, high in NEWEST.items()}
ABSENT = {
    "AddRaftVoterRequest",
    "AlterShareGroupOffsetsRequest",
    "ConsumerGroupDescribeRequest",
    "ConsumerGroupHeartbeatRequest",
    "DeleteShareGroupOffsetsRequest",
    "DescribeQuorumRequest",
    "DescribeShareGroupOffsetsRequest",
    "DescribeTopicPartitionsRequest",
    "GetTelemetrySubscriptionsRequest",
    "ListConfigResourcesRequest",
    "PushTelemetryRequest",
    "RemoveRaftVoterRequest",
    "ShareAcknowledgeRequest",
    "ShareFetchRequest",
    "ShareGroupDescribeRequest",
    "ShareGroupHeartbeatRequest",
    "StreamsGroupDescribeRequest",
    "UnregisterBrokerRequest",
}
"""Requests of this client that such a broker does not have."""
