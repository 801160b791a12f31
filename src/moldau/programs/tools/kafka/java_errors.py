"""Why a broker refused something, in the words that Kafka's tools in Java have for it."""

from __future__ import annotations

from moldau.client.errors import AccessDeniedError, RefusedError
from moldau.errors import MoldauError
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["JAVA_ERRORS", "cause_of", "java_cause_of"]

JAVA_ERRORS = "org.apache.kafka.common.errors."
JAVA_NAMES = {
    ErrorCode.UNKNOWN_SERVER_ERROR: "UnknownServer",
    ErrorCode.CORRUPT_MESSAGE: "CorruptRecord",
    ErrorCode.REQUEST_TIMED_OUT: "Timeout",
    ErrorCode.MESSAGE_TOO_LARGE: "RecordTooLarge",
    ErrorCode.STALE_CONTROLLER_EPOCH: "ControllerMoved",
    ErrorCode.NETWORK_EXCEPTION: "Network",
    ErrorCode.INVALID_TOPIC_EXCEPTION: "InvalidTopic",
    ErrorCode.RECORD_LIST_TOO_LARGE: "RecordBatchTooLarge",
    ErrorCode.TOPIC_AUTHORIZATION_FAILED: "TopicAuthorization",
    ErrorCode.GROUP_AUTHORIZATION_FAILED: "GroupAuthorization",
    ErrorCode.CLUSTER_AUTHORIZATION_FAILED: "ClusterAuthorization",
    ErrorCode.TOPIC_ALREADY_EXISTS: "TopicExists",
    ErrorCode.INVALID_CONFIG: "InvalidConfiguration",
    ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER: "OutOfOrderSequence",
    ErrorCode.DUPLICATE_SEQUENCE_NUMBER: "DuplicateSequence",
    ErrorCode.INVALID_PRODUCER_ID_MAPPING: "InvalidPidMapping",
    ErrorCode.INVALID_TRANSACTION_TIMEOUT: "InvalidTxnTimeout",
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED: "TransactionalIdAuthorization",
    ErrorCode.KAFKA_STORAGE_ERROR: "KafkaStorage",
    ErrorCode.SASL_AUTHENTICATION_FAILED: "SaslAuthentication",
    ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED: "DelegationTokenDisabled",
    ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED: "UnsupportedByAuthentication",
    ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED: "DelegationTokenAuthorization",
    ErrorCode.NON_EMPTY_GROUP: "GroupNotEmpty",
    ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE: "PrincipalDeserialization",
    ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR: "FetchSessionTopicId",
    ErrorCode.OFFSET_METADATA_TOO_LARGE: "OffsetMetadataTooLarge",
}
"""Names of classes that are not made of the code's."""

JAVA_MESSAGES = {
    ErrorCode.UNKNOWN_SERVER_ERROR: (
        "The server experienced an unexpected error when processing the request."
    ),
    ErrorCode.LEADER_NOT_AVAILABLE: (
        "There is no leader for this topic-partition as we are in the middle of a leadership "
        "election."
    ),
    ErrorCode.REQUEST_TIMED_OUT: "The request timed out.",
    ErrorCode.BROKER_NOT_AVAILABLE: "The broker is not available.",
    ErrorCode.REPLICA_NOT_AVAILABLE: (
        "The replica is not available for the requested topic-partition. Produce/Fetch "
        "requests and other requests intended only for the leader or follower return "
        "NOT_LEADER_OR_FOLLOWER if the broker is not a replica of the topic-partition."
    ),
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: (
        "The coordinator is loading and hence can't process requests."
    ),
    ErrorCode.COORDINATOR_NOT_AVAILABLE: "The coordinator is not available.",
    ErrorCode.NOT_COORDINATOR: "This is not the correct coordinator.",
    ErrorCode.INVALID_TOPIC_EXCEPTION: (
        "The request attempted to perform an operation on an invalid topic."
    ),
    ErrorCode.ILLEGAL_GENERATION: "Specified group generation id is not valid.",
    ErrorCode.INVALID_GROUP_ID: "The group id is invalid.",
    ErrorCode.UNKNOWN_MEMBER_ID: "The coordinator is not aware of this member.",
    ErrorCode.REBALANCE_IN_PROGRESS: "The group is rebalancing, so a rejoin is needed.",
    ErrorCode.UNSUPPORTED_VERSION: "The version of API is not supported.",
    ErrorCode.TOPIC_ALREADY_EXISTS: "Topic with this name already exists.",
    ErrorCode.INVALID_PARTITIONS: "Number of partitions is below 1.",
    ErrorCode.INVALID_REPLICATION_FACTOR: (
        "Replication factor is below 1 or larger than the number of available brokers."
    ),
    ErrorCode.INVALID_REPLICA_ASSIGNMENT: "Replica assignment is invalid.",
    ErrorCode.INVALID_CONFIG: "Configuration is invalid.",
    ErrorCode.NOT_CONTROLLER: "This is not the correct controller for this cluster.",
    ErrorCode.INVALID_REQUEST: (
        "This most likely occurs because of a request being malformed by the client library "
        "or the message was sent to an incompatible broker. See the broker logs for more "
        "details."
    ),
    ErrorCode.POLICY_VIOLATION: "Request parameters do not satisfy the configured policy.",
    ErrorCode.INVALID_PRODUCER_EPOCH: "Producer attempted to produce with an old epoch.",
    ErrorCode.INVALID_TXN_STATE: (
        "The producer attempted a transactional operation in an invalid state."
    ),
    ErrorCode.INVALID_PRODUCER_ID_MAPPING: (
        "The producer attempted to use a producer id which is not currently assigned to its "
        "transactional id."
    ),
    ErrorCode.CONCURRENT_TRANSACTIONS: (
        "The producer attempted to update a transaction while another concurrent operation on"
        " the same transaction was ongoing."
    ),
    ErrorCode.TRANSACTION_COORDINATOR_FENCED: (
        "Indicates that the transaction coordinator sending a WriteTxnMarker is no longer the"
        " current coordinator for a given producer."
    ),
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED: "Transactional Id authorization failed.",
    ErrorCode.SECURITY_DISABLED: "Security features are disabled.",
    ErrorCode.KAFKA_STORAGE_ERROR: "Disk error when trying to access log file on the disk.",
    ErrorCode.LOG_DIR_NOT_FOUND: (
        "The user-specified log directory is not found in the broker config."
    ),
    ErrorCode.SASL_AUTHENTICATION_FAILED: "SASL Authentication failed.",
    ErrorCode.REASSIGNMENT_IN_PROGRESS: "A partition reassignment is in progress.",
    ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED: "Delegation Token feature is not enabled.",
    ErrorCode.DELEGATION_TOKEN_NOT_FOUND: "Delegation Token is not found on server.",
    ErrorCode.DELEGATION_TOKEN_OWNER_MISMATCH: "Specified Principal is not valid Owner/Renewer.",
    ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED: "Delegation Token authorization failed.",
    ErrorCode.DELEGATION_TOKEN_EXPIRED: "Delegation Token is expired.",
    ErrorCode.INVALID_PRINCIPAL_TYPE: "Supplied principalType is not supported.",
    ErrorCode.TOPIC_DELETION_DISABLED: "Topic deletion is disabled.",
    ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE: "The preferred leader was not available.",
    ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE: (
        "Eligible topic partition leaders are not available."
    ),
    ErrorCode.ELECTION_NOT_NEEDED: "Leader election not needed for topic partition.",
    ErrorCode.NO_REASSIGNMENT_IN_PROGRESS: "No partition reassignment is in progress.",
    ErrorCode.UNSTABLE_OFFSET_COMMIT: "There are unstable offsets that need to be cleared.",
    ErrorCode.THROTTLING_QUOTA_EXCEEDED: "The throttling quota has been exceeded.",
    ErrorCode.RESOURCE_NOT_FOUND: (
        "A request illegally referred to a resource that does not exist."
    ),
    ErrorCode.DUPLICATE_RESOURCE: "A request illegally referred to the same resource twice.",
    ErrorCode.UNACCEPTABLE_CREDENTIAL: (
        "Requested credential would not meet criteria for acceptability."
    ),
    ErrorCode.INVALID_UPDATE_VERSION: "The given update version was invalid.",
    ErrorCode.FEATURE_UPDATE_FAILED: (
        "Unable to update finalized features due to an unexpected server error."
    ),
    ErrorCode.UNKNOWN_TOPIC_ID: "This server does not host this topic ID.",
    ErrorCode.BROKER_ID_NOT_REGISTERED: "The given broker ID was not registered.",
    ErrorCode.INCONSISTENT_CLUSTER_ID: (
        "The clusterId in the request does not match that found on the server."
    ),
    ErrorCode.TRANSACTIONAL_ID_NOT_FOUND: "The transactionalId could not be found.",
    ErrorCode.FENCED_MEMBER_EPOCH: (
        "The member epoch is fenced by the group coordinator. The member must abandon all its"
        " partitions and rejoin."
    ),
    ErrorCode.MISMATCHED_ENDPOINT_TYPE: "The request was sent to an endpoint of the wrong type.",
    ErrorCode.UNSUPPORTED_ENDPOINT_TYPE: "This endpoint type is not supported yet.",
    ErrorCode.DUPLICATE_VOTER: "The voter is already part of the set of voters.",
    ErrorCode.VOTER_NOT_FOUND: "The voter is not part of the set of voters.",
    ErrorCode.INVALID_REGULAR_EXPRESSION: "The regular expression is not valid.",
    ErrorCode.FENCED_STATE_EPOCH: (
        "The share coordinator rejected the request because the share-group state epoch did "
        "not match."
    ),
    ErrorCode.OFFSET_OUT_OF_RANGE: (
        "The requested offset is not within the range of offsets maintained by the server."
    ),
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: "This server does not host this topic-partition.",
    ErrorCode.CLUSTER_AUTHORIZATION_FAILED: "Cluster authorization failed.",
    ErrorCode.TOPIC_AUTHORIZATION_FAILED: "Topic authorization failed.",
    ErrorCode.GROUP_AUTHORIZATION_FAILED: "Group authorization failed.",
    ErrorCode.NON_EMPTY_GROUP: "The group is not empty.",
    ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC: (
        "Deleting offsets of a topic is forbidden while the consumer group is actively subscribed "
        "to it."
    ),
    ErrorCode.GROUP_ID_NOT_FOUND: "The group id does not exist.",
    ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED: (
        "Delegation Token requests are not allowed on PLAINTEXT/1-way SSL channels and on "
        "delegation token authenticated channels."
    ),
}
"""What stands for the reason where a broker gives none, of errors that tools meet."""


def cause_of(error: MoldauError) -> str:
    """What a broker had to object, in its own words, or the whole sentence of our error."""
    if not isinstance(error, RefusedError | AccessDeniedError) or error.error is None:
        return str(error)
    reason = error.detail if isinstance(error, RefusedError) else error.error.message
    if reason == error.error.message:
        return JAVA_MESSAGES.get(error.error, reason)
    return reason


def java_cause_of(error: MoldauError) -> str:
    """The same, after the class that it has in Java."""
    code = error.error if isinstance(error, RefusedError | AccessDeniedError) else None
    if code is None:
        return cause_of(error)
    name = JAVA_NAMES.get(code, "".join(part.capitalize() for part in code.name.split("_")))
    return f"{JAVA_ERRORS}{name}Exception: {cause_of(error)}"
