"""Committed offsets in `__consumer_offsets`, key types 0 and 1, written by group coordinators.

Keys begin with the key type, values with the version, each two bytes. A null value deletes.
Transactional commits are the same records in transactional batches. Key type 0 is read, no longer
written.

Value versions: 1 has an expiry and is still written when a client asks for one, 3 leader epoch,
4 flexible, with the topic's id as a tag. 2 has neither expiry nor epoch.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import CoordinatorKey, CoordinatorValue
from moldau.protocol.wire.types import Int32, Int64, String, Uuid


class OffsetCommitKey(CoordinatorKey, key=1, versions="0"):
    """Names a partition for which a group has committed."""

    group: String
    topic: String
    partition: Int32


class OffsetCommitValue(CoordinatorValue, key=1, versions="0-4", flexible="4+"):
    """Records the offset a group has reached in a partition."""

    offset: Int64
    """The next record to read."""
    leader_epoch: Int32 = at("3+", default=-1, ignorable=True)
    """Leader epoch of the last record consumed; -1 if not known."""
    metadata: String
    commit_timestamp: Int64
    expire_timestamp: Int64 = at("1", default=-1, ignorable=True)
    """-1: the broker's retention counts."""
    topic_id: Uuid = at("4+", tag=0, ignorable=True)
    """All zero if the commit did not say."""


class LegacyOffsetCommitKey(CoordinatorKey, key=0, versions="0"):
    """Names a partition as the oldest brokers wrote it."""

    group: String
    topic: String
    partition: Int32


class LegacyOffsetCommitValue(CoordinatorValue, key=0, versions="0"):
    """Records an offset as the oldest brokers wrote it."""

    offset: Int64
    metadata: String
    commit_timestamp: Int64
