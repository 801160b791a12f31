"""Which APIs this node answers, on which kind of listener, and where.

One line for each: the name as in `messages.index`, and the module of its handler under
`server.handlers`, which is at the same path as the messages unless the line says otherwise. A
handler's module holds `handle(call, broker)` and is imported by the first request for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from moldau.messages.index import BY_KEY
from moldau.wire.schema import Message

__all__ = [
    "BROKER",
    "CONTROLLER",
    "SERVED_UNSTABLE",
    "Handler",
    "apis_of",
    "handler_of",
    "versions_of",
]

Handler = Callable[..., Any]
"""`handle(call, broker)` as in `server.call`."""

SAME = ""
"""The handler is where the messages are."""

BROKER: dict[int, str] = {
    0: SAME,  # Produce
    1: SAME,  # Fetch
    2: SAME,  # ListOffsets
    3: SAME,  # Metadata
    8: SAME,  # OffsetCommit
    9: SAME,  # OffsetFetch
    10: SAME,  # FindCoordinator
    11: SAME,  # JoinGroup
    12: SAME,  # Heartbeat
    13: SAME,  # LeaveGroup
    14: SAME,  # SyncGroup
    15: SAME,  # DescribeGroups
    16: SAME,  # ListGroups
    17: SAME,  # SaslHandshake
    18: SAME,  # ApiVersions
    19: SAME,  # CreateTopics
    20: SAME,  # DeleteTopics
    21: SAME,  # DeleteRecords
    22: SAME,  # InitProducerId
    23: SAME,  # OffsetForLeaderEpoch
    24: SAME,  # AddPartitionsToTxn
    25: SAME,  # AddOffsetsToTxn
    26: SAME,  # EndTxn
    27: SAME,  # WriteTxnMarkers
    28: SAME,  # TxnOffsetCommit
    29: SAME,  # DescribeAcls
    30: SAME,  # CreateAcls
    31: SAME,  # DeleteAcls
    32: SAME,  # DescribeConfigs
    33: SAME,  # AlterConfigs
    34: SAME,  # AlterReplicaLogDirs
    35: SAME,  # DescribeLogDirs
    36: SAME,  # SaslAuthenticate
    37: SAME,  # CreatePartitions
    38: SAME,  # CreateDelegationToken
    39: SAME,  # RenewDelegationToken
    40: SAME,  # ExpireDelegationToken
    41: SAME,  # DescribeDelegationToken
    42: SAME,  # DeleteGroups
    43: SAME,  # ElectLeaders
    44: SAME,  # IncrementalAlterConfigs
    45: SAME,  # AlterPartitionReassignments
    46: SAME,  # ListPartitionReassignments
    47: SAME,  # OffsetDelete
    48: SAME,  # DescribeClientQuotas
    49: SAME,  # AlterClientQuotas
    50: SAME,  # DescribeUserScramCredentials
    51: SAME,  # AlterUserScramCredentials
    55: SAME,  # DescribeQuorum
    57: SAME,  # UpdateFeatures
    60: SAME,  # DescribeCluster
    61: SAME,  # DescribeProducers
    64: SAME,  # UnregisterBroker
    65: SAME,  # DescribeTransactions
    66: SAME,  # ListTransactions
    68: SAME,  # ConsumerGroupHeartbeat
    69: SAME,  # ConsumerGroupDescribe
    71: SAME,  # GetTelemetrySubscriptions
    72: SAME,  # PushTelemetry
    74: SAME,  # ListConfigResources
    75: SAME,  # DescribeTopicPartitions
    76: SAME,  # ShareGroupHeartbeat
    77: SAME,  # ShareGroupDescribe
    78: SAME,  # ShareFetch
    79: SAME,  # ShareAcknowledge
    80: SAME,  # AddRaftVoter
    81: SAME,  # RemoveRaftVoter
    83: SAME,  # InitializeShareGroupState
    84: SAME,  # ReadShareGroupState
    85: SAME,  # WriteShareGroupState
    86: SAME,  # DeleteShareGroupState
    87: SAME,  # ReadShareGroupStateSummary
    88: SAME,  # StreamsGroupHeartbeat
    89: SAME,  # StreamsGroupDescribe
    90: SAME,  # DescribeShareGroupOffsets
    91: SAME,  # AlterShareGroupOffsets
    92: SAME,  # DeleteShareGroupOffsets
}
"""On listeners for clients and brokers."""

CONTROLLER: dict[int, str] = {
    1: "quorum.fetch",  # Fetch
    17: SAME,  # SaslHandshake
    18: SAME,  # ApiVersions
    19: SAME,  # CreateTopics
    20: SAME,  # DeleteTopics
    29: SAME,  # DescribeAcls
    30: SAME,  # CreateAcls
    31: SAME,  # DeleteAcls
    32: SAME,  # DescribeConfigs
    33: SAME,  # AlterConfigs
    36: SAME,  # SaslAuthenticate
    37: SAME,  # CreatePartitions
    38: SAME,  # CreateDelegationToken
    39: SAME,  # RenewDelegationToken
    40: SAME,  # ExpireDelegationToken
    41: SAME,  # DescribeDelegationToken
    43: SAME,  # ElectLeaders
    44: SAME,  # IncrementalAlterConfigs
    45: SAME,  # AlterPartitionReassignments
    46: SAME,  # ListPartitionReassignments
    49: SAME,  # AlterClientQuotas
    50: SAME,  # DescribeUserScramCredentials
    51: SAME,  # AlterUserScramCredentials
    52: SAME,  # Vote
    53: SAME,  # BeginQuorumEpoch
    54: SAME,  # EndQuorumEpoch
    55: SAME,  # DescribeQuorum
    56: SAME,  # AlterPartition
    57: SAME,  # UpdateFeatures
    58: SAME,  # Envelope
    59: SAME,  # FetchSnapshot
    60: SAME,  # DescribeCluster
    62: SAME,  # BrokerRegistration
    63: SAME,  # BrokerHeartbeat
    64: SAME,  # UnregisterBroker
    67: SAME,  # AllocateProducerIds
    70: SAME,  # ControllerRegistration
    73: SAME,  # AssignReplicasToDirs
    80: SAME,  # AddRaftVoter
    81: SAME,  # RemoveRaftVoter
    82: SAME,  # UpdateRaftVoter
}
"""On listeners of controllers."""

SERVED_UNSTABLE = frozenset({22})
"""APIs whose versions we serve even where Apache Kafka calls them unstable: InitProducerId 6."""


def apis_of(is_controller: bool) -> dict[int, str]:
    """The table for this kind of listener."""
    return CONTROLLER if is_controller else BROKER


@cache
def handler_of(api_key: int, module: str) -> Handler:
    """The function that answers this API."""
    path = module or BY_KEY[api_key].module
    handle: Handler = import_module(f"moldau.server.handlers.{path}").handle
    return handle


@cache
def versions_of(api_key: int) -> range:
    """The versions served, the lowest first."""
    request: type[Message] = BY_KEY[api_key].request
    served = request.VERSIONS.each()
    unstable = request.UNSTABLE
    if api_key in SERVED_UNSTABLE or unstable.low > unstable.high:
        return served
    return range(served.start, unstable.low)
