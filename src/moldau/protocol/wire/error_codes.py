"""What can go wrong on the wire: Kafka's error codes, each with what it means and what to do.

A code stands in most answers as an int16; 0 is success, -1 is whatever the server did not foresee.
The names are Kafka's own. A code has as well what a client may do about it, by four kinds:

    GIVE_UP    asking again would fail again, or only the caller can decide
    RETRY      the same request may succeed later
    REFRESH    so it may, once the metadata of the topic has been asked for again
    REFIND     so it may, once the coordinator has been looked for again

Which errors are of which kind is Kafka's decision (in Java: which exception classes are retriable),
since clients of all languages behave by it. The sentences are for people and for logs.
"""

from __future__ import annotations

from enum import Enum, IntEnum


class Remedy(Enum):
    """What a client may do about an error."""

    GIVE_UP = "give up"
    RETRY = "retry"
    REFRESH = "retry with fresh metadata"
    REFIND = "retry with the coordinator found anew"


RETRY = Remedy.RETRY
REFRESH = Remedy.REFRESH
REFIND = Remedy.REFIND


class ErrorCode(IntEnum):
    """An error code with its sentence and its remedy."""

    message: str
    remedy: Remedy

    def __new__(cls, code: int, message: str, remedy: Remedy = Remedy.GIVE_UP) -> ErrorCode:
        error = int.__new__(cls, code)
        error._value_ = code
        error.message = message
        error.remedy = remedy
        return error

    @classmethod
    def read(cls, code: int) -> ErrorCode:
        """The error of a code off the wire; newer servers' codes are UNKNOWN_SERVER_ERROR to us."""
        return _BY_CODE.get(code, cls.UNKNOWN_SERVER_ERROR)

    @property
    def retriable(self) -> bool:
        """The same request may succeed later."""
        return self.remedy is not Remedy.GIVE_UP

    @property
    def refreshes_metadata(self) -> bool:
        """The client's metadata of the topic is out of date."""
        return self.remedy is Remedy.REFRESH

    UNKNOWN_SERVER_ERROR = -1, "The server failed in a way that it did not foresee; see its log."
    NONE = 0, "Success."
    OFFSET_OUT_OF_RANGE = 1, "The partition has no such offset: it is too old or not there yet."
    CORRUPT_MESSAGE = 2, "The records do not match their checksum or break their format.", RETRY
    UNKNOWN_TOPIC_OR_PARTITION = 3, "This broker has no such topic or partition.", REFRESH
    INVALID_FETCH_SIZE = 4, "The bytes asked for are no sensible number."
    LEADER_NOT_AVAILABLE = 5, "The partition has no leader at the moment.", REFRESH
    NOT_LEADER_OR_FOLLOWER = 6, "This broker does not lead the partition, or not keep it.", REFRESH
    REQUEST_TIMED_OUT = 7, "The request was not done in its time; it may still be done.", RETRY
    BROKER_NOT_AVAILABLE = 8, "The broker in question is not there."
    REPLICA_NOT_AVAILABLE = 9, "The replica in question is not there.", REFRESH
    MESSAGE_TOO_LARGE = 10, "The batch is larger than the topic's max.message.bytes."
    STALE_CONTROLLER_EPOCH = 11, "The controller that spoke has been replaced."
    OFFSET_METADATA_TOO_LARGE = 12, "The text beside the offset exceeds offset.metadata.max.bytes."
    NETWORK_EXCEPTION = 13, "The connection broke before the answer came.", REFRESH
    COORDINATOR_LOAD_IN_PROGRESS = 14, "The coordinator is still reading its log.", RETRY
    COORDINATOR_NOT_AVAILABLE = 15, "The coordinator cannot work at the moment.", REFIND
    NOT_COORDINATOR = 16, "Another broker coordinates this group or transactional id.", REFIND
    INVALID_TOPIC_EXCEPTION = 17, "The topic's name is not legal, or the topic is internal."
    RECORD_LIST_TOO_LARGE = 18, "The batch is larger than a whole segment of the topic."
    NOT_ENOUGH_REPLICAS = 19, "Too few replicas are in sync: nothing was written.", RETRY
    NOT_ENOUGH_REPLICAS_AFTER_APPEND = 20, "Too few replicas have what was written.", RETRY
    INVALID_REQUIRED_ACKS = 21, "The acks must be 0, 1 or -1."
    ILLEGAL_GENERATION = 22, "The group has moved on to another generation."
    INCONSISTENT_GROUP_PROTOCOL = 23, "The member shares no assignor or type with the group."
    INVALID_GROUP_ID = 24, "The group id is empty or not legal here."
    UNKNOWN_MEMBER_ID = 25, "The group has no such member, or has one no more."
    INVALID_SESSION_TIMEOUT = 26, "The session timeout is outside the bounds the broker sets."
    REBALANCE_IN_PROGRESS = 27, "The group is rebalancing: the member must join again."
    INVALID_COMMIT_OFFSET_SIZE = 28, "The commit is too large to be stored."
    TOPIC_AUTHORIZATION_FAILED = 29, "The principal may not do this to the topic."
    GROUP_AUTHORIZATION_FAILED = 30, "The principal may not do this to the group."
    CLUSTER_AUTHORIZATION_FAILED = 31, "The principal may not do this to the cluster."
    INVALID_TIMESTAMP = 32, "The record's timestamp is further from now than the topic allows."
    UNSUPPORTED_SASL_MECHANISM = 33, "The listener does not offer this SASL mechanism."
    ILLEGAL_SASL_STATE = 34, "This is not the time for that step of the SASL exchange."
    UNSUPPORTED_VERSION = 35, "The server does not support this version, or not for this purpose."
    TOPIC_ALREADY_EXISTS = 36, "There is a topic of this name."
    INVALID_PARTITIONS = 37, "The number of partitions is not possible here."
    INVALID_REPLICATION_FACTOR = 38, "The replication factor exceeds the brokers, or is below 1."
    INVALID_REPLICA_ASSIGNMENT = 39, "The replicas named are not distinct live brokers."
    INVALID_CONFIG = 40, "A setting is unknown or its value is refused."
    NOT_CONTROLLER = 41, "Another node is the active controller.", RETRY
    INVALID_REQUEST = 42, "The request contradicts itself or lacks something."
    UNSUPPORTED_FOR_MESSAGE_FORMAT = 43, "The stored record format cannot do this."
    POLICY_VIOLATION = 44, "The cluster's own policy refuses this."
    OUT_OF_ORDER_SEQUENCE_NUMBER = 45, "A batch of this producer is missing before this one."
    DUPLICATE_SEQUENCE_NUMBER = 46, "This batch was written long ago."
    INVALID_PRODUCER_EPOCH = 47, "The producer's epoch is older than one seen before."
    INVALID_TXN_STATE = 48, "The transaction's state does not allow this step."
    INVALID_PRODUCER_ID_MAPPING = 49, "The transactional id belongs to another producer id."
    INVALID_TRANSACTION_TIMEOUT = 50, "The timeout exceeds the broker's transaction.max.timeout.ms."
    CONCURRENT_TRANSACTIONS = 51, "An earlier step of the transaction is still under way.", RETRY
    TRANSACTION_COORDINATOR_FENCED = 52, "A newer coordinator has written markers already."
    TRANSACTIONAL_ID_AUTHORIZATION_FAILED = 53, "The principal may not use the id."
    SECURITY_DISABLED = 54, "The cluster has no authorizer, so it has no access rules."
    OPERATION_NOT_ATTEMPTED = 55, "Not tried, because another part of the request failed."
    KAFKA_STORAGE_ERROR = 56, "The broker's disk failed, and the directory is offline.", REFRESH
    LOG_DIR_NOT_FOUND = 57, "The broker has no such log directory."
    SASL_AUTHENTICATION_FAILED = 58, "The credentials were refused."
    UNKNOWN_PRODUCER_ID = 59, "The partition has forgotten the producer."
    REASSIGNMENT_IN_PROGRESS = 60, "The partition is moving to other brokers."
    DELEGATION_TOKEN_AUTH_DISABLED = 61, "The cluster has no secret key to make tokens with."
    DELEGATION_TOKEN_NOT_FOUND = 62, "There is no such delegation token."
    DELEGATION_TOKEN_OWNER_MISMATCH = 63, "The caller is neither the token's owner nor a renewer."
    DELEGATION_TOKEN_REQUEST_NOT_ALLOWED = 64, "This login is too weak to ask for tokens."
    DELEGATION_TOKEN_AUTHORIZATION_FAILED = 65, "The principal may not see or use the token."
    DELEGATION_TOKEN_EXPIRED = 66, "The token's time is over."
    INVALID_PRINCIPAL_TYPE = 67, "Principals of this type cannot own or renew tokens."
    NON_EMPTY_GROUP = 68, "The group still has members."
    GROUP_ID_NOT_FOUND = 69, "There is no such group."
    FETCH_SESSION_ID_NOT_FOUND = 70, "The broker has dropped the fetch session.", RETRY
    INVALID_FETCH_SESSION_EPOCH = 71, "The fetch session expected another epoch.", RETRY
    LISTENER_NOT_FOUND = 72, "The leader has no listener of the name used here.", REFRESH
    TOPIC_DELETION_DISABLED = 73, "The cluster has delete.topic.enable=false."
    FENCED_LEADER_EPOCH = 74, "The client's leader epoch is over.", REFRESH
    UNKNOWN_LEADER_EPOCH = 75, "The client's leader epoch is news to this broker.", RETRY
    UNSUPPORTED_COMPRESSION_TYPE = 76, "The codec is too new for this version of the request."
    STALE_BROKER_EPOCH = 77, "The broker has registered again since."
    OFFSET_NOT_AVAILABLE = 78, "The new leader's high watermark is not known yet.", RETRY
    MEMBER_ID_REQUIRED = 79, "The member must join again with the id it just got."
    PREFERRED_LEADER_NOT_AVAILABLE = 80, "The preferred leader cannot lead now.", REFRESH
    GROUP_MAX_SIZE_REACHED = 81, "The group has as many members as the broker allows."
    FENCED_INSTANCE_ID = 82, "Another member has taken over this group.instance.id."
    ELIGIBLE_LEADERS_NOT_AVAILABLE = 83, "No replica that could lead is alive.", REFRESH
    ELECTION_NOT_NEEDED = 84, "The partition already has the leader it should have.", REFRESH
    NO_REASSIGNMENT_IN_PROGRESS = 85, "The partition is not moving."
    GROUP_SUBSCRIBED_TO_TOPIC = 86, "Members of the group still subscribe to the topic."
    INVALID_RECORD = 87, "A record breaks the rules of the topic or of the batch format."
    UNSTABLE_OFFSET_COMMIT = 88, "An open transaction may still change the offset.", RETRY
    THROTTLING_QUOTA_EXCEEDED = 89, "The client changes topics faster than it may.", RETRY
    PRODUCER_FENCED = 90, "Another producer has taken over the transactional id."
    RESOURCE_NOT_FOUND = 91, "There is no such thing as the request names."
    DUPLICATE_RESOURCE = 92, "The request names something twice."
    UNACCEPTABLE_CREDENTIAL = 93, "The credential is too weak or out of bounds."
    INCONSISTENT_VOTER_SET = 94, "Sender and receiver do not agree on who votes."
    INVALID_UPDATE_VERSION = 95, "The change builds on a state that is no longer current."
    FEATURE_UPDATE_FAILED = 96, "The feature levels could not be changed."
    PRINCIPAL_DESERIALIZATION_FAILURE = 97, "The controller cannot read the principal forwarded."
    SNAPSHOT_NOT_FOUND = 98, "There is no such snapshot, or it is gone."
    POSITION_OUT_OF_RANGE = 99, "The position lies outside the snapshot."
    UNKNOWN_TOPIC_ID = 100, "This broker has no topic of this id.", REFRESH
    DUPLICATE_BROKER_REGISTRATION = 101, "Another process is registered under this broker id."
    BROKER_ID_NOT_REGISTERED = 102, "No broker is registered under this id."
    INCONSISTENT_TOPIC_ID = 103, "The partition on disk belongs to another topic id.", REFRESH
    INCONSISTENT_CLUSTER_ID = 104, "The request is meant for another cluster."
    TRANSACTIONAL_ID_NOT_FOUND = 105, "The coordinator has no such transactional id."
    FETCH_SESSION_TOPIC_ID_ERROR = 106, "The fetch session mixes topic names and ids.", RETRY
    INELIGIBLE_REPLICA = 107, "A replica proposed as in sync is fenced, leaving or outdated."
    NEW_LEADER_ELECTED = 108, "The change was made, and it made another replica leader."
    OFFSET_MOVED_TO_TIERED_STORAGE = 109, "The leader has these records in remote storage only."
    FENCED_MEMBER_EPOCH = 110, "The member must give up its partitions and join again."
    UNRELEASED_INSTANCE_ID = 111, "A live member still uses this group.instance.id."
    UNSUPPORTED_ASSIGNOR = 112, "The coordinator has no such assignor."
    STALE_MEMBER_EPOCH = 113, "The member must wait for its new epoch, then try again."
    MISMATCHED_ENDPOINT_TYPE = 114, "A broker was asked for controllers, or the reverse."
    UNSUPPORTED_ENDPOINT_TYPE = 115, "The server has no endpoints of this type."
    UNKNOWN_CONTROLLER_ID = 116, "No controller is registered under this id."
    UNKNOWN_SUBSCRIPTION_ID = 117, "The telemetry subscription has changed since."
    TELEMETRY_TOO_LARGE = 118, "The metrics exceed what the broker takes at once."
    INVALID_REGISTRATION = 119, "The controller refuses the registration; see its log."
    TRANSACTION_ABORTABLE = 120, "The transaction cannot commit; abort it and go on."
    INVALID_RECORD_STATE = 121, "The record is no longer this member's to acknowledge."
    SHARE_SESSION_NOT_FOUND = 122, "The broker has dropped the share session.", RETRY
    INVALID_SHARE_SESSION_EPOCH = 123, "The share session expected another epoch.", RETRY
    FENCED_STATE_EPOCH = 124, "The share partition's state has been reset since."
    INVALID_VOTER_KEY = 125, "The request is meant for a voter with another id or directory."
    DUPLICATE_VOTER = 126, "The controller votes already."
    VOTER_NOT_FOUND = 127, "No voter has this id and directory."
    INVALID_REGULAR_EXPRESSION = 128, "The expression is not legal in RE2 syntax."
    REBOOTSTRAP_REQUIRED = 129, "The client must forget its metadata and bootstrap anew."
    STREAMS_INVALID_TOPOLOGY = 130, "The topology contradicts itself or its topics."
    STREAMS_INVALID_TOPOLOGY_EPOCH = 131, "The topology's epoch is none that the group could have."
    STREAMS_TOPOLOGY_FENCED = 132, "The group has moved on to a newer topology."
    SHARE_SESSION_LIMIT_REACHED = 133, "The broker has no room for one more share session.", RETRY


_BY_CODE = {int(error): error for error in ErrorCode}
