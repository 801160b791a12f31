"""Every partition that follows is fetched by one fetcher of its leader."""

from __future__ import annotations

from moldau.broker.runtime.replication.fetchers import ReplicaFetchers
from tests.broker.runtime.replication.follower_world import EPOCH, FOLLOWS, NEXT_LEADER, result_of


def with_fetchers(scenario):
    async def main(scene):
        fetchers = ReplicaFetchers(scene.world)
        scene.manager.follow_with(fetchers.follow, fetchers.unfollow)
        try:
            return await scenario(scene, fetchers)
        finally:
            await fetchers.stop()

    return result_of(main)


def change(scene, **changed):
    scene.disk.change(scene.manager, scene.partition.topic_id, **{**FOLLOWS, **changed})


def test_what_follows_already_is_fetched():
    async def scenario(scene, fetchers):
        await scene.tasks.sleep(10)
        return [len(fetcher) for fetcher in fetchers], len(scene.leader.asked)

    assert with_fetchers(scenario) == ([1], 1)


def test_who_begins_to_lead_fetches_no_more_and_its_fetcher_ends():
    async def scenario(scene, fetchers):
        change(scene, leader=1, leader_epoch=EPOCH + 1)
        await scene.manager.settled()
        await scene.tasks.sleep(10)
        running = [name for name in scene.tasks.running() if "fetcher" in name]
        return len(fetchers), running

    assert with_fetchers(scenario) == (0, [])


def test_a_stopped_leader_whose_answer_is_awaited_is_not_waited_for_once_another_one_leads():
    async def scenario(scene, fetchers):
        await scene.tasks.sleep(10)
        asked = len(scene.leader.asked)  # the last of it rests there, unanswered
        change(scene, leader=NEXT_LEADER, leader_epoch=EPOCH + 1, partition_epoch=1)
        await scene.tasks.sleep(10)
        request = scene.leader.asked[asked]
        running = [name for name in scene.tasks.running() if "fetcher" in name]
        epoch = request.topics[0].partitions[0].current_leader_epoch
        return [fetcher.leader_id for fetcher in fetchers], len(running), epoch

    assert with_fetchers(scenario) == ([NEXT_LEADER], 1, EPOCH + 1)


def test_a_change_that_is_none_for_a_follower_interrupts_nothing():
    async def scenario(scene, fetchers):
        await scene.tasks.sleep(10)
        change(scene, isr=(2,), partition_epoch=1)
        await scene.tasks.sleep(10)
        return len(scene.leader.asked)

    assert with_fetchers(scenario) == 1


def test_another_epoch_of_the_same_leader_is_fetched_in_that_epoch():
    async def scenario(scene, fetchers):
        await scene.tasks.sleep(10)
        change(scene, leader_epoch=EPOCH + 1, partition_epoch=1)
        await scene.tasks.sleep(10)
        request = scene.leader.asked[-1]
        return request.topics[0].partitions[0].current_leader_epoch

    assert with_fetchers(scenario) == EPOCH + 1


def test_nothing_is_fetched_while_no_node_leads():
    async def scenario(scene, fetchers):
        change(scene, leader=-1, leader_epoch=EPOCH + 1)
        return len(fetchers)

    assert with_fetchers(scenario) == 0


def test_partitions_spread_over_as_many_fetchers_as_are_set():
    async def scenario(scene, fetchers):
        for name in "abcdefgh":
            scene.disk.add_topic(scene.manager, name, **FOLLOWS)
        await scene.manager.settled()
        before = len(fetchers)
        scene.settings.num_replica_fetchers = 3
        fetchers.take_settings()
        await scene.tasks.sleep(10)
        return before, len(fetchers), sum(len(fetcher) for fetcher in fetchers)

    assert with_fetchers(scenario) == (1, 3, 9)


def test_each_partition_that_follows_has_a_lag_under_the_fetcher_that_fetches_it():
    async def scenario(scene, fetchers):
        await scene.tasks.sleep(10)
        (((leader, number), name, lag),) = fetchers.lags()
        return leader == FOLLOWS["leader"], number, name == scene.partition.name, lag

    assert with_fetchers(scenario) == (True, 0, True, 0)


def test_a_fetcher_that_runs_no_more_and_has_partitions_is_dead():
    async def scenario(scene, fetchers):
        await scene.tasks.sleep(10)
        alive = fetchers.dead_count
        (fetcher,) = fetchers
        fetcher.stop()
        await scene.tasks.sleep(10)
        return alive, fetchers.dead_count

    assert with_fetchers(scenario) == (0, 1)
