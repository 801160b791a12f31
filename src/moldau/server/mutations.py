"""How many partitions a request to the controller would make or remove: what its quota counts.

Versions that know THROTTLING_QUOTA_EXCEEDED are refused when nothing is left (KIP-599); older ones
are answered and muted.
"""

from __future__ import annotations

from moldau.messages.topic.create_partitions import CreatePartitionsRequest
from moldau.messages.topic.create_topics import CreateTopicsRequest
from moldau.messages.topic.delete_topics import DeleteTopicsRequest
from moldau.metadata.image import Image
from moldau.server.broker import Broker
from moldau.server.call import Call
from moldau.wire.schema import Message

__all__ = ["charge_mutations", "mutations_in"]

STRICT_SINCE = {
    CreateTopicsRequest.KEY: 6,
    DeleteTopicsRequest.KEY: 5,
    CreatePartitionsRequest.KEY: 3,
}


def charge_mutations(call: Call, broker: Broker, request: Message) -> None:
    """Count the request against its sender's quota, or refuse it."""
    strict_since = STRICT_SINCE.get(request.KEY)
    if strict_since is None or broker.quotas is None or not broker.quotas.are_set:
        return
    count = mutations_in(request, broker.metadata.image, broker.settings.num_partitions)
    if count:
        broker.quotas.mutated(call, count, is_strict=call.version >= strict_since)


def mutations_in(request: Message, image: Image, default_count: int) -> int:
    """Partitions that would come or go."""
    if isinstance(request, CreateTopicsRequest):
        if request.validate_only:
            return 0
        return sum(
            len(topic.assignments)
            or (topic.num_partitions if topic.num_partitions > 0 else default_count)
            for topic in request.topics
        )
    if isinstance(request, CreatePartitionsRequest):
        return 0 if request.validate_only else sum(_growth(image, one) for one in request.topics)
    assert isinstance(request, DeleteTopicsRequest), request
    topics = image.topics
    found = (
        topics.by_id.get(one.topic_id) or topics.by_name.get(one.name or "")
        for one in request.topics
    )
    return sum(len(topic.partitions) for topic in found if topic is not None)


def _growth(image: Image, asked: CreatePartitionsRequest.CreatePartitionsTopic) -> int:
    known = image.topics.by_name.get(asked.name)
    return 0 if known is None else max(asked.count - len(known.partitions), 0)
