"""A node's share coordinators keep their topic short."""

from __future__ import annotations

from moldau.server.topic_creation import SHARE_STATE_TOPIC
from tests.server.share_town import ACCEPT, run


def test_state_that_is_said_again_later_is_deleted_from_the_log():
    async def main(town):
        await town.produce(10)
        member = await town.member("m")
        await member.fetch()
        for offset in range(9):
            await member.say({0: [(offset, offset, ACCEPT)]})
        await town.play.tasks.sleep(300_000)
        replicas = town.node.broker.replicas
        partitions = [replicas.leader(SHARE_STATE_TOPIC, index) for index in (0, 1)]
        return max(one.log_start_offset for one in partitions)

    assert run(main, share_coordinator_snapshot_update_records_per_snapshot=3) > 0


def test_share_coordinators_end_with_their_node():
    async def main(town):
        await town.member("m")
        return town.node.broker.share_states.runtime

    assert run(main).indexes == []
