"""Share partitions are loaded once, and again when something else has become true."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.share.state import ShareKey
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.share_cluster import run


def test_all_that_ask_at_a_time_get_the_same():
    async def main(cluster):
        await cluster.member("m")
        shares, key = cluster.node.broker.shares, ShareKey("g", cluster.topic_id, 0)
        found = []

        async def get():
            found.append(await shares.get(key))

        for number in range(3):
            cluster.machine.tasks.spawn(f"get {number}", get())
        while len(found) < 3:
            await cluster.machine.tasks.sleep(1)
        return len(set(map(id, found))), len(shares), shares.loaded(key) is found[0]

    assert run(main) == (1, 1, True)


def test_a_group_that_is_dropped_is_loaded_again():
    async def main(cluster):
        await cluster.member("m")
        shares, key = cluster.node.broker.shares, ShareKey("g", cluster.topic_id, 0)
        before = await shares.get(key)
        shares.drop_group("g")
        return shares.loaded(key), before.is_over, await shares.get(key) is before

    assert run(main) == (None, True, False)


def test_who_asks_for_what_is_not_there_is_reported():
    async def main(cluster):
        await cluster.member("m")
        codes = []
        for key in (ShareKey("g", b"?" * 16, 0), ShareKey("g", cluster.topic_id, 0)):
            with pytest.raises(KafkaError) as refused:
                await cluster.node.broker.shares.get(key._replace(group_id="stranger"))
            codes.append(refused.value.code)
        return codes

    assert run(main) == [ErrorCode.UNKNOWN_TOPIC_ID, ErrorCode.UNKNOWN_SERVER_ERROR]
