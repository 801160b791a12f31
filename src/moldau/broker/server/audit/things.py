"""What a request that changes something names, as words for people: names, and never values.

A setting's value may be a password, so only its name is here; of a login's new password its user.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Any

from moldau.broker.security.access import Operation, Resource
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.cluster.alter_replica_log_dirs import AlterReplicaLogDirsRequest
from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.messages.config.alter_client_quotas import AlterClientQuotasRequest
from moldau.protocol.messages.config.alter_configs import AlterConfigsRequest
from moldau.protocol.messages.config.incremental_alter_configs import IncrementalAlterConfigsRequest
from moldau.protocol.messages.data.delete_records import DeleteRecordsRequest
from moldau.protocol.messages.security.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
)
from moldau.protocol.messages.security.create_acls import CreateAclsRequest
from moldau.protocol.messages.security.delete_acls import DeleteAclsRequest
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
)
from moldau.protocol.messages.topic.create_partitions import CreatePartitionsRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest

__all__ = ["CHANGES"]

Named = Callable[[Any], Iterable[str]]

DENY = 2
KINDS = {2: "topic", 4: "broker", 8: "logger", 16: "client-metrics", 32: "group"}
"""Of resources that have settings."""


def _topics(request: CreateTopicsRequest | CreatePartitionsRequest) -> Iterable[str]:
    return (f"topic {topic.name}" for topic in request.topics)


def _deleted_topics(request: DeleteTopicsRequest) -> Iterable[str]:
    asked = (topic.name or f"with id {topic.topic_id.hex()}" for topic in request.topics)
    return (f"topic {name}" for name in (*asked, *request.topic_names))


def _records(request: DeleteRecordsRequest) -> Iterable[str]:
    return (
        f"records of {topic.name}-{one.partition_index} before {one.offset}"
        for topic in request.topics
        for one in topic.partitions
    )


def _rule(rule: CreateAclsRequest.AclCreation) -> str:
    permission = "deny" if rule.permission_type == DENY else "allow"
    kind, operation = _name(Resource, rule.resource_type), _name(Operation, rule.operation)
    return (
        f"rule {permission} {rule.principal} {operation} on {kind} {rule.resource_name} "
        f"from {rule.host}"
    )


def _name(kind: type[IntEnum], number: int) -> str:
    return kind(number).name if number in list(kind) else str(number)


def _rules(request: CreateAclsRequest) -> Iterable[str]:
    return map(_rule, request.creations)


def _rule_filters(request: DeleteAclsRequest) -> Iterable[str]:
    return (
        f"rules of {one.principal_filter or 'all'} on "
        f"{_name(Resource, one.resource_type_filter)} {one.resource_name_filter or '*'}"
        for one in request.filters
    )


def _settings(request: AlterConfigsRequest | IncrementalAlterConfigsRequest) -> Iterable[str]:
    return (
        f"setting {config.name} of {KINDS.get(one.resource_type, one.resource_type)} "
        f"{one.resource_name}"
        for one in request.resources
        for config in one.configs
    )


def _logins(request: AlterUserScramCredentialsRequest) -> Iterable[str]:
    return (
        *(f"login of {one.name}" for one in request.upsertions),
        *(f"end of the login of {one.name}" for one in request.deletions),
    )


def _quotas(request: AlterClientQuotasRequest) -> Iterable[str]:
    return (
        f"quota {op.key} of "
        + ", ".join(f"{part.entity_type} {part.entity_name}" for part in entry.entity)
        for entry in request.entries
        for op in entry.ops
    )


def _reassignments(request: AlterPartitionReassignmentsRequest) -> Iterable[str]:
    return (
        f"replicas of {topic.name}-{one.partition_index}"
        for topic in request.topics
        for one in topic.partitions
    )


def _elections(request: ElectLeadersRequest) -> Iterable[str]:
    if request.topic_partitions is None:
        return ("leaders of all partitions",)
    return (
        f"leader of {one.topic}-{index}"
        for one in request.topic_partitions
        for index in one.partitions
    )


def _moved(request: AlterReplicaLogDirsRequest) -> Iterable[str]:
    return (
        f"log directory of {topic.name}-{index}"
        for one in request.dirs
        for topic in one.topics
        for index in topic.partitions
    )


CHANGES: dict[int, Named] = {
    ApiKey.CREATE_TOPICS: _topics,
    ApiKey.DELETE_TOPICS: _deleted_topics,
    ApiKey.CREATE_PARTITIONS: _topics,
    ApiKey.DELETE_RECORDS: _records,
    ApiKey.CREATE_ACLS: _rules,
    ApiKey.DELETE_ACLS: _rule_filters,
    ApiKey.ALTER_CONFIGS: _settings,
    ApiKey.INCREMENTAL_ALTER_CONFIGS: _settings,
    ApiKey.ALTER_USER_SCRAM_CREDENTIALS: _logins,
    ApiKey.ALTER_CLIENT_QUOTAS: _quotas,
    ApiKey.ALTER_PARTITION_REASSIGNMENTS: _reassignments,
    ApiKey.ALTER_REPLICA_LOG_DIRS: _moved,
    ApiKey.ELECT_LEADERS: _elections,
    ApiKey.DELETE_GROUPS: lambda request: (f"group {name}" for name in request.groups_names),
    ApiKey.OFFSET_DELETE: lambda request: (f"offsets of group {request.group_id}",),
    ApiKey.ALTER_SHARE_GROUP_OFFSETS: lambda request: (f"offsets of group {request.group_id}",),
    ApiKey.DELETE_SHARE_GROUP_OFFSETS: lambda request: (f"offsets of group {request.group_id}",),
    ApiKey.CREATE_DELEGATION_TOKEN: lambda request: ("a delegation token",),
    ApiKey.RENEW_DELEGATION_TOKEN: lambda request: ("life of a delegation token",),
    ApiKey.EXPIRE_DELEGATION_TOKEN: lambda request: ("end of a delegation token",),
    ApiKey.UPDATE_FEATURES: lambda request: (
        f"feature {one.feature} at {one.max_version_level}" for one in request.feature_updates
    ),
    ApiKey.UNREGISTER_BROKER: lambda request: (f"end of broker {request.broker_id}",),
    ApiKey.ADD_RAFT_VOTER: lambda request: (f"voter {request.voter_id}",),
    ApiKey.REMOVE_RAFT_VOTER: lambda request: (f"end of voter {request.voter_id}",),
}
"""By API: what changes the cluster, or what is kept in it for clients."""
