"""The table of all messages: where each one is declared.

Nothing is imported before it is asked for: a starting node needs a few of these, not all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple

from moldau.protocol.wire.schema import Message


class Api(NamedTuple):
    """One API: its key, its name, and the module that declares request and response."""

    key: int
    name: str
    module: str

    @property
    def request(self) -> type[Message]:
        return load(self.module, f"{self.name}Request")

    @property
    def response(self) -> type[Message]:
        return load(self.module, f"{self.name}Response")


APIS = (
    Api(0, "Produce", "data.produce"),
    Api(1, "Fetch", "data.fetch"),
    Api(2, "ListOffsets", "data.list_offsets"),
    Api(3, "Metadata", "topic.metadata"),
    Api(4, "LeaderAndIsr", "cluster.removed"),
    Api(5, "StopReplica", "cluster.removed"),
    Api(6, "UpdateMetadata", "cluster.removed"),
    Api(7, "ControlledShutdown", "cluster.removed"),
    Api(8, "OffsetCommit", "group.offset_commit"),
    Api(9, "OffsetFetch", "group.offset_fetch"),
    Api(10, "FindCoordinator", "group.find_coordinator"),
    Api(11, "JoinGroup", "group.join_group"),
    Api(12, "Heartbeat", "group.heartbeat"),
    Api(13, "LeaveGroup", "group.leave_group"),
    Api(14, "SyncGroup", "group.sync_group"),
    Api(15, "DescribeGroups", "group.describe_groups"),
    Api(16, "ListGroups", "group.list_groups"),
    Api(17, "SaslHandshake", "security.sasl_handshake"),
    Api(18, "ApiVersions", "cluster.api_versions"),
    Api(19, "CreateTopics", "topic.create_topics"),
    Api(20, "DeleteTopics", "topic.delete_topics"),
    Api(21, "DeleteRecords", "data.delete_records"),
    Api(22, "InitProducerId", "transaction.init_producer_id"),
    Api(23, "OffsetForLeaderEpoch", "data.offset_for_leader_epoch"),
    Api(24, "AddPartitionsToTxn", "transaction.add_partitions_to_txn"),
    Api(25, "AddOffsetsToTxn", "transaction.add_offsets_to_txn"),
    Api(26, "EndTxn", "transaction.end_txn"),
    Api(27, "WriteTxnMarkers", "transaction.write_txn_markers"),
    Api(28, "TxnOffsetCommit", "transaction.txn_offset_commit"),
    Api(29, "DescribeAcls", "security.describe_acls"),
    Api(30, "CreateAcls", "security.create_acls"),
    Api(31, "DeleteAcls", "security.delete_acls"),
    Api(32, "DescribeConfigs", "config.describe_configs"),
    Api(33, "AlterConfigs", "config.alter_configs"),
    Api(34, "AlterReplicaLogDirs", "cluster.alter_replica_log_dirs"),
    Api(35, "DescribeLogDirs", "cluster.describe_log_dirs"),
    Api(36, "SaslAuthenticate", "security.sasl_authenticate"),
    Api(37, "CreatePartitions", "topic.create_partitions"),
    Api(38, "CreateDelegationToken", "security.create_delegation_token"),
    Api(39, "RenewDelegationToken", "security.renew_delegation_token"),
    Api(40, "ExpireDelegationToken", "security.expire_delegation_token"),
    Api(41, "DescribeDelegationToken", "security.describe_delegation_token"),
    Api(42, "DeleteGroups", "group.delete_groups"),
    Api(43, "ElectLeaders", "cluster.elect_leaders"),
    Api(44, "IncrementalAlterConfigs", "config.incremental_alter_configs"),
    Api(45, "AlterPartitionReassignments", "topic.alter_partition_reassignments"),
    Api(46, "ListPartitionReassignments", "topic.list_partition_reassignments"),
    Api(47, "OffsetDelete", "group.offset_delete"),
    Api(48, "DescribeClientQuotas", "config.describe_client_quotas"),
    Api(49, "AlterClientQuotas", "config.alter_client_quotas"),
    Api(50, "DescribeUserScramCredentials", "security.describe_user_scram_credentials"),
    Api(51, "AlterUserScramCredentials", "security.alter_user_scram_credentials"),
    Api(52, "Vote", "quorum.vote"),
    Api(53, "BeginQuorumEpoch", "quorum.begin_quorum_epoch"),
    Api(54, "EndQuorumEpoch", "quorum.end_quorum_epoch"),
    Api(55, "DescribeQuorum", "quorum.describe_quorum"),
    Api(56, "AlterPartition", "broker.alter_partition"),
    Api(57, "UpdateFeatures", "cluster.update_features"),
    Api(58, "Envelope", "broker.envelope"),
    Api(59, "FetchSnapshot", "quorum.fetch_snapshot"),
    Api(60, "DescribeCluster", "cluster.describe_cluster"),
    Api(61, "DescribeProducers", "transaction.describe_producers"),
    Api(62, "BrokerRegistration", "broker.broker_registration"),
    Api(63, "BrokerHeartbeat", "broker.broker_heartbeat"),
    Api(64, "UnregisterBroker", "cluster.unregister_broker"),
    Api(65, "DescribeTransactions", "transaction.describe_transactions"),
    Api(66, "ListTransactions", "transaction.list_transactions"),
    Api(67, "AllocateProducerIds", "broker.allocate_producer_ids"),
    Api(68, "ConsumerGroupHeartbeat", "group.consumer_group_heartbeat"),
    Api(69, "ConsumerGroupDescribe", "group.consumer_group_describe"),
    Api(70, "ControllerRegistration", "broker.controller_registration"),
    Api(71, "GetTelemetrySubscriptions", "config.get_telemetry_subscriptions"),
    Api(72, "PushTelemetry", "config.push_telemetry"),
    Api(73, "AssignReplicasToDirs", "broker.assign_replicas_to_dirs"),
    Api(74, "ListConfigResources", "config.list_config_resources"),
    Api(75, "DescribeTopicPartitions", "topic.describe_topic_partitions"),
    Api(76, "ShareGroupHeartbeat", "share.share_group_heartbeat"),
    Api(77, "ShareGroupDescribe", "share.share_group_describe"),
    Api(78, "ShareFetch", "share.share_fetch"),
    Api(79, "ShareAcknowledge", "share.share_acknowledge"),
    Api(80, "AddRaftVoter", "quorum.add_raft_voter"),
    Api(81, "RemoveRaftVoter", "quorum.remove_raft_voter"),
    Api(82, "UpdateRaftVoter", "quorum.update_raft_voter"),
    Api(83, "InitializeShareGroupState", "share.initialize_share_group_state"),
    Api(84, "ReadShareGroupState", "share.read_share_group_state"),
    Api(85, "WriteShareGroupState", "share.write_share_group_state"),
    Api(86, "DeleteShareGroupState", "share.delete_share_group_state"),
    Api(87, "ReadShareGroupStateSummary", "share.read_share_group_state_summary"),
    Api(88, "StreamsGroupHeartbeat", "streams.streams_group_heartbeat"),
    Api(89, "StreamsGroupDescribe", "streams.streams_group_describe"),
    Api(90, "DescribeShareGroupOffsets", "share.describe_share_group_offsets"),
    Api(91, "AlterShareGroupOffsets", "share.alter_share_group_offsets"),
    Api(92, "DeleteShareGroupOffsets", "share.delete_share_group_offsets"),
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
