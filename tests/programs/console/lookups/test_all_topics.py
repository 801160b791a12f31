"""Each topic is in one page, whatever a page holds; one that is cut is in the next."""

import asyncio

import pytest

from moldau.client import AsyncAdmin
from moldau.client.admin import NewTopic
from moldau.programs.console.lookups import all_topics
from moldau.programs.console.lookups.all_topics import partitions_of, topics_in_pages
from tests.interop.running_node import running_node

COUNTS = {"a": 1, "b": 4, "c": 2, "d": 3}


@pytest.fixture(scope="module")
def bootstrap(tmp_path_factory):
    with running_node(tmp_path_factory.mktemp("pages")) as bootstrap:
        asyncio.run(_create(bootstrap))
        yield bootstrap


async def _create(bootstrap):
    async with AsyncAdmin(bootstrap) as admin:
        wanted = [NewTopic(name, partitions=count) for name, count in COUNTS.items()]
        (await admin.create_topics(wanted)).all()


@pytest.mark.parametrize(
    ("size", "pages"), [(100, ["abcd"]), (5, ["ab", "cd"]), (3, ["a", "bc", "d"])]
)
def test_all_topics_come_in_order_each_once(bootstrap, monkeypatch, size, pages):
    monkeypatch.setattr(all_topics, "PAGE_PARTITIONS", size)

    async def found():
        async with AsyncAdmin(bootstrap) as admin:
            return [page async for page in topics_in_pages(admin)]

    parts = [partitions_of(page) for page in asyncio.run(found())]
    assert ["".join(dict.fromkeys(part.topic for part in page)) for page in parts] == pages
    counted = [(part.topic, part.partition) for page in parts for part in page]
    assert counted == [(name, index) for name in COUNTS for index in range(COUNTS[name])]
