"""Records to a topic, and what came of each: where it is, or why it is nowhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from moldau.client import AsyncProducer
from moldau.client.aio.producer import AsyncDelivery
from moldau.client.core.producing.batch import RecordMetadata
from moldau.client.errors import ClientError, UnknownTopicError
from moldau.errors import MoldauError
from moldau.programs.rest.refusals import Refusal, refuse

__all__ = ["Outcome", "Record", "ensure_topic", "send_all"]

Outcome: TypeAlias = RecordMetadata | MoldauError


class Record(NamedTuple):
    """As a request brought it."""

    key: bytes | None
    value: bytes | None
    partition: int | None = None
    timestamp: int | None = None
    headers: tuple[tuple[str, bytes | None], ...] = ()


async def ensure_topic(producer: AsyncProducer, topic: str, code: int) -> None:
    """Return when records can be sent there; otherwise refuse with this code."""
    try:
        await producer.partitions(topic)
    except UnknownTopicError as error:
        raise refuse(code, str(error)) from None


async def send_all(
    producer: AsyncProducer, topic: str, records: Iterable[Record | MoldauError]
) -> list[Outcome]:
    """In their order; an error among the records is its own outcome."""
    deliveries = [
        one if isinstance(one, MoldauError) else await _send(producer, topic, one)
        for one in records
    ]
    outcomes: list[Outcome] = []
    for delivery in deliveries:
        if isinstance(delivery, MoldauError):
            outcomes.append(delivery)
            continue
        try:
            outcomes.append(delivery.metadata() if delivery.is_done else await delivery)
        except ClientError as error:
            outcomes.append(_reason(error))
    return outcomes


async def _send(producer: AsyncProducer, topic: str, record: Record) -> AsyncDelivery | MoldauError:
    key, value, partition, timestamp, headers = record
    try:
        return await producer.send(
            topic, value, key=key, partition=partition, timestamp=timestamp, headers=headers
        )
    except ClientError as error:
        return _reason(error)


def _reason(error: ClientError) -> MoldauError:
    """The topic is there, so what is unknown is a partition."""
    if isinstance(error, UnknownTopicError):
        return refuse(Refusal.PARTITION_NOT_FOUND, str(error))
    return error
