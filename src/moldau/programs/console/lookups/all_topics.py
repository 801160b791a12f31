"""All topics of a cluster, in pages in the order of their names.

A node that serves this console has the answers decoded in its own loop. One with 50,000 partitions
would hold it up for 0.1 s and more, and so many objects at once would be looked through for garbage
for 0.5 s; between two pages others are served.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from moldau.client import AsyncAdmin, TopicPartition
from moldau.client.admin import FirstTopics

__all__ = ["PAGE_PARTITIONS", "partitions_of", "topics_in_pages"]

PAGE_PARTITIONS: Final = 2_000
"""Some milliseconds of work for the caller, and for each broker."""


async def topics_in_pages(admin: AsyncAdmin) -> AsyncIterator[FirstTopics]:
    begin = None
    while True:
        page = await admin.describe_first_topics(partitions=PAGE_PARTITIONS, begin=begin)
        yield page
        if page.next_topic is None:
            return
        begin = page.next_topic


def partitions_of(page: FirstTopics) -> list[TopicPartition]:
    return [
        TopicPartition(view.name, one.partition)
        for view in page.topics.values()
        for one in view.partitions
    ]
