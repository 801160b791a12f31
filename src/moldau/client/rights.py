"""Which right a request needs: what an administrator has to grant where a broker refuses it.

A broker names the kind of thing that is denied and not the operation, which follows from the
request. Brokers of Apache Kafka check the same operations (KIP-11 and those after it).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["right_of"]

TOPIC: Final = ErrorCode.TOPIC_AUTHORIZATION_FAILED
GROUP: Final = ErrorCode.GROUP_AUTHORIZATION_FAILED
CLUSTER: Final = ErrorCode.CLUSTER_AUTHORIZATION_FAILED
ID: Final = ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED

USUAL: Final[Mapping[ErrorCode, str]] = {
    TOPIC: "DESCRIBE and READ",
    GROUP: "READ",
    CLUSTER: "DESCRIBE",
    ID: "WRITE",
}
"""What readers, members and producers need."""
NOUNS: Final[Mapping[ErrorCode, str]] = {
    TOPIC: "topic",
    GROUP: "group",
    CLUSTER: "cluster",
    ID: "transactional id",
}
RIGHTS: Final[Mapping[tuple[int, ErrorCode], str]] = {
    (ApiKey.ALTER_CLIENT_QUOTAS, CLUSTER): "ALTER_CONFIGS",
    (ApiKey.ALTER_CONFIGS, CLUSTER): "ALTER_CONFIGS",
    (ApiKey.ALTER_CONFIGS, GROUP): "ALTER_CONFIGS",
    (ApiKey.ALTER_CONFIGS, TOPIC): "ALTER_CONFIGS",
    (ApiKey.ALTER_PARTITION_REASSIGNMENTS, CLUSTER): "ALTER",
    (ApiKey.ALTER_REPLICA_LOG_DIRS, CLUSTER): "ALTER",
    (ApiKey.ALTER_USER_SCRAM_CREDENTIALS, CLUSTER): "ALTER",
    (ApiKey.CREATE_ACLS, CLUSTER): "ALTER",
    (ApiKey.CREATE_PARTITIONS, TOPIC): "ALTER",
    (ApiKey.CREATE_TOPICS, CLUSTER): "CREATE",
    (ApiKey.CREATE_TOPICS, TOPIC): "CREATE",
    (ApiKey.DELETE_ACLS, CLUSTER): "ALTER",
    (ApiKey.DELETE_GROUPS, GROUP): "DELETE",
    (ApiKey.DELETE_RECORDS, TOPIC): "DELETE",
    (ApiKey.DELETE_SHARE_GROUP_OFFSETS, GROUP): "DELETE",
    (ApiKey.DELETE_TOPICS, TOPIC): "DELETE",
    (ApiKey.DESCRIBE_CLIENT_QUOTAS, CLUSTER): "DESCRIBE_CONFIGS",
    (ApiKey.DESCRIBE_CONFIGS, CLUSTER): "DESCRIBE_CONFIGS",
    (ApiKey.DESCRIBE_CONFIGS, GROUP): "DESCRIBE_CONFIGS",
    (ApiKey.DESCRIBE_CONFIGS, TOPIC): "DESCRIBE_CONFIGS",
    (ApiKey.CONSUMER_GROUP_DESCRIBE, GROUP): "DESCRIBE",
    (ApiKey.DESCRIBE_GROUPS, GROUP): "DESCRIBE",
    (ApiKey.DESCRIBE_PRODUCERS, TOPIC): "READ",
    (ApiKey.DESCRIBE_SHARE_GROUP_OFFSETS, GROUP): "DESCRIBE",
    (ApiKey.DESCRIBE_TRANSACTIONS, ID): "DESCRIBE",
    (ApiKey.ELECT_LEADERS, CLUSTER): "ALTER",
    (ApiKey.FETCH, TOPIC): "READ",
    (ApiKey.INCREMENTAL_ALTER_CONFIGS, CLUSTER): "ALTER_CONFIGS",
    (ApiKey.INCREMENTAL_ALTER_CONFIGS, GROUP): "ALTER_CONFIGS",
    (ApiKey.INCREMENTAL_ALTER_CONFIGS, TOPIC): "ALTER_CONFIGS",
    (ApiKey.INIT_PRODUCER_ID, CLUSTER): "IDEMPOTENT_WRITE on the cluster, or WRITE on the topic",
    (ApiKey.LIST_CONFIG_RESOURCES, CLUSTER): "DESCRIBE_CONFIGS",
    (ApiKey.LIST_OFFSETS, TOPIC): "DESCRIBE",
    (ApiKey.METADATA, TOPIC): "DESCRIBE",
    (ApiKey.OFFSET_COMMIT, TOPIC): "READ",
    (ApiKey.OFFSET_DELETE, GROUP): "DELETE",
    (ApiKey.OFFSET_DELETE, TOPIC): "READ",
    (ApiKey.OFFSET_FETCH, GROUP): "DESCRIBE",
    (ApiKey.PRODUCE, TOPIC): "WRITE",
    (ApiKey.SHARE_GROUP_DESCRIBE, GROUP): "DESCRIBE",
    (ApiKey.STREAMS_GROUP_DESCRIBE, GROUP): "DESCRIBE",
    (ApiKey.UNREGISTER_BROKER, CLUSTER): "ALTER",
    (ApiKey.UPDATE_FEATURES, CLUSTER): "ALTER",
    (ApiKey.WRITE_TXN_MARKERS, CLUSTER): "ALTER",
}


def right_of(code: ErrorCode, api_key: int = -1) -> str | None:
    """What to grant, as a sentence ends with it; None where the code is no denial of these."""
    if code not in USUAL:
        return None
    found = RIGHTS.get((api_key, code), USUAL[code])
    return found if " on " in found else f"{found} on the {NOUNS[code]}"
