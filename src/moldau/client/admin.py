"""Administering a cluster: the clients, and the values that go into their calls and come out.

    from moldau.client.admin import Admin, NewTopic

    with Admin("localhost:9092") as admin:
        admin.create_topics([NewTopic("orders", partitions=3)]).all()
        admin.incremental_alter_configs({("topic", "orders"): {"retention.ms": "1000"}}).all()
        print(admin.describe_topics("orders")["orders"].partitions)

A call for several things (topics, partitions, groups, resources) returns `Outcomes`: for each a
value or an error, since some may fail where others succeed. `outcomes[key]` is the value or raises
the error, `outcomes.all()` raises the first error there is. A call for one thing returns its value
or raises. The names of the calls are those of Java's Admin.
"""

from typing import TYPE_CHECKING

from moldau.platform.lazy_names import lazy_names

if TYPE_CHECKING:
    from moldau.client.aio.admin.client import AsyncAdmin
    from moldau.client.core.admin.acls import AclFilter, AclRule
    from moldau.client.core.admin.choices import (
        AccessOperation,
        AlterOperation,
        ConfigSource,
        ConfigType,
        ElectionType,
        GroupType,
        Mechanism,
        PatternType,
        Permission,
        ResourceKind,
        ResourceType,
        UpgradeType,
    )
    from moldau.client.core.admin.cluster import ClusterNode, ClusterView
    from moldau.client.core.admin.configs import (
        ConfigChange,
        ConfigEntry,
        ConfigResource,
        ConfigSynonym,
    )
    from moldau.client.core.admin.features import FeaturesView, FeatureUpdate
    from moldau.client.core.admin.group_offsets import CommittedOffset
    from moldau.client.core.admin.group_views import GroupMember, GroupView
    from moldau.client.core.admin.groups import ListedGroup, MemberToRemove
    from moldau.client.core.admin.log_dirs import LogDir, Replica, ReplicaLogDirs, StoredReplica
    from moldau.client.core.admin.offsets import OffsetPlace, OffsetView
    from moldau.client.core.admin.outcomes import Outcomes
    from moldau.client.core.admin.partitions import Reassignment
    from moldau.client.core.admin.producers import ProducerState
    from moldau.client.core.admin.quorum import QuorumReplica, QuorumView, VoterEndpoint
    from moldau.client.core.admin.quotas import QuotaEntity, QuotaMatch, entity_of
    from moldau.client.core.admin.replica_batches import ReplicaBatches
    from moldau.client.core.admin.scram import ScramDeletion, ScramInfo, ScramUpsertion
    from moldau.client.core.admin.share_offsets import ShareOffset
    from moldau.client.core.admin.streams_views import (
        StreamsGroupView,
        StreamsMember,
        StreamsTasks,
        Subtopology,
        SubtopologyTopic,
        Task,
    )
    from moldau.client.core.admin.tokens import DelegationToken
    from moldau.client.core.admin.topic_views import (
        FirstTopics,
        ListedTopic,
        PartitionView,
        TopicView,
    )
    from moldau.client.core.admin.topics import CreatedTopic, NewPartitions, NewTopic
    from moldau.client.core.admin.transactions import (
        FencedProducer,
        ListedTransaction,
        TransactionView,
    )
    from moldau.client.core.offset_lookups import Isolation
    from moldau.client.settings.admin import AdminSettings
    from moldau.client.sync.admin.client import Admin
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "client.settings.admin": "AdminSettings",
            "client.aio.admin.client": "AsyncAdmin",
            "client.core.admin.acls": "AclFilter AclRule",
            "client.core.admin.choices": (
                "AccessOperation AlterOperation ConfigSource ConfigType ElectionType "
                "GroupType Mechanism PatternType Permission ResourceKind ResourceType "
                "UpgradeType"
            ),
            "client.core.admin.cluster": "ClusterNode ClusterView",
            "client.core.admin.configs": "ConfigChange ConfigEntry ConfigResource ConfigSynonym",
            "client.core.admin.features": "FeaturesView FeatureUpdate",
            "client.core.admin.group_offsets": "CommittedOffset",
            "client.core.admin.group_views": "GroupMember GroupView",
            "client.core.admin.groups": "ListedGroup MemberToRemove",
            "client.core.admin.log_dirs": "LogDir Replica ReplicaLogDirs StoredReplica",
            "client.core.admin.offsets": "OffsetPlace OffsetView",
            "client.core.admin.outcomes": "Outcomes",
            "client.core.admin.partitions": "Reassignment",
            "client.core.admin.producers": "ProducerState",
            "client.core.admin.quorum": "QuorumReplica QuorumView VoterEndpoint",
            "client.core.admin.quotas": "QuotaEntity QuotaMatch entity_of",
            "client.core.admin.replica_batches": "ReplicaBatches",
            "client.core.admin.scram": "ScramDeletion ScramInfo ScramUpsertion",
            "client.core.admin.share_offsets": "ShareOffset",
            "client.core.admin.streams_views": (
                "StreamsGroupView StreamsMember StreamsTasks Subtopology SubtopologyTopic Task"
            ),
            "client.core.admin.tokens": "DelegationToken",
            "client.core.admin.topic_views": "FirstTopics ListedTopic PartitionView TopicView",
            "client.core.admin.topics": "CreatedTopic NewPartitions NewTopic",
            "client.core.admin.transactions": "FencedProducer ListedTransaction TransactionView",
            "client.core.offset_lookups": "Isolation",
            "client.sync.admin.client": "Admin",
        },
    )

__all__ = [
    "AccessOperation",
    "AclFilter",
    "AclRule",
    "Admin",
    "AdminSettings",
    "AlterOperation",
    "AsyncAdmin",
    "ClusterNode",
    "ClusterView",
    "CommittedOffset",
    "ConfigChange",
    "ConfigEntry",
    "ConfigResource",
    "ConfigSource",
    "ConfigSynonym",
    "ConfigType",
    "CreatedTopic",
    "DelegationToken",
    "ElectionType",
    "FeatureUpdate",
    "FeaturesView",
    "FencedProducer",
    "FirstTopics",
    "GroupMember",
    "GroupType",
    "GroupView",
    "Isolation",
    "ListedGroup",
    "ListedTopic",
    "ListedTransaction",
    "LogDir",
    "Mechanism",
    "MemberToRemove",
    "NewPartitions",
    "NewTopic",
    "OffsetPlace",
    "OffsetView",
    "Outcomes",
    "PartitionView",
    "PatternType",
    "Permission",
    "ProducerState",
    "QuorumReplica",
    "QuorumView",
    "QuotaEntity",
    "QuotaMatch",
    "Reassignment",
    "Replica",
    "ReplicaBatches",
    "ReplicaLogDirs",
    "ResourceKind",
    "ResourceType",
    "ScramDeletion",
    "ScramInfo",
    "ScramUpsertion",
    "ShareOffset",
    "StoredReplica",
    "StreamsGroupView",
    "StreamsMember",
    "StreamsTasks",
    "Subtopology",
    "SubtopologyTopic",
    "Task",
    "TopicView",
    "TransactionView",
    "UpgradeType",
    "VoterEndpoint",
    "entity_of",
]
