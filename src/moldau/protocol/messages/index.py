"""The table of all messages: where each one is declared.

Nothing is imported before it is asked for: a starting node needs a few of these, not all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple

from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.versions import Versions


class Api(NamedTuple):
    """One API: its key, its name, and the module that declares request and response.

    What follows repeats the request's class, for those who ask about many: to make them all takes a
    hundred million instructions. A test compares it with the classes.
    """

    key: int
    name: str
    module: str
    spoken: str
    """Its versions, in Kafka's notation."""
    unstable: str = "none"
    """Those of them that may still change."""
    on_brokers: bool = True
    """Whether brokers answer it, and not controllers alone."""

    @property
    def versions(self) -> Versions:
        return Versions.parse(self.spoken)

    @property
    def request(self) -> type[Message]:
        return load(self.module, f"{self.name}Request")

    @property
    def response(self) -> type[Message]:
        return load(self.module, f"{self.name}Response")


APIS = (
    Api(0, "Produce", "data.produce", "3-13"),
    Api(1, "Fetch", "data.fetch", "4-18"),
    Api(2, "ListOffsets", "data.list_offsets", "1-11"),
    Api(3, "Metadata", "topic.metadata", "0-13"),
    Api(4, "LeaderAndIsr", "cluster.removed", "none", on_brokers=False),
    Api(5, "StopReplica", "cluster.removed", "none", on_brokers=False),
    Api(6, "UpdateMetadata", "cluster.removed", "none", on_brokers=False),
    Api(7, "ControlledShutdown", "cluster.removed", "none", on_brokers=False),
    Api(8, "OffsetCommit", "group.offset_commit", "2-10"),
    Api(9, "OffsetFetch", "group.offset_fetch", "1-10"),
    Api(10, "FindCoordinator", "group.find_coordinator", "0-6"),
    Api(11, "JoinGroup", "group.join_group", "0-9"),
    Api(12, "Heartbeat", "group.heartbeat", "0-4"),
    Api(13, "LeaveGroup", "group.leave_group", "0-5"),
    Api(14, "SyncGroup", "group.sync_group", "0-5"),
    Api(15, "DescribeGroups", "group.describe_groups", "0-6"),
    Api(16, "ListGroups", "group.list_groups", "0-5"),
    Api(17, "SaslHandshake", "security.sasl_handshake", "0-1"),
    Api(18, "ApiVersions", "cluster.api_versions", "0-4"),
    Api(19, "CreateTopics", "topic.create_topics", "2-7"),
    Api(20, "DeleteTopics", "topic.delete_topics", "1-6"),
    Api(21, "DeleteRecords", "data.delete_records", "0-2"),
    Api(22, "InitProducerId", "transaction.init_producer_id", "0-6", unstable="6"),
    Api(23, "OffsetForLeaderEpoch", "data.offset_for_leader_epoch", "2-4"),
    Api(24, "AddPartitionsToTxn", "transaction.add_partitions_to_txn", "0-5"),
    Api(25, "AddOffsetsToTxn", "transaction.add_offsets_to_txn", "0-4"),
    Api(26, "EndTxn", "transaction.end_txn", "0-5"),
    Api(27, "WriteTxnMarkers", "transaction.write_txn_markers", "1-2"),
    Api(28, "TxnOffsetCommit", "transaction.txn_offset_commit", "0-5"),
    Api(29, "DescribeAcls", "security.describe_acls", "1-3"),
    Api(30, "CreateAcls", "security.create_acls", "1-3"),
    Api(31, "DeleteAcls", "security.delete_acls", "1-3"),
    Api(32, "DescribeConfigs", "config.describe_configs", "1-4"),
    Api(33, "AlterConfigs", "config.alter_configs", "0-2"),
    Api(34, "AlterReplicaLogDirs", "cluster.alter_replica_log_dirs", "1-2"),
    Api(35, "DescribeLogDirs", "cluster.describe_log_dirs", "1-5"),
    Api(36, "SaslAuthenticate", "security.sasl_authenticate", "0-2"),
    Api(37, "CreatePartitions", "topic.create_partitions", "0-3"),
    Api(38, "CreateDelegationToken", "security.create_delegation_token", "1-3"),
    Api(39, "RenewDelegationToken", "security.renew_delegation_token", "1-2"),
    Api(40, "ExpireDelegationToken", "security.expire_delegation_token", "1-2"),
    Api(41, "DescribeDelegationToken", "security.describe_delegation_token", "1-3"),
    Api(42, "DeleteGroups", "group.delete_groups", "0-2"),
    Api(43, "ElectLeaders", "cluster.elect_leaders", "0-2"),
    Api(44, "IncrementalAlterConfigs", "config.incremental_alter_configs", "0-1"),
    Api(45, "AlterPartitionReassignments", "topic.alter_partition_reassignments", "0-1"),
    Api(46, "ListPartitionReassignments", "topic.list_partition_reassignments", "0"),
    Api(47, "OffsetDelete", "group.offset_delete", "0"),
    Api(48, "DescribeClientQuotas", "config.describe_client_quotas", "0-1"),
    Api(49, "AlterClientQuotas", "config.alter_client_quotas", "0-1"),
    Api(50, "DescribeUserScramCredentials", "security.describe_user_scram_credentials", "0"),
    Api(51, "AlterUserScramCredentials", "security.alter_user_scram_credentials", "0"),
    Api(52, "Vote", "quorum.vote", "0-2", on_brokers=False),
    Api(53, "BeginQuorumEpoch", "quorum.begin_quorum_epoch", "0-1", on_brokers=False),
    Api(54, "EndQuorumEpoch", "quorum.end_quorum_epoch", "0-1", on_brokers=False),
    Api(55, "DescribeQuorum", "quorum.describe_quorum", "0-2"),
    Api(56, "AlterPartition", "broker.alter_partition", "2-3", on_brokers=False),
    Api(57, "UpdateFeatures", "cluster.update_features", "0-2"),
    Api(58, "Envelope", "broker.envelope", "0", on_brokers=False),
    Api(59, "FetchSnapshot", "quorum.fetch_snapshot", "0-1", on_brokers=False),
    Api(60, "DescribeCluster", "cluster.describe_cluster", "0-2"),
    Api(61, "DescribeProducers", "transaction.describe_producers", "0"),
    Api(62, "BrokerRegistration", "broker.broker_registration", "0-4", on_brokers=False),
    Api(63, "BrokerHeartbeat", "broker.broker_heartbeat", "0-2", on_brokers=False),
    Api(64, "UnregisterBroker", "cluster.unregister_broker", "0"),
    Api(65, "DescribeTransactions", "transaction.describe_transactions", "0"),
    Api(66, "ListTransactions", "transaction.list_transactions", "0-2"),
    Api(67, "AllocateProducerIds", "broker.allocate_producer_ids", "0", on_brokers=False),
    Api(68, "ConsumerGroupHeartbeat", "group.consumer_group_heartbeat", "0-1"),
    Api(69, "ConsumerGroupDescribe", "group.consumer_group_describe", "0-1"),
    Api(70, "ControllerRegistration", "broker.controller_registration", "0", on_brokers=False),
    Api(71, "GetTelemetrySubscriptions", "config.get_telemetry_subscriptions", "0"),
    Api(72, "PushTelemetry", "config.push_telemetry", "0"),
    Api(73, "AssignReplicasToDirs", "broker.assign_replicas_to_dirs", "0", on_brokers=False),
    Api(74, "ListConfigResources", "config.list_config_resources", "0-1"),
    Api(75, "DescribeTopicPartitions", "topic.describe_topic_partitions", "0"),
    Api(76, "ShareGroupHeartbeat", "share.share_group_heartbeat", "1"),
    Api(77, "ShareGroupDescribe", "share.share_group_describe", "1"),
    Api(78, "ShareFetch", "share.share_fetch", "1-2"),
    Api(79, "ShareAcknowledge", "share.share_acknowledge", "1-2"),
    Api(80, "AddRaftVoter", "quorum.add_raft_voter", "0-1"),
    Api(81, "RemoveRaftVoter", "quorum.remove_raft_voter", "0"),
    Api(82, "UpdateRaftVoter", "quorum.update_raft_voter", "0", on_brokers=False),
    Api(83, "InitializeShareGroupState", "share.initialize_share_group_state", "0"),
    Api(84, "ReadShareGroupState", "share.read_share_group_state", "0"),
    Api(85, "WriteShareGroupState", "share.write_share_group_state", "0-1"),
    Api(86, "DeleteShareGroupState", "share.delete_share_group_state", "0"),
    Api(87, "ReadShareGroupStateSummary", "share.read_share_group_state_summary", "0-1"),
    Api(88, "StreamsGroupHeartbeat", "streams.streams_group_heartbeat", "0"),
    Api(89, "StreamsGroupDescribe", "streams.streams_group_describe", "0"),
    Api(90, "DescribeShareGroupOffsets", "share.describe_share_group_offsets", "0-1"),
    Api(91, "AlterShareGroupOffsets", "share.alter_share_group_offsets", "0"),
    Api(92, "DeleteShareGroupOffsets", "share.delete_share_group_offsets", "0"),
)
"""Every API key that Kafka 4.3 knows, the four removed ones included."""

OTHERS = {
    "headers": ("RequestHeader", "ResponseHeader"),
    "stored.metadata_topics": (
        "TopicRecord",
        "PartitionRecord",
        "PartitionChangeRecord",
        "RemoveTopicRecord",
        "ClearElrRecord",
    ),
    "stored.metadata_brokers": (
        "RegisterBrokerRecord",
        "BrokerRegistrationChangeRecord",
        "FenceBrokerRecord",
        "UnfenceBrokerRecord",
        "UnregisterBrokerRecord",
        "RegisterControllerRecord",
    ),
    "stored.metadata_cluster": (
        "ConfigRecord",
        "ClientQuotaRecord",
        "FeatureLevelRecord",
        "ProducerIdsRecord",
        "NoOpRecord",
        "ZkMigrationStateRecord",
    ),
    "stored.metadata_security": (
        "AccessControlEntryRecord",
        "RemoveAccessControlEntryRecord",
        "UserScramCredentialRecord",
        "RemoveUserScramCredentialRecord",
        "DelegationTokenRecord",
        "RemoveDelegationTokenRecord",
    ),
    "stored.metadata_transactions": (
        "BeginTransactionRecord",
        "EndTransactionRecord",
        "AbortTransactionRecord",
    ),
    "stored.offsets": (
        "OffsetCommitKey",
        "OffsetCommitValue",
        "LegacyOffsetCommitKey",
        "LegacyOffsetCommitValue",
    ),
    "stored.classic_group": ("GroupMetadataKey", "GroupMetadataValue"),
    "stored.consumer_group": (
        "ConsumerGroupMetadataKey",
        "ConsumerGroupMetadataValue",
        "ConsumerGroupPartitionMetadataKey",
        "ConsumerGroupPartitionMetadataValue",
        "ConsumerGroupMemberMetadataKey",
        "ConsumerGroupMemberMetadataValue",
        "ConsumerGroupTargetAssignmentMetadataKey",
        "ConsumerGroupTargetAssignmentMetadataValue",
        "ConsumerGroupTargetAssignmentMemberKey",
        "ConsumerGroupTargetAssignmentMemberValue",
        "ConsumerGroupCurrentMemberAssignmentKey",
        "ConsumerGroupCurrentMemberAssignmentValue",
        "ConsumerGroupRegularExpressionKey",
        "ConsumerGroupRegularExpressionValue",
    ),
    "stored.share_group": (
        "ShareGroupMemberMetadataKey",
        "ShareGroupMemberMetadataValue",
        "ShareGroupMetadataKey",
        "ShareGroupMetadataValue",
        "ShareGroupTargetAssignmentMetadataKey",
        "ShareGroupTargetAssignmentMetadataValue",
        "ShareGroupTargetAssignmentMemberKey",
        "ShareGroupTargetAssignmentMemberValue",
        "ShareGroupCurrentMemberAssignmentKey",
        "ShareGroupCurrentMemberAssignmentValue",
        "ShareGroupStatePartitionMetadataKey",
        "ShareGroupStatePartitionMetadataValue",
    ),
    "stored.streams_group": (
        "StreamsGroupMetadataKey",
        "StreamsGroupMetadataValue",
        "StreamsGroupMemberMetadataKey",
        "StreamsGroupMemberMetadataValue",
        "StreamsGroupTargetAssignmentMetadataKey",
        "StreamsGroupTargetAssignmentMetadataValue",
        "StreamsGroupTargetAssignmentMemberKey",
        "StreamsGroupTargetAssignmentMemberValue",
        "StreamsGroupCurrentMemberAssignmentKey",
        "StreamsGroupCurrentMemberAssignmentValue",
        "StreamsGroupTopologyKey",
        "StreamsGroupTopologyValue",
    ),
    "stored.transaction_log": ("TransactionLogKey", "TransactionLogValue"),
    "stored.share_state": (
        "ShareSnapshotKey",
        "ShareSnapshotValue",
        "ShareUpdateKey",
        "ShareUpdateValue",
    ),
    "stored.remote_log": (
        "RemoteLogSegmentMetadataRecord",
        "RemoteLogSegmentMetadataUpdateRecord",
        "RemotePartitionDeleteMetadataRecord",
        "RemoteLogSegmentMetadataSnapshotRecord",
    ),
    "stored.control": (
        "ControlRecordTypeSchema",
        "EndTxnMarker",
        "LeaderChangeMessage",
        "SnapshotHeaderRecord",
        "SnapshotFooterRecord",
        "KRaftVersionRecord",
        "VotersRecord",
    ),
    "stored.quorum_state": ("QuorumStateData",),
    "stored.producer_snapshot": ("ProducerSnapshot",),
    "stored.consumer_protocol": ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment"),
    "stored.principal": ("DefaultPrincipalData",),
}
"""Headers, stored records and other data, by module."""

BY_KEY = {api.key: api for api in APIS}


@cache
def load(module: str, name: str) -> type[Message]:
    """The class of a message."""
    message: type[Message] = getattr(import_module(f"moldau.protocol.messages.{module}"), name)
    return message


def all_messages() -> Iterator[type[Message]]:
    """Every message there is; importing them all takes a moment."""
    for api in APIS:
        yield api.request
        yield api.response
    for module, names in OTHERS.items():
        for name in names:
            yield load(module, name)


@cache
def message_named(name: str) -> type[Message]:
    """The message with this name, or `KeyError`."""
    for api in APIS:
        if name in (f"{api.name}Request", f"{api.name}Response"):
            return load(api.module, name)
    for module, names in OTHERS.items():
        if name in names:
            return load(module, name)
    raise KeyError(name)
