"""Work that goes on when those who wait for it give up, in simulated time."""

from __future__ import annotations

import pytest

from moldau.client.aio.under_way import UnderWay
from moldau.client.errors import ClosedError
from tests.client.aio.scripted_broker import ScriptedCluster, in_cluster


def test_those_who_come_later_wait_for_what_is_under_way():
    began = []

    async def main(cluster: ScriptedCluster):
        async def work():
            began.append(cluster.clock.now_ms())
            await cluster.tasks.sleep(100)

        one = UnderWay(cluster.world, "work")
        with pytest.raises(TimeoutError):
            async with cluster.tasks.deadline(60):
                await one.wait(work)
        await one.wait(work)
        took_ms = cluster.clock.now_ms() - began[0]
        await one.wait(work)
        return took_ms

    assert in_cluster(main) == 100
    assert len(began) == 2


def test_an_error_is_raised_once_for_the_next_one_unless_it_is_forgotten():
    async def main(cluster: ScriptedCluster):
        async def fail():
            raise ClosedError

        one = UnderWay(cluster.world, "work")
        for is_forgotten in (False, True):
            with pytest.raises(TimeoutError):
                async with cluster.tasks.deadline(0):
                    await one.wait(fail)
            await cluster.tasks.sleep(1)
            if is_forgotten:
                one.forget_error()
            with pytest.raises(ClosedError):
                await one.wait(fail)

    in_cluster(main)


def test_what_is_stopped_does_not_go_on():
    ended = []

    async def main(cluster: ScriptedCluster):
        async def work():
            await cluster.tasks.sleep(100)
            ended.append("work")

        one = UnderWay(cluster.world, "work")
        with pytest.raises(TimeoutError):
            async with cluster.tasks.deadline(1):
                await one.wait(work)
        one.stop()
        await cluster.tasks.sleep(200)

    in_cluster(main)
    assert ended == []
