"""What lies in log directories is the same, whether it is asked for at once or in pieces."""

import asyncio

import pytest

from moldau.client import AsyncAdmin
from moldau.client.admin import NewTopic
from moldau.programs.console.lookups import all_topics
from moldau.programs.console.lookups.stored import stored
from tests.interop.running_node import running_node

TOPICS, PARTITIONS = 4, 3


class CountingAdmin(AsyncAdmin):
    """Notes of how many partitions it was asked; None is all."""

    def __init__(self, bootstrap: str) -> None:
        super().__init__(bootstrap)
        self.asked: list[int | None] = []

    async def describe_log_dirs(self, nodes=None, partitions=None):
        self.asked.append(None if partitions is None else len(partitions))
        return await super().describe_log_dirs(nodes, partitions)


@pytest.fixture(scope="module")
def bootstrap(tmp_path_factory):
    with running_node(tmp_path_factory.mktemp("stored")) as bootstrap:
        yield bootstrap


def test_pieces_add_up_to_what_is_asked_for_at_once(bootstrap, monkeypatch):
    async def all_of(admin):
        (node,) = (await admin.describe_cluster()).nodes
        (directory,) = (await stored(admin, [node.node_id])).by_broker[node.node_id].values()
        return directory.replicas, dict(directory.bytes_by_topic)

    async def scenario():
        async with CountingAdmin(bootstrap) as admin:
            topics = [
                NewTopic(f"topic-{number}", partitions=PARTITIONS) for number in range(TOPICS)
            ]
            assert not (await admin.create_topics(topics)).errors
            while (at_once := await all_of(admin))[0] < TOPICS * PARTITIONS:  # noqa: ASYNC110
                await asyncio.sleep(0.02)  # they have yet to be opened
            assert set(admin.asked) == {None}
            admin.asked.clear()
            monkeypatch.setattr(all_topics, "PAGE_PARTITIONS", PARTITIONS + 1)
            return admin.asked, at_once, await all_of(admin)

    asked, at_once, in_pieces = asyncio.run(scenario())
    assert asked == [PARTITIONS] * TOPICS
    assert at_once == in_pieces
