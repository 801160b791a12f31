"""The share session with one broker: which partitions it has, and the epoch of the next request.

Epoch 0 opens it with all partitions; then each request names only what is new, what goes, and what
is acknowledged; -1 closes it, and the broker releases what is still held.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.client.core.sharing.held import TypedRange
from moldau.client.settings.share import ShareSettings
from moldau.protocol.messages.share.share_acknowledge import ShareAcknowledgeRequest
from moldau.protocol.messages.share.share_fetch import ShareFetchRequest

__all__ = ["ShareSession", "TopicIdPartition"]

OPENING, CLOSING = 0, -1
EPOCH_MAX = 2**31 - 1
STRICT, WHOLE_BATCHES = 1, 0
TopicIdPartition = tuple[bytes, int]
Ranges = Mapping[TopicIdPartition, list[TypedRange]]
Fetched = ShareFetchRequest.FetchTopic
Acknowledged = ShareAcknowledgeRequest.AcknowledgeTopic


class ShareSession:
    """The share session of one member with one broker."""

    def __init__(self, settings: ShareSettings, member_id: str) -> None:
        self._settings = settings
        self._member_id = member_id
        self._epoch = OPENING
        self._parts: frozenset[TopicIdPartition] = frozenset()

    @property
    def is_open(self) -> bool:
        return self._epoch != OPENING

    def fetch(
        self, parts: Iterable[TopicIdPartition], ranges: Ranges, max_wait_ms: int
    ) -> ShareFetchRequest:
        """Of these partitions from now on, with what has been acknowledged."""
        settings, wanted = self._settings, frozenset(parts)
        named = (wanted - self._parts) | set(ranges)
        gone = self._parts - wanted
        self._parts = wanted
        return ShareFetchRequest(
            group_id=settings.group_id,
            member_id=self._member_id,
            share_session_epoch=self._epoch,
            max_wait_ms=max_wait_ms,
            min_bytes=settings.fetch_min_bytes,
            max_bytes=settings.fetch_max_bytes,
            max_records=settings.max_poll_records,
            batch_size=settings.max_poll_records,
            share_acquire_mode=STRICT if settings.is_strict else WHOLE_BATCHES,
            topics=[
                Fetched(
                    topic_id=topic_id,
                    partitions=[
                        Fetched.FetchPartition(
                            partition_index=number,
                            acknowledgement_batches=[
                                _fetch_batch(one) for one in ranges.get((topic_id, number), ())
                            ],
                        )
                        for number in numbers
                    ],
                )
                for topic_id, numbers in _by_topic(named).items()
            ],
            forgotten_topics_data=[
                ShareFetchRequest.ForgottenTopic(topic_id=topic_id, partitions=numbers)
                for topic_id, numbers in _by_topic(gone).items()
            ],
        )

    def acknowledge(
        self, ranges: Ranges, *, renews: bool = False, closes: bool = False
    ) -> ShareAcknowledgeRequest:
        return ShareAcknowledgeRequest(
            group_id=self._settings.group_id,
            member_id=self._member_id,
            share_session_epoch=CLOSING if closes else self._epoch,
            is_renew_ack=renews,
            topics=[
                Acknowledged(
                    topic_id=topic_id,
                    partitions=[
                        Acknowledged.AcknowledgePartition(
                            partition_index=number,
                            acknowledgement_batches=[
                                _batch(one) for one in ranges[topic_id, number]
                            ],
                        )
                        for number in numbers
                    ],
                )
                for topic_id, numbers in _by_topic(ranges).items()
            ],
        )

    def went_on(self) -> None:
        """The broker has answered."""
        self._epoch = 1 if self._epoch == EPOCH_MAX else self._epoch + 1

    def lost(self) -> None:
        """The broker does not have it any more: the next request opens another."""
        self._epoch, self._parts = OPENING, frozenset()


def _by_topic(parts: Iterable[TopicIdPartition]) -> dict[bytes, list[int]]:
    grouped: dict[bytes, list[int]] = {}
    for topic_id, number in sorted(parts):
        grouped.setdefault(topic_id, []).append(number)
    return grouped


def _fetch_batch(one: TypedRange) -> Fetched.FetchPartition.AcknowledgementBatch:
    return Fetched.FetchPartition.AcknowledgementBatch(
        first_offset=one.first_offset,
        last_offset=one.last_offset,
        acknowledge_types=list(one.types),
    )


def _batch(one: TypedRange) -> Acknowledged.AcknowledgePartition.AcknowledgementBatch:
    return Acknowledged.AcknowledgePartition.AcknowledgementBatch(
        first_offset=one.first_offset,
        last_offset=one.last_offset,
        acknowledge_types=list(one.types),
    )
