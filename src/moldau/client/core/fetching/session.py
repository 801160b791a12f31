"""A fetch session with one broker: only what changed is sent, in both directions (KIP-227).

    epoch 0, id 0        a full fetch: every partition is named; the answer may open a session
    epoch 1, 2, 3 …      only new and changed partitions, and those that are to be forgotten
    anything goes wrong  begin again with a full fetch

The broker remembers each partition's position as it was sent last, so one that is not wanted for a
moment has to be forgotten: otherwise its records would be sent again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from moldau.protocol.messages.data.fetch import FetchRequest

__all__ = ["FetchSession", "PartitionKey", "Wanted"]

EPOCH_MAX = 0x7FFFFFFF
NO_SESSION = 0

FetchTopic = FetchRequest.FetchTopic
FetchPartition = FetchTopic.FetchPartition
ForgottenTopic = FetchRequest.ForgottenTopic


class PartitionKey(NamedTuple):
    """How a session names a partition."""

    topic_id: bytes
    partition: int


class Wanted(NamedTuple):
    """What a session sends of a partition."""

    topic: str
    offset: int
    max_bytes: int
    leader_epoch: int
    last_epoch: int


class FetchSession:
    """Our side of it."""

    def __init__(self) -> None:
        self.session_id = NO_SESSION
        self.epoch = 0
        self._sent: dict[PartitionKey, Wanted] = {}

    def __repr__(self) -> str:
        return f"<FetchSession {self.session_id} epoch {self.epoch}: {len(self._sent)} partitions>"

    def fill(self, request: FetchRequest, wanted: Mapping[PartitionKey, Wanted]) -> None:
        """Say in `request` that exactly these are wanted."""
        request.session_id = self.session_id
        request.session_epoch = self.epoch
        gone = [key for key in self._sent if key not in wanted]
        request.forgotten_topics_data = _forgotten(self._sent, gone) if self.epoch else []
        changed = {
            key: one for key, one in wanted.items() if not self.epoch or self._sent.get(key) != one
        }
        request.topics = _topics(changed)
        self._sent = dict(wanted)

    def answered(self, session_id: int) -> None:
        """An answer without an error came, with this session id in it."""
        if session_id == NO_SESSION:
            self.reset()
            return
        self.session_id = session_id
        self.epoch = self.epoch % EPOCH_MAX + 1

    def reset(self) -> None:
        """What the broker's session holds is not certain any more."""
        self.session_id, self.epoch = NO_SESSION, 0
        self._sent = {}


def _topics(wanted: Mapping[PartitionKey, Wanted]) -> list[FetchTopic]:
    rows: dict[bytes, list[FetchPartition]] = defaultdict(list)
    names: dict[bytes, str] = {}
    for key, one in wanted.items():
        names[key.topic_id] = one.topic
        rows[key.topic_id].append(
            FetchPartition(
                partition=key.partition,
                current_leader_epoch=one.leader_epoch,
                fetch_offset=one.offset,
                last_fetched_epoch=one.last_epoch,
                partition_max_bytes=one.max_bytes,
            )
        )
    return [
        FetchTopic(topic=names[topic_id], topic_id=topic_id, partitions=partitions)
        for topic_id, partitions in rows.items()
    ]


def _forgotten(
    known: Mapping[PartitionKey, Wanted], keys: Iterable[PartitionKey]
) -> list[ForgottenTopic]:
    rows: dict[bytes, list[int]] = defaultdict(list)
    names: dict[bytes, str] = {}
    for key in keys:
        names[key.topic_id] = known[key].topic
        rows[key.topic_id].append(key.partition)
    return [
        ForgottenTopic(topic=names[topic_id], topic_id=topic_id, partitions=partitions)
        for topic_id, partitions in rows.items()
    ]
