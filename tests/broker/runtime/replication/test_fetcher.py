"""A fetcher fetches on from where its logs end, whatever comes between."""

from __future__ import annotations

import logging

import pytest

from moldau.broker.runtime.replication.fetcher import (
    QUIET_ANSWERS,
    QUIET_WAIT_MS,
    UNREACHED_TRIES,
    Fetcher,
)
from moldau.broker.runtime.replication.followed import Followed
from moldau.broker.runtime.replication.taking import Taking
from moldau.errors import NetworkError
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import SomeDelta
from tests.broker.runtime.replication.follower_world import (
    EPOCH,
    FOLLOWS,
    LEADER,
    answer,
    diverging,
    result_of,
)

SOME_MS = 400
SOME_SECONDS_MS = 10_000


def following(scenario=None, *, answers=(), ends=(0, 0), **settings):
    """Let a fetcher run for a while; the scene in the end."""

    async def main(scene):
        vars(scene.settings).update(settings)
        scripted = [one(scene.partition) if callable(one) else one for one in answers]
        scene.leader._answers = scripted
        scene.fetcher = Fetcher(LEADER, scene.world, Taking(scene.world))
        scene.followed = Followed(scene.partition)
        scene.fetcher.follow(scene.followed)
        task = scene.tasks.spawn("fetcher", scene.fetcher.run())
        await scene.tasks.sleep(SOME_MS)
        if scenario is not None:
            await scenario(scene)
        scene.fetcher.stop()
        await task
        return scene

    return result_of(main, ends=ends)


def offsets(scene):
    """What was asked for, request by request; None where nothing was listed."""
    return [
        request.topics[0].partitions[0].fetch_offset if request.topics else None
        for request in scene.leader.asked
    ]


def grown(offset, **fields):
    records = batch(offset, leader_epoch=EPOCH)
    return lambda partition: answer(partition, records=records, **fields)


def refusal(code):
    return lambda partition: answer(partition, error_code=code)


def test_it_fetches_on_where_the_log_ends():
    scene = following(answers=[grown(0), grown(1)])
    assert offsets(scene) == [0, 1, 2]
    assert scene.partition.log_end_offset == 2


def test_an_answer_without_news_asks_for_the_same_without_listing_it():
    scene = following(answers=[grown(0), lambda one: answer(one, high_watermark=1)])
    assert offsets(scene) == [0, 1, None]
    assert scene.partition.high_watermark == 1


def nothing(_partition):
    return FetchResponse(error_code=0, session_id=5, responses=[])


def waits(scene):
    return [request.max_wait_ms for request in scene.leader.asked]


def test_a_leader_may_hold_fetches_longer_once_many_had_no_news():
    scene = following(answers=[nothing] * QUIET_ANSWERS)
    assert waits(scene) == [500] * QUIET_ANSWERS + [QUIET_WAIT_MS]


def test_after_news_a_leader_holds_no_fetch_longer_than_is_set():
    scene = following(answers=[*[nothing] * QUIET_ANSWERS, grown(0)])
    assert waits(scene)[-2:] == [QUIET_WAIT_MS, 500]


def test_a_leader_that_waits_for_more_than_a_byte_holds_no_fetch_longer_than_is_set():
    scene = following(answers=[nothing] * QUIET_ANSWERS, replica_fetch_min_bytes=2)
    assert waits(scene)[-1] == 500


def test_who_is_behind_is_not_held_longer_than_is_set():
    behind = [grown(0, high_watermark=9), *[nothing] * QUIET_ANSWERS]
    assert waits(following(answers=behind))[-1] == 500


def test_a_fetch_that_is_held_for_long_begins_anew_when_it_matters():
    async def scenario(scene):
        scene.fetcher.ask_again()
        await scene.tasks.sleep(SOME_MS)

    scene = following(scenario, answers=[nothing] * QUIET_ANSWERS)
    assert waits(scene)[-2:] == [QUIET_WAIT_MS, 500]
    assert following(scenario, answers=[nothing]).leader.reached == 1


def test_a_log_that_has_parted_is_cut_and_fetched_again():
    scene = following(
        answers=[
            grown(0),
            grown(1),
            lambda one: answer(one, diverging_epoch=diverging(EPOCH, 1)),
            grown(1, high_watermark=2),
        ],
    )
    assert offsets(scene) == [0, 1, 2, 1, 2]
    assert (scene.partition.high_watermark, scene.checkpoints) == (2, 1)


def test_a_log_whose_leader_begins_within_a_batch_begins_with_the_whole_batch():
    """As DeleteRecords leaves it; a new replica, or one that was away, gets that batch first."""
    code = ErrorCode.OFFSET_OUT_OF_RANGE
    records = batch(0, (b"a", b"b", b"c"), leader_epoch=EPOCH)

    def first(partition):
        return answer(partition, records=records, high_watermark=3, log_start_offset=1)

    scene = following(answers=[refusal(code), first, grown(3)], ends=(1, 3))
    assert offsets(scene) == [0, 1, 3, 4]
    partition = scene.partition
    assert (partition.log_start_offset, partition.log_end_offset) == (1, 4)
    assert partition.log.segments.first.base_offset == 0
    assert scene.checkpoints == 2


def test_a_log_out_of_range_begins_where_the_leaders_does():
    code = ErrorCode.OFFSET_OUT_OF_RANGE
    scene = following(answers=[refusal(code), grown(6)], ends=(6, 9))
    assert offsets(scene) == [0, 6, 7]
    assert scene.partition.log_start_offset == 6


def test_a_leader_that_does_not_know_yet_is_asked_again_soon_and_then_less_often():
    scene = following(answers=[refusal(ErrorCode.UNKNOWN_LEADER_EPOCH)] * 3 + [grown(0)])
    assert offsets(scene) == [0, 0, 0, 0, 1]
    first, second, third, fourth = scene.leader.times_ms[:4]
    assert second - first >= 20
    assert third - second >= 40
    assert fourth - third >= 80


def test_a_leader_of_a_later_epoch_is_not_asked_before_the_metadata_tell_of_it():
    async def metadata_come(scene):
        before = len(scene.leader.asked)
        changed = {**FOLLOWS, "leader_epoch": EPOCH + 1, "partition_epoch": 1}
        scene.disk.change(scene.manager, scene.partition.topic_id, **changed)
        failed = scene.fetcher.failed_count
        scene.fetcher.follow(Followed(scene.partition))
        await scene.tasks.sleep(SOME_MS)
        scene.seen = before, failed, len(scene.leader.asked)

    scene = following(metadata_come, answers=[refusal(ErrorCode.FENCED_LEADER_EPOCH)])
    assert scene.seen == (1, 1, 2)


def test_after_a_lost_connection_another_one_is_made_and_everything_is_listed():
    scene = following(answers=[grown(0), NetworkError("leader", "reset"), grown(1)])
    assert offsets(scene) == [0, 1, 1, 2]
    assert [request.session_epoch for request in scene.leader.asked] == [0, 1, 0, 1]
    assert scene.leader.reached == 2


@pytest.mark.parametrize(
    "reason", ["connection refused", "no connection within 30000 ms", "the name is not known"]
)
def test_a_leader_that_is_not_reached_is_logged_at_first_and_once_more_with_what_to_look_at(
    reason, caplog
):
    async def goes_on(scene):
        await scene.tasks.sleep(SOME_SECONDS_MS)

    caplog.set_level(logging.INFO)
    lost = [NetworkError("b2:9092", reason)] * (UNREACHED_TRIES + 1)
    scene = following(goes_on, answers=[*lost, grown(0)])
    first, later = (one.getMessage() for one in caplog.records)
    assert first == f"Broker {LEADER} cannot be fetched from: b2:9092: {reason}"
    assert f"b2:9092: {reason}; see whether its advertised.listeners are reached" in later
    assert (scene.partition.log_end_offset, scene.fetcher.failures) == (1, 0)


@pytest.mark.parametrize(
    "code", [ErrorCode.FETCH_SESSION_ID_NOT_FOUND, ErrorCode.INVALID_FETCH_SESSION_EPOCH]
)
def test_a_lost_session_begins_anew_on_the_same_connection(code):
    lost = FetchResponse(error_code=code, session_id=0, responses=[])
    scene = following(answers=[grown(0), lost, grown(1)])
    assert [request.session_epoch for request in scene.leader.asked] == [0, 1, 0, 1]
    assert (scene.leader.reached, scene.partition.log_end_offset) == (1, 2)


def test_an_added_partition_is_fetched_at_once_though_a_fetch_is_resting():
    async def added(scene):
        scene.disk.add_topic(scene.manager, "late", **FOLLOWS)
        await scene.manager.settled()
        scene.fetcher.follow(Followed(scene.manager.partition("late", 0)))
        await scene.tasks.sleep(1)
        scene.seen = [topic.topic for topic in scene.leader.asked[-1].topics]

    assert following(added, answers=[grown(0)]).seen == ["topic", "late"]


async def add_partitions(scene, count):
    """One after the other, faster than a session is begun anew for each."""
    for number in range(count):
        scene.disk.add_topic(scene.manager, f"late-{number}", **FOLLOWS)
        await scene.manager.settled()
        scene.fetcher.follow(Followed(scene.manager.partition(f"late-{number}", 0)))
        await scene.tasks.sleep(0.2)


def listed(scene):
    return {topic.topic for asked in scene.leader.asked for topic in asked.topics}


def test_partitions_added_one_after_the_other_begin_a_session_anew_less_often_than_they_come():
    async def added(scene):
        await add_partitions(scene, 20)
        scene.seen = len(scene.leader.asked)
        await scene.tasks.sleep(6)
        scene.listed = listed(scene)

    scene = following(added, answers=[grown(0)])
    assert scene.seen < 15
    assert len(scene.listed) == 21


def test_a_partition_added_soon_after_another_is_listed_when_the_session_may_begin_anew_again():
    async def added(scene):
        await add_partitions(scene, 2)
        await scene.tasks.sleep(6)

    assert len(listed(following(added, answers=[grown(0)]))) == 3


def test_an_answer_to_what_was_asked_in_an_earlier_epoch_is_not_taken():
    async def late_answer(scene):
        changed = {**FOLLOWS, "leader_epoch": EPOCH + 1, "partition_epoch": 1}
        scene.disk.change(scene.manager, scene.partition.topic_id, **changed)
        resting = scene.leader._resting[-1]
        resting.keep(answer(scene.partition, records=batch(0, leader_epoch=EPOCH)))
        scene.fetcher.follow(Followed(scene.partition))
        await scene.tasks.sleep(SOME_MS)

    assert following(late_answer).partition.log_end_offset == 0


def test_what_is_throttled_and_behind_is_left_out_for_a_while():
    async def too_much(scene):
        scene.disk.settings.follower_replication_throttled_replicas = ("*",)
        scene.manager.throttles.from_leaders.bound = 10
        scene.manager.throttles.from_leaders.record(100)
        before = len(scene.leader.asked)
        scene.fetcher.follow(Followed(scene.partition))
        await scene.tasks.sleep(5_000)
        early = len(scene.leader.asked)
        await scene.tasks.sleep(10_000)
        scene.seen = early - before, len(scene.leader.asked) - before

    assert following(too_much, answers=[grown(0, high_watermark=9)]).seen == (0, 1)


def test_a_topic_that_goes_is_not_asked_for_any_more():
    async def delete(scene):
        scene.fetcher.unfollow(scene.followed.key)
        topic_id = scene.partition.topic_id
        del scene.disk.image.topics.by_id[topic_id]
        scene.manager.apply(SomeDelta(deleted_topics={topic_id}), scene.disk.image)
        await scene.manager.settled()
        before = len(scene.leader.asked)
        await scene.tasks.sleep(SOME_MS)
        scene.seen = len(scene.leader.asked) - before

    assert following(delete, answers=[grown(0)]).seen == 0
