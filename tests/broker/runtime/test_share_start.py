"""Where a group begins that was configured to begin somewhere."""

from __future__ import annotations

from moldau.broker.runtime.share_start import first_offset
from tests.broker.server.share_cluster import run


def test_a_group_begins_at_the_start_at_the_end_or_at_a_time():
    async def main(cluster):
        await cluster.produce(3)
        await cluster.machine.tasks.sleep(60_000)
        await cluster.produce(3)
        partition = cluster.node.broker.replicas.leader("t", 0)
        now_ms = cluster.machine.clock.now_ms()
        places = ("earliest", "latest", "by_duration:PT30S", "by_duration:P1D")
        return [first_offset(partition, reset, now_ms + 5) for reset in places]

    assert run(main) == [0, 6, 3, 0]


def test_where_nothing_is_young_enough_a_group_begins_at_the_end():
    async def main(cluster):
        await cluster.produce(3)
        partition = cluster.node.broker.replicas.leader("t", 0)
        return first_offset(partition, "by_duration:PT1S", cluster.machine.clock.now_ms() + 60_000)

    assert run(main) == 3
