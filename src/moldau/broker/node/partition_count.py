"""How many partitions a topic of a coordinator has, or will have."""

from __future__ import annotations

from moldau.broker.metadata.image import Image

__all__ = ["partition_count"]


def partition_count(image: Image, topic: str, before: int) -> int:
    """As the metadata say; `before` as long as there is no such topic."""
    known = image.topics.by_name.get(topic)
    return before if known is None else len(known.partitions)
