"""The ports of a client, together."""

from __future__ import annotations

from tests.client.aio.scripted_broker import ScriptedCluster, in_cluster


def test_time_is_reported_in_milliseconds_of_the_hand_that_never_turns_back():
    async def main(cluster: ScriptedCluster):
        before_ms = cluster.world.now_ms()
        await cluster.tasks.sleep(250)
        return cluster.world.now_ms() - before_ms

    assert in_cluster(main) == 250
