"""A decision is appended, applied, committed and answered, in this order."""

from __future__ import annotations

from typing import Any

from moldau.broker.log.reading import Isolation
from moldau.broker.runtime.joining import JOINED_BATCH_SIZE_MAX
from moldau.broker.runtime.running_shard import UNKNOWN_CLIENT, RunningShard
from moldau.broker.runtime.shard_batches import WRITE_TIMEOUT_MS, WriteSettings
from moldau.errors import KafkaError
from moldau.protocol.records.batch import iterate_batches
from moldau.protocol.records.control import EndMarker
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.replica.broker_world import Broker, SomeSettings
from tests.broker.runtime.tally_shard import (
    FAILED,
    GONE,
    TOPIC,
    TallyRuntime,
    TallyShard,
    result_of,
)

TWO: dict[str, Any] = {"replicas": (1, 2), "isr": (1, 2), "directories": (bytes(16),) * 2}


def test_a_reply_waits_until_its_records_are_replicated():
    async def scene(one: TallyRuntime):
        codes = one.start("add")
        await one.tasks.sleep(10)
        before = list(codes), list(one.effects)
        partition = one.manager.partition(TOPIC, 0)
        partition.followers[2].log_end_offset = 1
        partition.advance_high_watermark()
        await one.tasks.sleep(0)
        return before, codes, one.effects

    assert result_of(scene, **TWO) == (([], []), [1], ["added 0"])


def test_a_look_waits_for_what_it_may_have_seen():
    async def scene(one: TallyRuntime):
        one.start("add")
        codes = one.start("look")
        await one.tasks.sleep(10)
        before = list(codes)
        partition = one.manager.partition(TOPIC, 0)
        partition.followers[2].log_end_offset = 1
        partition.advance_high_watermark()
        await one.tasks.sleep(0)
        return before, codes

    assert result_of(scene, **TWO) == ([], [1])


def test_a_write_that_is_not_replicated_in_time_is_refused():
    async def scene(one: TallyRuntime):
        codes = one.start("add")
        await one.tasks.sleep(WRITE_TIMEOUT_MS + 1)
        return codes

    assert result_of(scene, **TWO) == [ErrorCode.COORDINATOR_NOT_AVAILABLE]


def test_a_refused_append_applies_nothing_and_gives_the_other_answer():
    async def scene(one: TallyRuntime):
        one.manager.partition(TOPIC, 0).set_min_insync_replicas(2)
        return await one.ask("add"), one.shards[0].applied, one.effects

    alone: dict[str, Any] = {**TWO, "isr": (1,)}
    assert result_of(scene, **alone) == (FAILED, [], [])


def test_a_refusal_of_the_shard_reaches_the_client():
    async def scene(one: TallyRuntime):
        return await one.refusal(one.ask("refuse"))

    assert result_of(scene) == ErrorCode.UNKNOWN_MEMBER_ID


def test_the_shard_is_woken_when_it_wants_to_be():
    async def scene(one: TallyRuntime):
        start_ms = one.broker.clock.now_ms()
        await one.ask("wait")
        return one.broker.clock.now_ms() - start_ms

    assert result_of(scene) == 500


def test_records_of_a_transaction_count_when_it_commits():
    async def scene(one: TallyRuntime):
        await one.ask("pending")
        before = await one.ask("look")
        await one.runtime.complete_transaction(0, 9, 0, EndMarker(True, 0))
        return before, await one.ask("look")

    assert result_of(scene) == (0, 1)


def test_records_of_a_transaction_are_forgotten_when_it_aborts():
    async def scene(one: TallyRuntime):
        await one.ask("pending")
        await one.runtime.complete_transaction(0, 9, 0, EndMarker(False, 0))
        return await one.ask("look"), one.shards[0].pending

    assert result_of(scene) == (0, [])


def test_a_client_that_goes_away_leaves_nothing_behind():
    async def scene(one: TallyRuntime):
        running = one.runtime.running(0)
        try:
            async with one.tasks.deadline(10):
                await one.ask("wait")
        except TimeoutError:
            return repr(running).endswith("0 waiting)")

    assert result_of(scene) is True


def test_the_last_word_ends_a_write_that_was_not_committed():
    async def scene(one: TallyRuntime):
        codes = one.start("add")
        await one.tasks.sleep(1)
        one.runtime.running(0).end(KafkaError(ErrorCode.NOT_COORDINATOR))
        await one.tasks.sleep(1)
        return codes

    assert result_of(scene, **TWO) == [ErrorCode.NOT_COORDINATOR]


def contents(one: TallyRuntime) -> bytes:
    found = one.manager.partition(TOPIC, 0).read(0, 1 << 24, Isolation.LOG_END)
    return bytes(found.read())


def test_who_is_alone_is_answered_before_the_question_is_over():
    async def scene(one: TallyRuntime):
        codes = [list(one.join(client)) for client in (3, 3, 3, 4, 3, 3)]
        await one.tasks.sleep(1)
        return codes, list(one.join(3))

    # the first of each has others to wait for
    assert result_of(scene) == ([[], [], [], [], [], []], [7])


def test_only_one_client_at_a_time_can_be_alone():
    async def scene(one: TallyRuntime):
        one.join(3)
        await one.tasks.sleep(1)
        return one.join(3), list(one.join(4)), list(one.join())

    assert result_of(scene) == ([2], [], [])


def test_who_is_not_known_is_never_alone():
    async def scene(one: TallyRuntime):
        for _ in range(3):
            assert one.join() == []
            await one.tasks.sleep(1)

    result_of(scene)


def test_a_time_to_linger_holds_for_who_is_alone_too():
    async def scene(one: TallyRuntime):
        partition, tasks = one.manager.partition(TOPIC, 0), one.tasks
        shard = RunningShard(
            0, TallyShard(), partition, one.broker.clock, tasks,
            on_effect=lambda index, effect: None, writing=WriteSettings(timeout_ms=9, linger_ms=5),
        )  # fmt: skip
        codes: list[object] = []
        for _ in range(2):
            assert shard.join("one more", 3, codes.append) is None
            assert not codes
            await tasks.sleep(6)
            assert codes.pop()

    result_of(scene)


def test_a_call_back_waits_until_its_records_are_replicated():
    async def scene(one: TallyRuntime):
        codes = one.join(3)
        await one.tasks.sleep(10)
        before = list(codes)
        partition = one.manager.partition(TOPIC, 0)
        partition.followers[2].log_end_offset = 1
        partition.advance_high_watermark()
        meanwhile = list(codes)
        await one.tasks.sleep(1)
        return before, meanwhile, codes

    assert result_of(scene, **TWO) == ([], [], [1])


def test_a_call_back_learns_when_a_write_is_not_replicated_in_time():
    async def scene(one: TallyRuntime):
        codes = one.join(3)
        await one.tasks.sleep(WRITE_TIMEOUT_MS + 1)
        return codes

    assert result_of(scene, **TWO) == [ErrorCode.COORDINATOR_NOT_AVAILABLE]


def test_a_call_back_learns_when_the_append_is_refused():
    async def scene(one: TallyRuntime):
        one.manager.partition(TOPIC, 0).set_min_insync_replicas(2)
        codes = one.join(3)
        await one.tasks.sleep(1)
        return codes, one.join(3), one.shards[0].applied

    late = ErrorCode.COORDINATOR_NOT_AVAILABLE
    alone: dict[str, Any] = {**TWO, "isr": (1,)}
    assert result_of(scene, **alone) == ([late], [late], [])


def test_a_call_back_learns_when_the_coordinator_moves():
    async def scene(one: TallyRuntime):
        codes = [one.start("wait"), one.start("quietly")]
        await one.tasks.sleep(1)
        codes.append(one.join(3))
        one.runtime.close()
        at_once = [list(each) for each in codes]
        await one.tasks.sleep(1)
        return at_once, codes

    gone = ErrorCode.NOT_COORDINATOR
    assert result_of(scene) == ([[], [], []], [[GONE], [gone], [gone]])


def test_who_asks_again_when_called_back_finds_everything_written():
    async def scene(one: TallyRuntime):
        codes: list[int] = []

        def again(answer: object) -> None:
            codes.append(len(one.shards[0].applied))

        one.runtime.join("g", "one more", UNKNOWN_CLIENT, again)
        one.join()
        await one.tasks.sleep(1)
        return codes

    assert result_of(scene) == [2]


def test_what_is_called_back_between_two_batches_of_a_turn_waits_for_both():
    stage = Broker(settings=SomeSettings(max_message_bytes=120))

    async def scene(one: TallyRuntime):
        codes: list[int] = []

        def again(answer: object) -> None:
            codes.append(len(one.shards[0].applied))

        for _ in range(3):
            one.runtime.join("g", "one more", UNKNOWN_CLIENT, again)
        await one.tasks.sleep(1)
        return codes

    assert result_of(scene, stage) == [3, 3, 3]


def test_who_is_called_back_finds_all_batches_of_the_turn_written():
    async def scene(one: TallyRuntime):
        shard, seen = one.shards[0], list[int]()
        shard.padding = JOINED_BATCH_SIZE_MAX // 2
        for _ in range(3):
            one.runtime.join("g", "one more", 3, lambda response: seen.append(len(shard.applied)))
        await one.tasks.sleep(1)
        return seen, len(list(iterate_batches(contents(one))))

    assert result_of(scene) == ([3, 3, 3], 3)
