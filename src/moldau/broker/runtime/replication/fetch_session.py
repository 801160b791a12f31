"""The follower's side of a fetch session (KIP-227): only what has changed is sent again.

A fetcher notes partitions that `change`: their log has grown, was cut, or they are new; and those
that `leave`: they are led elsewhere, or have to pause. A request then lists these alone, and the
leader goes on with all the others as it knows them. After any failure the session begins anew with
everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from moldau.broker.runtime.replication.followed import Followed, PartitionKey
from moldau.broker.runtime.replication.ports import FetchSettings
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["FetchSession"]

NO_SESSION: Final = 0
FIRST_EPOCH: Final = 0
EPOCH_MAX: Final = 0x7FFFFFFF
Topic = FetchRequest.FetchTopic
Forgotten = FetchRequest.ForgottenTopic


class FetchSession:
    """Which partitions the leader has in the session, and what is to be sent of them."""

    def __init__(self) -> None:
        self.wanted: dict[PartitionKey, Followed] = {}
        """All that are to be fetched."""
        self._session_id = NO_SESSION
        self._epoch = FIRST_EPOCH
        self._listed: dict[PartitionKey, None] = {}
        """Those that the leader knows of."""
        self._changed: dict[PartitionKey, None] = {}

    def __repr__(self) -> str:
        return f"FetchSession({self._session_id}, epoch {self._epoch}, {len(self.wanted)} wanted)"

    # What the fetcher notes.

    def change(self, followed: Followed) -> None:
        """It is wanted, from where its log ends now."""
        self.wanted[followed.key] = followed
        self._changed[followed.key] = None

    def leave(self, key: PartitionKey) -> None:
        """It is not wanted any more, or not just now."""
        self.wanted.pop(key, None)
        self._changed.pop(key, None)

    def reset(self) -> None:
        """Begin anew, whatever the leader may remember."""
        self._epoch = FIRST_EPOCH
        self._listed = {}

    # The request and its answer.

    def request(
        self, settings: FetchSettings, replica_id: int, broker_epoch: int, wait_ms: int
    ) -> FetchRequest:
        """The next fetch of the session, held for so long where it finds nothing."""
        is_full = self._epoch == FIRST_EPOCH
        listed = self.wanted if is_full else self._changed
        topics = _by_topic(self.wanted[key] for key in listed)
        gone = () if is_full else [key for key in self._listed if key not in self.wanted]
        request = FetchRequest(
            replica_state=FetchRequest.ReplicaState(
                replica_id=replica_id, replica_epoch=broker_epoch
            ),
            max_wait_ms=wait_ms,
            min_bytes=settings.replica_fetch_min_bytes,
            max_bytes=settings.replica_fetch_response_max_bytes,
            session_id=self._session_id,
            session_epoch=self._epoch,
            topics=list(_topics(topics, settings.replica_fetch_max_bytes)),
            forgotten_topics_data=list(_forgotten(gone)),
        )
        for key in gone:
            del self._listed[key]
        self._listed.update(dict.fromkeys(listed))
        self._changed = {}
        return request

    def answered(self, error_code: int, session_id: int) -> bool:
        """Whether the answer can be used; if not, the next request begins anew."""
        if error_code != ErrorCode.NONE:
            if error_code == ErrorCode.FETCH_SESSION_ID_NOT_FOUND:
                self._session_id = NO_SESSION
            self.reset()
            return False
        self._session_id = session_id
        if session_id == NO_SESSION:
            self.reset()
        else:
            self._epoch = 1 if self._epoch == EPOCH_MAX else self._epoch + 1
        return True


def _by_topic(listed: Iterable[Followed]) -> dict[bytes, list[Followed]]:
    topics: dict[bytes, list[Followed]] = {}
    for followed in listed:
        topics.setdefault(followed.key[0], []).append(followed)
    return topics


def _topics(topics: dict[bytes, list[Followed]], max_bytes: int) -> Iterator[Topic]:
    for topic_id, listed in topics.items():
        partitions = [_asked(followed, max_bytes) for followed in listed]
        name = listed[0].partition.topic
        yield Topic(topic=name, topic_id=topic_id, partitions=partitions)


def _asked(followed: Followed, max_bytes: int) -> Topic.FetchPartition:
    """What is wanted of one partition; remembered, for the answer is about this offset."""
    # hot: once for each partition whose log has grown, not for each of the session.
    partition = followed.partition
    followed.asked_offset = partition.log_end_offset
    return Topic.FetchPartition(
        partition=partition.index,
        current_leader_epoch=followed.leader_epoch,
        fetch_offset=followed.asked_offset,
        last_fetched_epoch=followed.last_epoch,
        log_start_offset=partition.log_start_offset,
        partition_max_bytes=max_bytes,
    )


def _forgotten(keys: Iterable[PartitionKey]) -> Iterator[Forgotten]:
    indexes: dict[bytes, list[int]] = {}
    for topic_id, index in keys:
        indexes.setdefault(topic_id, []).append(index)
    for topic_id, partitions in indexes.items():
        yield Forgotten(topic_id=topic_id, partitions=partitions)
