"""Records of coordinators ↔ the bytes of keys and values.

A key begins with an int16, the record's type, and goes on as the key's message in version 0. A
value begins with an int16, its schema version, and goes on as the value's message in that version.
A null value is a tombstone. Each coordinator's topic has its own types, so the codec is given the
table of the topic.

Types that the table lacks come from brokers of another time: they decode to None and are stepped
over, as Kafka does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from moldau.broker.coordinator.group.offsets.encoding import encode_commit
from moldau.broker.coordinator.shard import StoredRecord
from moldau.errors import DecodeError
from moldau.platform.buffers import Buffer
from moldau.protocol.messages.stored import (
    classic_group,
    consumer_group,
    offsets,
    share_group,
    share_state,
    streams_group,
    transaction_log,
)
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.schema import CoordinatorKey, CoordinatorValue, Message

KEY_VERSION = 0
OFFSET_KEY = offsets.OffsetCommitKey.KEY
_PREFIX_SIZE = 2


class Schema(NamedTuple):
    """The two messages of a record type."""

    key: type[CoordinatorKey]
    value: type[CoordinatorValue]


RecordTypes = Mapping[int, Schema]

GROUP_RECORDS: RecordTypes = {
    schema.key.KEY: schema
    for schema in (
        Schema(offsets.LegacyOffsetCommitKey, offsets.LegacyOffsetCommitValue),
        Schema(offsets.OffsetCommitKey, offsets.OffsetCommitValue),
        Schema(classic_group.GroupMetadataKey, classic_group.GroupMetadataValue),
        Schema(consumer_group.ConsumerGroupMetadataKey, consumer_group.ConsumerGroupMetadataValue),
        Schema(
            consumer_group.ConsumerGroupPartitionMetadataKey,
            consumer_group.ConsumerGroupPartitionMetadataValue,
        ),
        Schema(
            consumer_group.ConsumerGroupMemberMetadataKey,
            consumer_group.ConsumerGroupMemberMetadataValue,
        ),
        Schema(
            consumer_group.ConsumerGroupTargetAssignmentMetadataKey,
            consumer_group.ConsumerGroupTargetAssignmentMetadataValue,
        ),
        Schema(
            consumer_group.ConsumerGroupTargetAssignmentMemberKey,
            consumer_group.ConsumerGroupTargetAssignmentMemberValue,
        ),
        Schema(
            consumer_group.ConsumerGroupCurrentMemberAssignmentKey,
            consumer_group.ConsumerGroupCurrentMemberAssignmentValue,
        ),
        Schema(
            consumer_group.ConsumerGroupRegularExpressionKey,
            consumer_group.ConsumerGroupRegularExpressionValue,
        ),
        Schema(share_group.ShareGroupMemberMetadataKey, share_group.ShareGroupMemberMetadataValue),
        Schema(share_group.ShareGroupMetadataKey, share_group.ShareGroupMetadataValue),
        Schema(
            share_group.ShareGroupTargetAssignmentMetadataKey,
            share_group.ShareGroupTargetAssignmentMetadataValue,
        ),
        Schema(
            share_group.ShareGroupTargetAssignmentMemberKey,
            share_group.ShareGroupTargetAssignmentMemberValue,
        ),
        Schema(
            share_group.ShareGroupCurrentMemberAssignmentKey,
            share_group.ShareGroupCurrentMemberAssignmentValue,
        ),
        Schema(
            share_group.ShareGroupStatePartitionMetadataKey,
            share_group.ShareGroupStatePartitionMetadataValue,
        ),
        Schema(streams_group.StreamsGroupMetadataKey, streams_group.StreamsGroupMetadataValue),
        Schema(
            streams_group.StreamsGroupMemberMetadataKey,
            streams_group.StreamsGroupMemberMetadataValue,
        ),
        Schema(
            streams_group.StreamsGroupTargetAssignmentMetadataKey,
            streams_group.StreamsGroupTargetAssignmentMetadataValue,
        ),
        Schema(
            streams_group.StreamsGroupTargetAssignmentMemberKey,
            streams_group.StreamsGroupTargetAssignmentMemberValue,
        ),
        Schema(
            streams_group.StreamsGroupCurrentMemberAssignmentKey,
            streams_group.StreamsGroupCurrentMemberAssignmentValue,
        ),
        Schema(streams_group.StreamsGroupTopologyKey, streams_group.StreamsGroupTopologyValue),
    )
}
"""The types of `__consumer_offsets`."""

TRANSACTION_RECORDS: RecordTypes = {
    0: Schema(transaction_log.TransactionLogKey, transaction_log.TransactionLogValue)
}
"""The type of `__transaction_state`."""

SHARE_STATE_RECORDS: RecordTypes = {
    0: Schema(share_state.ShareSnapshotKey, share_state.ShareSnapshotValue),
    1: Schema(share_state.ShareUpdateKey, share_state.ShareUpdateValue),
}
"""The types of `__share_group_state`."""


def encode_stored(record: StoredRecord) -> tuple[bytes, bytes | None]:
    """Key and value as they lie in the log."""
    if record.key.KEY == OFFSET_KEY:
        pair = encode_commit(record)
        if pair is not None:
            return pair
    key = record.key.KEY.to_bytes(_PREFIX_SIZE, "big") + encode(record.key, KEY_VERSION)
    if record.value is None:
        return key, None
    version = record.value_version
    return key, version.to_bytes(_PREFIX_SIZE, "big") + encode(record.value, version)


def decode_stored(types: RecordTypes, key: Buffer, value: Buffer | None) -> StoredRecord | None:
    """The record, or None where its type is not known."""
    schema = types.get(_prefix(key, "key"))
    if schema is None:
        return None
    decoded_key: Message = decode(schema.key, KEY_VERSION, memoryview(key)[_PREFIX_SIZE:])
    if value is None:
        return StoredRecord(decoded_key, None)
    version = _prefix(value, "value")
    if version not in schema.value.VERSIONS:
        raise DecodeError(f"{schema.value.__name__} has no version {version}")
    return StoredRecord(
        decoded_key, decode(schema.value, version, memoryview(value)[_PREFIX_SIZE:]), version
    )


def _prefix(buffer: Buffer, name: str) -> int:
    if len(buffer) < _PREFIX_SIZE:
        raise DecodeError(f"a coordinator record's {name} of {len(buffer)} bytes has no prefix")
    return int.from_bytes(bytes(buffer[:_PREFIX_SIZE]), "big", signed=True)
