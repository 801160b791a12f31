"""A decision is appended, applied, committed and answered, in this order."""

from __future__ import annotations

from typing import Any

from moldau.errors import KafkaError
from moldau.records.control import EndMarker
from moldau.runtime.shard_loop import WRITE_TIMEOUT_MS
from moldau.wire.error_codes import ErrorCode
from tests.runtime.tally_shard import FAILED, TOPIC, Play, play

TWO: dict[str, Any] = {"replicas": (1, 2), "isr": (1, 2), "directories": (bytes(16),) * 2}


def test_a_reply_waits_until_its_records_are_replicated():
    async def scene(one: Play):
        said = one.start("add")
        await one.tasks.sleep(10)
        before = list(said), list(one.effects)
        partition = one.manager.partition(TOPIC, 0)
        partition.followers[2].log_end_offset = 1
        partition.advance_high_watermark()
        await one.tasks.sleep(0)
        return before, said, one.effects

    assert play(scene, **TWO) == (([], []), [1], ["added 0"])


def test_a_look_waits_for_what_it_may_have_seen():
    async def scene(one: Play):
        one.start("add")
        said = one.start("look")
        await one.tasks.sleep(10)
        before = list(said)
        partition = one.manager.partition(TOPIC, 0)
        partition.followers[2].log_end_offset = 1
        partition.advance_high_watermark()
        await one.tasks.sleep(0)
        return before, said

    assert play(scene, **TWO) == ([], [1])


def test_a_write_that_is_not_replicated_in_time_is_refused():
    async def scene(one: Play):
        said = one.start("add")
        await one.tasks.sleep(WRITE_TIMEOUT_MS + 1)
        return said

    assert play(scene, **TWO) == [ErrorCode.COORDINATOR_NOT_AVAILABLE]


def test_a_refused_append_applies_nothing_and_gives_the_other_answer():
    async def scene(one: Play):
        one.manager.partition(TOPIC, 0).set_min_insync_replicas(2)
        return await one.ask("add"), one.shards[0].applied, one.effects

    alone: dict[str, Any] = {**TWO, "isr": (1,)}
    assert play(scene, **alone) == (FAILED, [], [])


def test_a_refusal_of_the_shard_reaches_the_asker():
    async def scene(one: Play):
        return await one.refusal(one.ask("refuse"))

    assert play(scene) == ErrorCode.UNKNOWN_MEMBER_ID


def test_the_shard_is_woken_when_it_wants_to_be():
    async def scene(one: Play):
        start_ms = one.broker.clock.now_ms()
        await one.ask("wait")
        return one.broker.clock.now_ms() - start_ms

    assert play(scene) == 500


def test_records_of_a_transaction_count_when_it_commits():
    async def scene(one: Play):
        await one.ask("pending")
        before = await one.ask("look")
        await one.runtime.complete_transaction(0, 9, 0, EndMarker(True, 0))
        return before, await one.ask("look")

    assert play(scene) == (0, 1)


def test_records_of_a_transaction_are_forgotten_when_it_aborts():
    async def scene(one: Play):
        await one.ask("pending")
        await one.runtime.complete_transaction(0, 9, 0, EndMarker(False, 0))
        return await one.ask("look"), one.shards[0].pending

    assert play(scene) == (0, [])


def test_an_asker_that_goes_away_leaves_nothing_behind():
    async def scene(one: Play):
        running = one.runtime.running(0)
        try:
            async with one.tasks.deadline(10):
                await one.ask("wait")
        except TimeoutError:
            return repr(running).endswith("0 waiting)")

    assert play(scene) is True


def test_the_last_word_ends_a_write_that_was_not_committed():
    async def scene(one: Play):
        said = one.start("add")
        await one.tasks.sleep(1)
        one.runtime.running(0).end(KafkaError(ErrorCode.NOT_COORDINATOR))
        await one.tasks.sleep(1)
        return said

    assert play(scene, **TWO) == [ErrorCode.NOT_COORDINATOR]
