"""What a leader sends gets into the log, if the partition still follows."""

from __future__ import annotations

import pytest

from moldau.broker.replica.fetching import Divergence
from moldau.broker.runtime.replication.followed import Followed
from moldau.broker.runtime.replication.taking import Taken, Taking
from tests.broker.log.batches import batch
from tests.broker.runtime.replication.follower_world import EPOCH, FOLLOWS, read_answer, result_of

OFFSET_DELTA_AT = 23
"""In the header of a batch: its last offset, less its first."""


def asked(scene):
    followed = Followed(scene.partition)
    followed.asked_offset = scene.partition.log_end_offset
    return followed


def take(scene, followed, **fields):
    return Taking(scene.world).append(followed, read_answer(scene.partition, **fields))


def ends(scene):
    partition = scene.partition
    return partition.log_start_offset, partition.high_watermark, partition.log_end_offset


def fill(scene):
    """Epoch 3 holds offsets 0 and 1, epoch 5 holds 2 to 4."""
    for base_offset, epoch in enumerate((3, 3, 5, 5, 5)):
        scene.partition.log.append_as_follower(batch(base_offset, leader_epoch=epoch), EPOCH)


def become_leader(scene):
    changed = {**FOLLOWS, "leader": 1, "leader_epoch": EPOCH + 1, "partition_epoch": 1}
    scene.disk.change(scene.manager, scene.partition.topic_id, **changed)


def test_records_are_appended_with_the_leaders_word_on_its_ends():
    async def scenario(scene):
        followed = asked(scene)
        taken = take(scene, followed, records=batch(0, leader_epoch=EPOCH), high_watermark=9)
        return taken, ends(scene), followed.leader_high_watermark

    assert result_of(scenario) == (Taken.GROWN, (0, 1, 1), 9)


@pytest.mark.parametrize("adding", [(), (1,), (3,)])
def test_records_of_a_replica_that_a_reassignment_adds_are_counted_apart(adding):
    async def scenario(scene):
        changed = {**FOLLOWS, "adding_replicas": adding, "partition_epoch": 1}
        scene.disk.change(scene.manager, scene.partition.topic_id, **changed)
        taking, records = Taking(scene.world), batch(0, leader_epoch=EPOCH)
        answer = read_answer(scene.partition, records=records, high_watermark=9)
        assert taking.append(asked(scene), answer) is Taken.GROWN
        assert taking.bytes_taken == len(records)
        return taking.bytes_reassigned

    assert result_of(scenario) == (len(batch(0, leader_epoch=EPOCH)) if adding == (1,) else 0)


def test_an_answer_without_records_changes_nothing_that_is_asked_for():
    async def scenario(scene):
        return take(scene, asked(scene))

    assert result_of(scenario) is Taken.NOTHING


def test_records_for_another_offset_are_left_out():
    async def scenario(scene):
        followed = asked(scene)
        fill(scene)
        return take(scene, followed, records=batch(0, leader_epoch=EPOCH)), ends(scene)

    assert result_of(scenario) == (Taken.GROWN, (0, 0, 5))


def test_nothing_is_appended_to_a_log_that_leads_by_now():
    async def scenario(scene):
        followed = asked(scene)
        become_leader(scene)
        await scene.manager.settled()
        return take(scene, followed, records=batch(0, leader_epoch=EPOCH)), ends(scene)

    assert result_of(scenario) == (Taken.FAILED, (0, 0, 0))


def test_nothing_is_appended_while_another_task_is_at_the_log():
    async def scenario(scene):
        followed = asked(scene)
        work = scene.tasks.spawn("work", scene.manager.in_turn(scene.partition, lambda: None))
        await scene.tasks.sleep(0)
        taken = take(scene, followed, records=batch(0, leader_epoch=EPOCH))
        await work
        return taken, ends(scene)

    assert result_of(scenario) == (Taken.LATER, (0, 0, 0))


@pytest.mark.parametrize(
    "records", [batch(0, leader_epoch=EPOCH + 1), b"\0" * 70, batch(0)[:-1] + b"\xff"]
)
def test_what_cannot_be_taken_is_asked_for_again_later(records):
    async def scenario(scene):
        return take(scene, asked(scene), records=records), ends(scene)

    assert result_of(scenario) == (Taken.LATER, (0, 0, 0))


def test_a_log_whose_leader_has_offsets_that_go_back_is_not_fetched_any_more(caplog):
    """Its leader's file is damaged, and sends the same the next time: as Apache Kafka."""

    async def scenario(scene):
        records = batch(0, leader_epoch=EPOCH) + batch(0, leader_epoch=EPOCH)
        return take(scene, asked(scene), records=records), ends(scene)

    assert result_of(scenario) == (Taken.FAILED, (0, 0, 0))
    assert "is not fetched any more" in caplog.text


def test_logs_are_cut_where_they_part_and_the_cut_is_written_down_once():
    async def scenario(scene):
        fill(scene)
        followed = asked(scene)
        cut = await Taking(scene.world).cut([(followed, Divergence(5, 3))])
        return cut == [followed], ends(scene), scene.checkpoints

    assert result_of(scenario) == (True, (0, 0, 3), 1)


def test_a_log_that_is_damaged_where_it_parts_is_left_and_its_remedy_logged(caplog):
    async def scenario(scene):
        fill(scene)
        log = scene.partition.log
        file = scene.disk.files.open(f"{log.directory}/{0:020}.log")
        file.write_at(3 * len(batch(0)) + OFFSET_DELTA_AT, b"\xff")
        return await Taking(scene.world).cut([(asked(scene), Divergence(5, 3))]), ends(scene)

    assert result_of(scenario) == ([], (0, 0, 5))
    assert "its own log is damaged" in caplog.text
    assert "move the directory of the partition away" in caplog.text


def test_a_log_that_leads_by_the_time_of_the_cut_keeps_everything():
    async def scenario(scene):
        fill(scene)
        followed = asked(scene)
        reconciler, name = scene.manager._reconciler, scene.partition.name
        reconciler.pending[name] = None  # another task is at the log
        cutting = scene.tasks.spawn("cut", cut(scene, followed))
        await scene.tasks.sleep(0)
        become_leader(scene)
        reconciler._release(name)
        reconciler.touch(name)
        await cutting
        return ends(scene), scene.partition.is_leader

    async def cut(scene, followed):
        assert await Taking(scene.world).cut([(followed, Divergence(5, 3))]) == []

    assert result_of(scenario) == ((0, 0, 5), True)


def test_a_log_without_epochs_keeps_what_is_replicated():
    async def scenario(scene):
        for base_offset in range(3):
            scene.partition.log.append_as_follower(batch(base_offset, leader_epoch=-1), EPOCH)
        scene.partition.log.high_watermark = 2
        followed = asked(scene)
        return await Taking(scene.world).cut_unknown(followed), ends(scene)

    assert result_of(scenario) == (True, (0, 2, 2))


@pytest.mark.parametrize(("leader", "end"), [((0, 3), 3), ((9, 12), 9), ((2, 7), 5)])
def test_a_log_out_of_range_goes_on_within_the_leaders(leader, end):
    async def scenario(scene):
        fill(scene)
        followed = asked(scene)
        await Taking(scene.world).begin_in_range(followed, leader)
        return scene.partition.log_end_offset

    assert result_of(scenario) == end
