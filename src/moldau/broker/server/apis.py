"""Which APIs this node answers, on which kind of listener, and where.

One line for each API: the module of its handler, below this package. It holds
`handle(call, broker)` and is imported by the first request for it. What is only passed on to those
who decide has a line in `forwarded` instead.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.versions import Versions

if TYPE_CHECKING:
    from moldau.broker.server.broker import Broker

__all__ = [
    "BROKER",
    "CONTROLLER",
    "FORWARDED",
    "Handler",
    "apis_of",
    "handler_of",
    "is_served",
    "serves_unstable",
    "versions_of",
]

Handler = Callable[..., Any]
"""`handle(call, broker)` as in `server.call`."""

FORWARDED = "forwarded"

BROKER: dict[int, str] = {
    ApiKey.PRODUCE: "produce.handler",
    ApiKey.FETCH: "fetch.handler",
    ApiKey.LIST_OFFSETS: "partition.list_offsets",
    ApiKey.METADATA: "topic.metadata",
    ApiKey.OFFSET_COMMIT: "group.offset_commit",
    ApiKey.OFFSET_FETCH: "group.offset_fetch",
    ApiKey.FIND_COORDINATOR: "group.find_coordinator",
    ApiKey.JOIN_GROUP: "group.join_group",
    ApiKey.HEARTBEAT: "group.heartbeat",
    ApiKey.LEAVE_GROUP: "group.leave_group",
    ApiKey.SYNC_GROUP: "group.sync_group",
    ApiKey.DESCRIBE_GROUPS: "group.describe_groups",
    ApiKey.LIST_GROUPS: "group.list_groups",
    ApiKey.SASL_HANDSHAKE: "security.sasl_handshake",
    ApiKey.API_VERSIONS: "cluster.api_versions",
    ApiKey.CREATE_TOPICS: "topic.create_topics",
    ApiKey.DELETE_TOPICS: "topic.delete_topics",
    ApiKey.DELETE_RECORDS: "partition.delete_records",
    ApiKey.INIT_PRODUCER_ID: "transaction.init_producer_id",
    ApiKey.OFFSET_FOR_LEADER_EPOCH: "partition.offset_for_leader_epoch",
    ApiKey.ADD_PARTITIONS_TO_TXN: "transaction.add_partitions_to_txn",
    ApiKey.ADD_OFFSETS_TO_TXN: "transaction.add_offsets_to_txn",
    ApiKey.END_TXN: "transaction.end_txn",
    ApiKey.WRITE_TXN_MARKERS: "transaction.write_txn_markers",
    ApiKey.TXN_OFFSET_COMMIT: "transaction.txn_offset_commit",
    ApiKey.DESCRIBE_ACLS: "security.describe_acls",
    ApiKey.CREATE_ACLS: "security.create_acls",
    ApiKey.DELETE_ACLS: "security.delete_acls",
    ApiKey.DESCRIBE_CONFIGS: "config.describe_configs",
    ApiKey.ALTER_CONFIGS: "config.alter_configs",
    ApiKey.ALTER_REPLICA_LOG_DIRS: "cluster.alter_replica_log_dirs",
    ApiKey.DESCRIBE_LOG_DIRS: "cluster.describe_log_dirs",
    ApiKey.SASL_AUTHENTICATE: "security.sasl_authenticate",
    ApiKey.CREATE_PARTITIONS: "topic.create_partitions",
    ApiKey.CREATE_DELEGATION_TOKEN: "security.create_delegation_token",
    ApiKey.RENEW_DELEGATION_TOKEN: "security.renew_delegation_token",
    ApiKey.EXPIRE_DELEGATION_TOKEN: "security.expire_delegation_token",
    ApiKey.DESCRIBE_DELEGATION_TOKEN: "security.describe_delegation_token",
    ApiKey.DELETE_GROUPS: "group.delete_groups",
    ApiKey.ELECT_LEADERS: FORWARDED,
    ApiKey.INCREMENTAL_ALTER_CONFIGS: "config.incremental_alter_configs",
    ApiKey.ALTER_PARTITION_REASSIGNMENTS: FORWARDED,
    ApiKey.LIST_PARTITION_REASSIGNMENTS: FORWARDED,
    ApiKey.OFFSET_DELETE: "group.offset_delete",
    ApiKey.DESCRIBE_CLIENT_QUOTAS: "quota.describe_client_quotas",
    ApiKey.ALTER_CLIENT_QUOTAS: FORWARDED,
    ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS: "security.describe_user_scram_credentials",
    ApiKey.ALTER_USER_SCRAM_CREDENTIALS: "security.alter_user_scram_credentials",
    ApiKey.DESCRIBE_QUORUM: FORWARDED,
    ApiKey.UPDATE_FEATURES: FORWARDED,
    ApiKey.DESCRIBE_CLUSTER: "cluster.describe_cluster",
    ApiKey.DESCRIBE_PRODUCERS: "transaction.describe_producers",
    ApiKey.UNREGISTER_BROKER: FORWARDED,
    ApiKey.DESCRIBE_TRANSACTIONS: "transaction.describe_transactions",
    ApiKey.LIST_TRANSACTIONS: "transaction.list_transactions",
    ApiKey.CONSUMER_GROUP_HEARTBEAT: "group.consumer_group_heartbeat",
    ApiKey.CONSUMER_GROUP_DESCRIBE: "group.consumer_group_describe",
    ApiKey.GET_TELEMETRY_SUBSCRIPTIONS: "telemetry.get_telemetry_subscriptions",
    ApiKey.PUSH_TELEMETRY: "telemetry.push_telemetry",
    ApiKey.LIST_CONFIG_RESOURCES: "config.list_config_resources",
    ApiKey.DESCRIBE_TOPIC_PARTITIONS: "topic.describe_topic_partitions",
    ApiKey.SHARE_GROUP_HEARTBEAT: "share.share_group_heartbeat",
    ApiKey.SHARE_GROUP_DESCRIBE: "share.share_group_describe",
    ApiKey.SHARE_FETCH: "share.share_fetch",
    ApiKey.SHARE_ACKNOWLEDGE: "share.share_acknowledge",
    ApiKey.ADD_RAFT_VOTER: FORWARDED,
    ApiKey.REMOVE_RAFT_VOTER: FORWARDED,
    ApiKey.INITIALIZE_SHARE_GROUP_STATE: FORWARDED,
    ApiKey.READ_SHARE_GROUP_STATE: FORWARDED,
    ApiKey.WRITE_SHARE_GROUP_STATE: FORWARDED,
    ApiKey.DELETE_SHARE_GROUP_STATE: FORWARDED,
    ApiKey.READ_SHARE_GROUP_STATE_SUMMARY: FORWARDED,
    ApiKey.STREAMS_GROUP_HEARTBEAT: "group.streams_group_heartbeat",
    ApiKey.STREAMS_GROUP_DESCRIBE: "group.streams_group_describe",
    ApiKey.DESCRIBE_SHARE_GROUP_OFFSETS: "share.describe_share_group_offsets",
    ApiKey.ALTER_SHARE_GROUP_OFFSETS: "share.alter_share_group_offsets",
    ApiKey.DELETE_SHARE_GROUP_OFFSETS: "share.delete_share_group_offsets",
}
"""On listeners for clients and brokers."""

CONTROLLER: dict[int, str] = {
    ApiKey.FETCH: FORWARDED,
    ApiKey.SASL_HANDSHAKE: "security.sasl_handshake",
    ApiKey.API_VERSIONS: "cluster.api_versions",
    ApiKey.CREATE_TOPICS: "topic.create_topics",
    ApiKey.DELETE_TOPICS: "topic.delete_topics",
    ApiKey.DESCRIBE_ACLS: "security.describe_acls",
    ApiKey.CREATE_ACLS: "security.create_acls",
    ApiKey.DELETE_ACLS: "security.delete_acls",
    ApiKey.DESCRIBE_CONFIGS: "config.describe_configs",
    ApiKey.ALTER_CONFIGS: "config.alter_configs",
    ApiKey.SASL_AUTHENTICATE: "security.sasl_authenticate",
    ApiKey.CREATE_PARTITIONS: "topic.create_partitions",
    ApiKey.CREATE_DELEGATION_TOKEN: "security.create_delegation_token",
    ApiKey.RENEW_DELEGATION_TOKEN: "security.renew_delegation_token",
    ApiKey.EXPIRE_DELEGATION_TOKEN: "security.expire_delegation_token",
    ApiKey.DESCRIBE_DELEGATION_TOKEN: "security.describe_delegation_token",
    ApiKey.ELECT_LEADERS: FORWARDED,
    ApiKey.INCREMENTAL_ALTER_CONFIGS: "config.incremental_alter_configs",
    ApiKey.ALTER_PARTITION_REASSIGNMENTS: FORWARDED,
    ApiKey.LIST_PARTITION_REASSIGNMENTS: FORWARDED,
    ApiKey.ALTER_CLIENT_QUOTAS: FORWARDED,
    ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS: "security.describe_user_scram_credentials",
    ApiKey.ALTER_USER_SCRAM_CREDENTIALS: "security.alter_user_scram_credentials",
    ApiKey.VOTE: FORWARDED,
    ApiKey.BEGIN_QUORUM_EPOCH: FORWARDED,
    ApiKey.END_QUORUM_EPOCH: FORWARDED,
    ApiKey.DESCRIBE_QUORUM: FORWARDED,
    ApiKey.ALTER_PARTITION: FORWARDED,
    ApiKey.UPDATE_FEATURES: FORWARDED,
    ApiKey.ENVELOPE: "controller.envelope",
    ApiKey.FETCH_SNAPSHOT: FORWARDED,
    ApiKey.DESCRIBE_CLUSTER: "cluster.describe_cluster",
    ApiKey.BROKER_REGISTRATION: "controller.broker_registration",
    ApiKey.BROKER_HEARTBEAT: "controller.broker_heartbeat",
    ApiKey.UNREGISTER_BROKER: FORWARDED,
    ApiKey.ALLOCATE_PRODUCER_IDS: FORWARDED,
    ApiKey.CONTROLLER_REGISTRATION: FORWARDED,
    ApiKey.ASSIGN_REPLICAS_TO_DIRS: FORWARDED,
    ApiKey.ADD_RAFT_VOTER: FORWARDED,
    ApiKey.REMOVE_RAFT_VOTER: FORWARDED,
    ApiKey.UPDATE_RAFT_VOTER: FORWARDED,
}
"""On listeners of controllers."""


def apis_of(is_controller: bool) -> dict[int, str]:
    """The table for this kind of listener."""
    return CONTROLLER if is_controller else BROKER


@cache
def handler_of(api_key: int, module: str) -> Handler:
    """The function that answers this API."""
    found = import_module(f"moldau.broker.server.{module}")
    handle: Handler = found.HANDLERS[api_key] if module == FORWARDED else found.handle
    return handle


@cache
def versions_of(api_key: int, *, unstable: bool = False) -> range:
    """The versions served, the lowest first; those that may still change with a switch alone."""
    api = BY_KEY[api_key]
    served, may_change = api.versions.each(), Versions.parse(api.unstable)
    if unstable or may_change.low > may_change.high:
        return served
    return range(served.start, may_change.low)


def is_served(api_key: int, version: int, broker: Broker) -> bool:
    """Whether this node serves the version."""
    if version in versions_of(api_key):
        return True
    return version in versions_of(api_key, unstable=True) and serves_unstable(broker)


def serves_unstable(broker: Broker) -> bool:
    """By the switch of Apache Kafka; and by that of two-phase commit, for the only version that it
    does not call stable, InitProducerId 6, is what asks for one."""
    settings = broker.settings
    return bool(
        settings.unstable_api_versions_enable or settings.transaction_two_phase_commit_enable
    )
