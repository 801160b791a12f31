"""What can go wrong for a client, as one tree under `ClientError`.

    ClientError
    ├── UnreachableError         no broker at that address, or none that answered in time
    ├── UnresolvedError          every host in bootstrap.servers is an unknown name
    ├── TimedOutError            tried again until the call's time was over; it names the last cause
    ├── UnsupportedVersionError  the broker is too old for what is asked
    ├── UnsupportedSettingError  a setting that this client cannot follow
    ├── InvalidArgumentError     a partition, pattern, time or offset that is none
    │   └── UnknownColumnError   a column that records have not
    ├── AccessDeniedError        the broker knows us, and we may not
    ├── UnknownTopicError        no such topic, no such partition, or not the same topic any more
    ├── OffsetGoneError          records that were asked for are not there any more, or not yet
    ├── LogTruncatedError        records that were read are no longer in the log
    ├── UnreadableRecordError    records whose checksum or form shows that they are spoiled
    ├── OldFormatError           records in the format from before Kafka 0.11
    ├── RecordTooLargeError      a record for which no request, or no batch of the topic, has room
    ├── PartitionerError         a partitioner of the program's own that raises
    ├── BufferFullError          records came faster than they left, for max.block.ms
    ├── NotYetError              it goes on, but the caller would wait no longer
    ├── CommitFailedError        the group has moved on: the partitions belong to others now
    ├── NoOffsetError            nothing is committed, and auto.offset.reset is none
    ├── FencedError              another client has taken over the name, and this one is void
    │   └── NameTakenError       another member has the name still, and this one has not begun
    ├── TransactionError         the transaction has failed: it has to be aborted
    ├── SerializationError       a key or value that its serializer cannot turn into bytes
    │   └── DeserializationError a record that its deserializer cannot read; names which
    ├── OtherLoopError           used on another event loop than its own, or after that has ended
    ├── ConcurrentUseError       two threads or tasks ask one consumer for records at once
    ├── CallBackError            a call-back waits for what goes on only after it
    ├── RefusedError             any other of Kafka's error codes
    └── ClosedError              the connection was closed while, or before, it was used

Each message is one sentence that names the thing, the cause and, if there is one, the remedy.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.client.topic_partition import TopicPartition
from moldau.errors import CorruptRecordError, KafkaError, MoldauError
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "AccessDeniedError",
    "BufferFullError",
    "CallBackError",
    "ClientError",
    "ClosedError",
    "CommitFailedError",
    "ConcurrentUseError",
    "DeserializationError",
    "FencedError",
    "InvalidArgumentError",
    "LogTruncatedError",
    "NameTakenError",
    "NoOffsetError",
    "NotYetError",
    "OffsetGoneError",
    "OldFormatError",
    "OtherLoopError",
    "PartitionerError",
    "RecordTooLargeError",
    "RefusedError",
    "SerializationError",
    "TimedOutError",
    "TransactionError",
    "UnknownColumnError",
    "UnknownTopicError",
    "UnreachableError",
    "UnreadableRecordError",
    "UnresolvedError",
    "UnsupportedSettingError",
    "UnsupportedVersionError",
    "refusal",
]


class ClientError(MoldauError):
    """The root of what a client meets."""


class UnreachableError(ClientError):
    """Nothing answers there."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"cannot reach {where}: {reason}")
        self.where = where
        self.reason = reason


class UnresolvedError(ClientError):
    """A client that has reached no broker yet is given names of hosts that do not exist."""

    def __init__(self, servers: Iterable[str]) -> None:
        super().__init__(
            "No resolvable bootstrap urls given in bootstrap.servers: the hosts of "
            f"{', '.join(servers)} are unknown here; check their names"
        )


class TimedOutError(ClientError):
    """It was tried until its time was over."""

    def __init__(
        self,
        what: str,
        timeout_ms: int,
        cause: Exception,
        setting: str = "default.api.timeout.ms",
    ) -> None:
        super().__init__(f"gave up {what} after {timeout_ms} ms ({setting}); at last: {cause}")
        self.cause = cause


class UnsupportedVersionError(ClientError):
    """The broker and this client have no version of a request in common."""


class UnsupportedSettingError(ClientError):
    """Refused, because to ignore it would be worse."""

    def __init__(self, name: str, value: str, remedy: str) -> None:
        super().__init__(f"{name}={value} is not supported by this client: {remedy}")
        self.name = name


class InvalidArgumentError(ClientError, ValueError):
    """Something was handed over that cannot be meant."""


class UnknownColumnError(InvalidArgumentError):
    """A reading was asked for a column that records have not."""

    def __init__(self, column: str, columns: Iterable[str]) -> None:
        super().__init__(f"there is no column {column!r}: choose from {', '.join(columns)}")
        self.column = column


class AccessDeniedError(ClientError):
    """The broker does not let us."""

    def __init__(self, what: str, right: str, code: ErrorCode | None = None) -> None:
        super().__init__(f"not allowed to use {what}: its administrator can grant {right}")
        self.what = what
        self.error = code
        """The broker's, where it gave one."""


class UnknownTopicError(ClientError):
    """The cluster has no such topic, or the topic no such partition."""

    def __init__(self, topic: str, reason: str, *, is_another: bool = False) -> None:
        super().__init__(f"topic {topic} {reason}")
        self.topic = topic
        self.is_another = is_another
        """One of the same name is there, which was made since."""


class OffsetGoneError(ClientError):
    """The log of the partition begins after that offset, or ends before it."""

    def __init__(self, part: TopicPartition, start: int, earliest: int, latest: int) -> None:
        why = (
            "retention has deleted what was before"
            if start < earliest
            else "the log was cut, or the offset comes from another cluster"
        )
        super().__init__(
            f"{part} has no offset {start}: its log goes from {earliest} to {latest}; {why}"
        )
        self.part = part
        self.start = start
        self.earliest = earliest
        self.latest = latest


class LogTruncatedError(ClientError):
    """The leader's log parts from what was read (KIP-320)."""

    def __init__(self, part: TopicPartition, offset: int, end_offset: int) -> None:
        super().__init__(
            f"{part} was truncated after an unclean election: records from {end_offset} to "
            f"{offset - 1} were read and are gone, so read again from {end_offset}"
        )
        self.part = part
        self.offset = offset
        self.end_offset = end_offset
        """What was read from here on is void."""


class UnreadableRecordError(ClientError, CorruptRecordError):
    """A batch fails its checksum, or contradicts itself."""

    def __init__(
        self,
        part: TopicPartition,
        offset: int,
        next_offset: int,
        cause: CorruptRecordError,
        remedy: str | None = None,
    ) -> None:
        remedy = remedy or f"seek to {next_offset} to pass it by"
        super().__init__(f"{part} cannot be read from offset {offset} on: {cause}; {remedy}")
        self.part = part
        self.offset = offset
        self.next_offset = next_offset
        """Behind the batch."""


class OldFormatError(ClientError):
    """Message sets of format 0 or 1."""

    def __init__(self, part: TopicPartition, offset: int, magic: int) -> None:
        super().__init__(
            f"{part} has records of message format {magic} at offset {offset}, from before "
            "Kafka 0.11: copy the topic with a Java client, which rewrites them in format 2"
        )
        self.part = part
        self.offset = offset


class RecordTooLargeError(ClientError):
    """Nothing has room for it."""

    def __init__(self, topic: str, size: int, setting: str) -> None:
        super().__init__(
            f"a record of {size} bytes for {topic} is larger than {setting} allows: raise that, or "
            "send less at a time"
        )
        self.topic = topic
        self.size = size


class PartitionerError(ClientError):
    """A function of the user's has failed, and with it the record that it was called for."""

    def __init__(self, topic: str, cause: Exception) -> None:
        super().__init__(
            f"the partitioner has failed for a record to {topic}, which was not sent: "
            f"{type(cause).__name__}: {cause}"
        )


class BufferFullError(ClientError):
    """The brokers, or the way to them, are slower than the producer sends."""

    def __init__(self, buffer_bytes: int, block_ms: int) -> None:
        super().__init__(
            f"the {buffer_bytes} bytes of buffer.memory were full for {block_ms} ms (max.block.ms):"
            " the brokers take less than is sent"
        )


class CommitFailedError(ClientError):
    """Offsets were committed by a member that has lost its place in the group."""

    def __init__(self, group: str, code: ErrorCode) -> None:
        super().__init__(
            f"cannot commit offsets of group {group}: {code.name}, it has rebalanced meanwhile and "
            "others read on from the last commit; poll more often, or raise max.poll.interval.ms"
        )
        self.error = code


class NoOffsetError(ClientError):
    """Where to begin is not known."""

    def __init__(self, part: TopicPartition) -> None:
        super().__init__(
            f"{part} has no committed offset, and auto.offset.reset is none: seek, or commit one"
        )
        self.part = part


class NotYetError(ClientError, TimeoutError):
    """What was waited for may come still."""

    def __init__(self, what: str, timeout: float) -> None:
        super().__init__(f"{what} was not done within {timeout} s, and goes on: wait for it again")


class FencedError(ClientError):
    """The name belongs to another producer now."""

    def __init__(
        self,
        what: str,
        reason: str = "another one has begun under the same name, so close this one",
    ) -> None:
        super().__init__(f"this {what} was fenced: {reason}")


class NameTakenError(FencedError):
    """Another member of the group has the name, and has not left (KIP-848)."""

    def __init__(self, group: str, name: str | None) -> None:
        ClientError.__init__(
            self,
            f"another member of group {group} has the name {name} (group.instance.id): give each "
            "its own, or wait until that one has left or its session has ended",
        )


class TransactionError(ClientError):
    """Used out of order, or failed before its end."""


class SerializationError(ClientError):
    """A value that is not what its serializer takes."""


class RefusedError(ClientError, KafkaError):
    """The broker refuses with an error code that has no class of its own."""

    def __init__(self, what: str, code: ErrorCode, detail: str | None = None) -> None:
        super().__init__(int(code), f"{what}: {code.name}, {detail or code.message}")
        self.error = code
        self.detail = detail or code.message
        """The reason alone, as the broker gave it."""


class DeserializationError(SerializationError):
    """What a deserializer cannot read; the consumer stays in front of it."""

    def __init__(
        self, part: TopicPartition, offset: int, cause: Exception, remedy: str | None = None
    ) -> None:
        remedy = remedy or f"seek to {offset + 1} to pass it by"
        super().__init__(
            f"{part} has at offset {offset} what its deserializer cannot read: {cause}; {remedy}"
        )
        self.part = part
        self.offset = offset


class OtherLoopError(ClientError):
    """A client was used elsewhere than on the loop that it lives on."""

    def __init__(self, what: str, *, is_over: bool) -> None:
        cause = "has ended" if is_over else "is not the one that runs here"
        super().__init__(
            f"the event loop of this {what} {cause}: make one on each loop, in each thread and "
            "after a fork, and close it before its loop ends"
        )


class ConcurrentUseError(ClientError):
    """Records are asked for while they are asked for."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} is asked for records by another thread or task at the moment, or by its own "
            "listener: make one for each of them"
        )


class CallBackError(ClientError):
    """What would wait for ever, as what it waits for goes on where it was called."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} cannot wait in a call-back, as its own loop stands still meanwhile: have "
            "another thread do that"
        )


class ClosedError(ClientError):
    """Nothing can be asked of it any more."""

    def __init__(
        self,
        what: str = "the connection",
        cause: BaseException | None = None,
        *,
        has_begun: bool = True,
    ) -> None:
        state = "is closed, or was made before a fork: make a new one"
        if cause is not None:
            state = f"was ended by {type(cause).__name__}: {cause} (in a function of yours?): "
            state += "make a new one"
        elif not has_begun:
            state = "has not begun: use it in `async with`, or call start() and at the end close()"
        super().__init__(f"{what} {state}")


def refusal(
    what: str, code: ErrorCode, detail: str | None = None, api_key: int = -1
) -> ClientError:
    """The error for a code that came back for `what`, such as `topic orders`.

    What was asked decides which right is missing, where one is.
    """
    from moldau.client.rights import right_of

    right = right_of(code, api_key)
    if right is None:
        return RefusedError(what, code, detail)
    is_of_cluster = code is ErrorCode.CLUSTER_AUTHORIZATION_FAILED
    return AccessDeniedError("the cluster" if is_of_cluster else what, right, code)
