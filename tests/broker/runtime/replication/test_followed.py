"""What is followed is followed in one epoch."""

from moldau.broker.runtime.replication.followed import Followed
from tests.broker.log.batches import batch
from tests.broker.runtime.replication.follower_world import EPOCH, FOLLOWS, result_of


def test_another_epoch_ends_it():
    async def scenario(scene):
        followed = Followed(scene.partition)
        before = followed.is_valid
        changed = {**FOLLOWS, "leader_epoch": EPOCH + 1, "partition_epoch": 1}
        scene.disk.change(scene.manager, scene.partition.topic_id, **changed)
        return before, followed.is_valid

    assert result_of(scenario) == (True, False)


def test_leading_ends_it():
    async def scenario(scene):
        followed = Followed(scene.partition)
        changed = {**FOLLOWS, "leader": 1, "leader_epoch": EPOCH + 1}
        scene.disk.change(scene.manager, scene.partition.topic_id, **changed)
        await scene.manager.settled()
        return followed.is_valid

    assert not result_of(scenario)


def test_its_last_epoch_is_that_of_its_last_record():
    async def scenario(scene):
        followed = Followed(scene.partition)
        before = followed.last_epoch
        scene.partition.log.append_as_follower(batch(0, leader_epoch=3), EPOCH)
        return before, followed.last_epoch

    assert result_of(scenario) == (-1, 3)


def test_it_has_caught_up_when_it_has_all_that_is_replicated():
    async def scenario(scene):
        followed = Followed(scene.partition)
        seen = [followed.has_caught_up]
        for high_watermark in (1, 0):
            followed.leader_high_watermark = high_watermark
            seen.append(followed.has_caught_up)
        return seen, followed.lag

    assert result_of(scenario) == ([False, False, True], 0)
