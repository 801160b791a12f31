"""What a fetch says of its partitions: records or refusals, under the names of their topics."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from moldau.broker.log.reading import FetchResult
from moldau.broker.log.segment.transaction_index import AbortedTransaction
from moldau.broker.server.fetch.fetched import PartitionData
from moldau.broker.server.fetch.sessions import PartitionAnswer
from moldau.platform.buffers import Buffer
from moldau.protocol.messages.data.fetch import FetchResponse

__all__ = [
    "SENDFILE_FROM",
    "TopicAnswer",
    "answer_of",
    "by_topic",
    "joined",
    "refused",
    "told_abort",
]

TopicAnswer = FetchResponse.FetchableTopicResponse
SENDFILE_FROM = 16 * 1024
"""Smaller slices are read and sent with the rest of the answer: one call to the system less."""


def answer_of(index: int, found: FetchResult, *, is_cold: bool = False) -> PartitionData:
    """The response for a partition that was read."""
    # hot: for each partition of each fetch.
    aborted = found.aborted_transactions
    return PartitionData(
        partition_index=index,
        error_code=0,
        high_watermark=found.high_watermark,
        last_stable_offset=found.last_stable_offset,
        log_start_offset=found.log_start_offset,
        aborted_transactions=None if aborted is None else [told_abort(one) for one in aborted],
        records=_records_of(found, is_cold),
    )


def told_abort(aborted: AbortedTransaction) -> PartitionData.AbortedTransaction:
    return PartitionData.AbortedTransaction(
        producer_id=aborted.producer_id, first_offset=aborted.first_offset
    )


def _records_of(found: FetchResult, is_cold: bool) -> Buffer:
    """A slice for `sendfile`, or the bytes themselves where there are few."""
    if found.slice is None:
        return b""
    if found.size < SENDFILE_FROM and not is_cold:
        return found.read()
    return cast(Buffer, found.slice)  # the encoder takes it as a part of its own


def refused(index: int, code: int) -> PartitionData:
    """The answer for a partition that cannot be read."""
    return PartitionData(partition_index=index, error_code=code, high_watermark=-1, records=b"")


def by_topic(told: Iterable[PartitionAnswer]) -> list[TopicAnswer]:
    """Neighbours of one topic under its name, as Kafka groups them."""
    topics: list[TopicAnswer] = []
    last: str | bytes | None = None
    for fetched, data in told:
        if fetched.topic != last:
            last = fetched.topic
            topic = TopicAnswer(partitions=[])
            if isinstance(last, bytes):
                topic.topic_id = last
            else:
                topic.topic = last
            topics.append(topic)
        topics[-1].partitions.append(data)
    return topics


def joined(topics: list[TopicAnswer], more: list[TopicAnswer]) -> list[TopicAnswer]:
    """Those and these, of which the last and the first may be of the same topic."""
    if topics and more:
        last, first = topics[-1], more[0]
        if (last.topic, last.topic_id) == (first.topic, first.topic_id):
            last.partitions += first.partitions
            more = more[1:]
    topics += more
    return topics
