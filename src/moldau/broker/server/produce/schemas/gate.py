"""Where a produce request is held against the schemas that its topics ask for.

It is used only on a broker with such a topic. Topics that the sender may not write to are left to
what refuses them: they cause no question to the registry.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.produce.batches import check_batch
from moldau.broker.server.produce.reader import ReadProduce
from moldau.broker.server.produce.schemas.checks import AskedBatch, SchemaChecks, asked_batch
from moldau.broker.server.produce.verification import Verified
from moldau.errors import KafkaError, MoldauError
from moldau.platform.slices import Pace
from moldau.protocol.messages.data.produce import ProduceRequest

__all__ = [
    "asked_of_message",
    "asked_of_read",
    "whole_message",
    "with_judgement",
    "with_refusals",
]

TopicData = ProduceRequest.TopicProduceData


def asked_of_read(checks: SchemaChecks, broker: Broker, read: ReadProduce) -> list[AskedBatch]:
    """The batches of topics that ask; its reader has looked whether they may be written."""
    image = broker.metadata.image
    found: list[AskedBatch] = []
    for opening, batches in read.topics:
        name = opening.topic.name
        rules = checks.rules_of(image, name)
        if rules is not None:
            for partition, batch in batches.items():
                found.append(asked_batch(name, partition.index, rules, batch))
    return found


def whole_message(read: ReadProduce) -> ProduceRequest:
    """The same as a message, with its records."""
    data = [
        TopicData(
            **read.names(opening),
            partition_data=[
                TopicData.PartitionProduceData(index=partition.index, records=batch)
                for partition, batch in batches.items()
            ],
        )
        for opening, batches in read.topics
    ]
    return ProduceRequest(acks=read.acks, timeout_ms=read.timeout_ms, topic_data=data)


def asked_of_message(
    checks: SchemaChecks, call: Call, broker: Broker, request: ProduceRequest
) -> list[AskedBatch]:
    return list(_asked(checks, call, broker, request))


def _asked(
    checks: SchemaChecks, call: Call, broker: Broker, request: ProduceRequest
) -> Iterator[AskedBatch]:
    image = broker.metadata.image
    for topic in request.topic_data:
        known = image.topics.by_id.get(topic.topic_id)
        name = topic.name or ("" if known is None else known.name)
        rules = checks.rules_of(image, name)
        if rules is None or not broker.authorizer.allows(
            call, Operation.WRITE, Resource.TOPIC, name
        ):
            continue
        for one in topic.partition_data:
            try:
                check_batch(one.records or b"", call.version)
            except KafkaError:
                continue  # appending refuses it
            yield asked_batch(name, one.index, rules, one.records or b"")


def with_refusals(checks: SchemaChecks, verified: Verified, asked: list[AskedBatch]) -> Verified:
    """The same with what the schemas refuse."""
    return _refusing(verified, checks.refusals(asked))


async def with_judgement(
    checks: SchemaChecks, broker: Broker, verified: Verified, asked: list[AskedBatch]
) -> Verified:
    """The same with what their rules refuse, too, where these are asked for."""
    if not checks.run_rules(asked):
        return with_refusals(checks, verified, asked)
    pace = Pace(broker.clock, broker.tasks)
    return _refusing(verified, await pace.run(checks.judged(asked)))


def _refusing(verified: Verified, refused: dict[tuple[str, int], MoldauError]) -> Verified:
    if not refused:
        return verified
    return Verified(verified.guards, {**refused, **verified.refused})
