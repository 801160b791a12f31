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
}
"""Names of classes that are not made of the code's."""

JAVA_MESSAGES = {
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
"""What stands for the reason where a broker gives none."""


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
