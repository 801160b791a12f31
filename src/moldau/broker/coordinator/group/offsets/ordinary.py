"""Ordinary commits: those that differ from the last one in numbers alone.

What does not change from one commit to the next is worked out once (`Committer`): keys of records,
places, ids. A commit itself is then no message and makes none: its numbers are packed, appended,
and put into the store. The rules are those of `commit`, asked of the same group in the same words;
whatever they refuse, and all that is not ordinary, is left to `commit`, which knows what to answer.
A test shows that both leave the same records and the same offsets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.group.offsets.commit import TouchSession
from moldau.broker.coordinator.group.offsets.encoding import SHORT, encode_value
from moldau.broker.coordinator.group.offsets.records import NEVER
from moldau.broker.coordinator.group.offsets.store import CommittedOffset, Place
from moldau.errors import KafkaError

Pair = tuple[bytes, bytes | None]


class CommitPart(NamedTuple):
    """A partition for which is committed."""

    place: Place
    key: bytes
    """Of its records."""
    topic_id: bytes


class Committer(NamedTuple):
    """Who commits, and for what."""

    group_id: str
    member_id: str
    instance_id: str | None
    epoch: int
    version: int
    """Of the request's API."""
    parts: tuple[CommitPart, ...]


class Progress(NamedTuple):
    """What is committed for one partition."""

    offset: int
    leader_epoch: int
    metadata: bytes


class OrdinaryCommits:
    """Of all groups of a shard."""

    def __init__(self, groups: Groups, touch_session: TouchSession) -> None:
        self._groups = groups
        self._touch_session = touch_session

    # hot: once for each commit of who is alone.
    def decide(
        self, committer: Committer, progress: Sequence[Progress], now_ms: int
    ) -> list[Pair] | None:
        """The records that commit; None where it takes more to know."""
        group_id, member_id, instance_id, epoch, version, parts = committer
        groups = self._groups
        group = groups.by_id.get(group_id)
        if group is None:
            return None
        try:
            if group.check_commit(
                member_id, instance_id, epoch, is_transactional=False, version=version
            ):
                return None
        except KafkaError:
            return None
        pairs: list[Pair] = []
        for part, (offset, leader_epoch, metadata) in zip(parts, progress, strict=True):
            if metadata and not self._is_plain(metadata):
                return None
            value = encode_value(offset, leader_epoch, metadata, now_ms, part.topic_id)
            pairs.append((part.key, value))
        self._touch_session(group, member_id, now_ms)
        return pairs

    def _is_plain(self, metadata: bytes) -> bool:
        """Whether they are as long in characters as in bytes, and not too long."""
        size_max = self._groups.world.settings.offset_metadata_max_bytes
        return metadata.isascii() and len(metadata) <= size_max and len(metadata) < SHORT

    def apply(
        self, committer: Committer, progress: Sequence[Progress], now_ms: int, first_offset: int
    ) -> None:
        """What was decided at this time is in the log, from this offset on."""
        put, group_id, record_offset = self._groups.offsets.put, committer.group_id, first_offset
        for part, (offset, leader_epoch, metadata) in zip(committer.parts, progress, strict=True):
            text = metadata.decode() if metadata else ""
            place, _, topic_id = part
            put(
                group_id,
                place,
                CommittedOffset(offset, leader_epoch, text, now_ms, NEVER, topic_id, record_offset),
            )
            record_offset += 1
