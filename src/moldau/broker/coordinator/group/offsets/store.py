"""Which offset each group has committed for each partition, and which are pending.

An offset of a transaction is pending until the transaction's marker: then it counts, unless an
offset that lies later in the log has been committed in the meantime. Pending offsets make their
partition unstable for readers that ask for stable ones (KIP-447), and keep it from expiring.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from moldau.protocol.messages.stored.offsets import OffsetCommitValue
from moldau.protocol.wire.types import NULL_UUID

NO_OFFSET: Final = -1


class Place(NamedTuple):
    """What an offset is for, within its group."""

    topic: str
    partition: int


class CommittedOffset:
    """A commit, and where its record lies."""

    __slots__ = (
        "commit_timestamp_ms", "expire_timestamp_ms", "leader_epoch", "metadata", "offset",
        "record_offset", "topic_id",
    )  # fmt: skip

    def __init__(
        self,
        offset: int,
        leader_epoch: int,
        metadata: str,
        commit_timestamp_ms: int,
        expire_timestamp_ms: int,
        topic_id: bytes,
        record_offset: int,
    ) -> None:
        self.offset = offset
        self.leader_epoch = leader_epoch
        self.metadata = metadata
        self.commit_timestamp_ms = commit_timestamp_ms
        self.expire_timestamp_ms = expire_timestamp_ms
        """-1: the broker's retention counts."""
        self.topic_id = topic_id
        self.record_offset = record_offset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CommittedOffset) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        return f"CommittedOffset{self._values()}"

    def _values(self) -> tuple[int, int, str, int, int, bytes, int]:
        return (
            self.offset, self.leader_epoch, self.metadata, self.commit_timestamp_ms,
            self.expire_timestamp_ms, self.topic_id, self.record_offset,
        )  # fmt: skip

    @classmethod
    def of(cls, value: OffsetCommitValue, record_offset: int) -> CommittedOffset:
        return cls(
            value.offset,
            value.leader_epoch,
            value.metadata,
            value.commit_timestamp,
            value.expire_timestamp,
            value.topic_id,
            record_offset,
        )

    def is_of_other_topic(self, topic_id: bytes) -> bool:
        """Whether it was committed for a topic of this name that has since been deleted."""
        return NULL_UUID not in (topic_id, self.topic_id) and topic_id != self.topic_id


Commits = dict[Place, CommittedOffset]


class OffsetStore:
    """The offsets of all groups of a shard."""

    def __init__(self) -> None:
        self._committed: dict[str, Commits] = {}
        self._pending: dict[int, dict[str, Commits]] = {}
        self._counts: dict[str, int] = {}

    def __repr__(self) -> str:
        count = sum(map(len, self._committed.values()))
        return f"OffsetStore({count} offsets, {len(self._pending)} open transactions)"

    def of_group(self, group_id: str) -> Commits:
        """The group's committed offsets; not to be changed."""
        return self._committed.get(group_id, {})

    def group_ids(self) -> list[str]:
        """The groups that have offsets, committed or pending."""
        pending = (group_id for groups in self._pending.values() for group_id in groups)
        return list(dict.fromkeys((*self._committed, *pending)))

    def has_pending(self, group_id: str, place: Place) -> bool:
        """Whether an open transaction may still change this offset."""
        return any(place in groups.get(group_id, ()) for groups in self._pending.values())

    def has_any_pending(self, group_id: str) -> bool:
        """Whether an open transaction may still change any offset of the group."""
        return any(group_id in groups for groups in self._pending.values())

    def pending_places(self, group_id: str) -> Iterator[Place]:
        for groups in self._pending.values():
            yield from groups.get(group_id, ())

    def commits_by_group(self) -> list[tuple[str, int]]:
        """How many offsets each group has committed, by the records that are there."""
        return list(self._counts.items())

    # Applied records.

    def put(self, group_id: str, place: Place, committed: CommittedOffset) -> None:
        self._committed.setdefault(group_id, {})[place] = committed
        self._counts[group_id] = self._counts.get(group_id, 0) + 1

    def remove(self, group_id: str, place: Place) -> None:
        """Nothing is committed here any more, and nothing that is pending will be."""
        for groups in self._pending.values():
            pending = groups.get(group_id, {})
            if pending.pop(place, None) is not None and not pending:
                del groups[group_id]
        commits = self._committed.get(group_id, {})
        commits.pop(place, None)
        if not commits:
            self._committed.pop(group_id, None)
            self._counts.pop(group_id, None)

    def put_pending(
        self, producer_id: int, group_id: str, place: Place, committed: CommittedOffset
    ) -> None:
        self._pending.setdefault(producer_id, {}).setdefault(group_id, {})[place] = committed

    def end_transaction(self, producer_id: int, is_commit: bool) -> None:
        """The producer's pending offsets count from now on, or are forgotten."""
        ended = self._pending.pop(producer_id, {})
        if not is_commit:
            return
        for group_id, commits in ended.items():
            for place, committed in commits.items():
                self._put_if_newer(group_id, place, committed)

    def _put_if_newer(self, group_id: str, place: Place, committed: CommittedOffset) -> None:
        present = self.of_group(group_id).get(place)
        if present is None or present.record_offset < committed.record_offset:
            self.put(group_id, place, committed)
