"""Records to a topic, and what came of each: where it is, or why it is nowhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from moldau.client import AsyncProducer
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
    given = list(records)
    sent = [one for one in given if not isinstance(one, MoldauError)]
    deliveries = await producer.send_each(topic, sent)
    outcomes: list[Outcome] = []
    for delivery in deliveries:
        try:
            if isinstance(delivery, ClientError):
                outcomes.append(_reason(delivery))
            else:
                outcomes.append(delivery.metadata() if delivery.is_done else await delivery)
        except ClientError as error:  # each has its own
            outcomes.append(_reason(error))
    if len(sent) == len(given):
        return outcomes
    rest = iter(outcomes)
    return [one if isinstance(one, MoldauError) else next(rest) for one in given]


def _reason(error: ClientError) -> MoldauError:
    """The topic is there, so what is unknown is a partition."""
    if isinstance(error, UnknownTopicError):
        return refuse(Refusal.PARTITION_NOT_FOUND, str(error))
    return error
