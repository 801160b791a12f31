"""A decision is appended, applied, committed and answered, in this order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from moldau.broker.coordinator.record_codec import encode_stored
from moldau.broker.coordinator.shard import Reply
from moldau.broker.log.reading import Isolation
from moldau.broker.runtime.joining import JOINED_BATCH_SIZE_MAX, Prepared
from moldau.broker.runtime.running_shard import NOBODY_KNOWN, RunningShard
from moldau.broker.runtime.shard_loop import WRITE_TIMEOUT_MS
from moldau.errors import KafkaError
from moldau.protocol.messages.stored.offsets import OffsetCommitKey
from moldau.protocol.records.batch import iterate_batches
from moldau.protocol.records.control import EndMarker
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.replica.broker_world import Broker, SomeSettings
from tests.broker.runtime.tally_shard import (
    FAILED,
    GONE,
    TOPIC,
    Play,
    TallyShard,
    answer,
    play,
    record,
    say,
)

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


def contents(one: Play) -> bytes:
    found = one.manager.partition(TOPIC, 0).read(0, 1 << 24, Isolation.LOG_END)
    return bytes(found.read())


def test_both_ways_to_ask_leave_the_same_bytes_and_answers():
    words = ("join", "join", "add", "look", "join", "join", "look")

    async def ask(one: Play):
        said = [one.start(word) for word in words]
        await one.tasks.sleep(1)
        return said, contents(one), one.shards[0].applied, one.effects

    async def tell(one: Play):
        said = [one.tell(word) for word in words]
        await one.tasks.sleep(1)
        return said, contents(one), one.shards[0].applied, one.effects

    assert play(ask) == play(tell)


def test_who_is_alone_is_answered_before_the_question_is_over():
    async def scene(one: Play):
        said = [list(one.tell("join", asker)) for asker in (3, 3, 3, 4, 3, 3)]
        await one.tasks.sleep(1)
        return said, [list(one.tell("join", 3)), list(one.tell("look", 3))]

    # the first of each has others to wait for; a look waits for nobody
    assert play(scene) == ([[], [], [], [], [], []], [[7], [7]])


def test_only_one_asker_at_a_time_can_be_alone():
    async def scene(one: Play):
        one.tell("join", 3)
        await one.tasks.sleep(1)
        return one.tell("join", 3), list(one.tell("join", 4)), list(one.tell("join"))

    assert play(scene) == ([2], [], [])


def test_who_is_not_known_is_never_alone():
    async def scene(one: Play):
        for _ in range(3):
            assert one.tell("join") == []
            await one.tasks.sleep(1)

    play(scene)


def test_a_time_to_linger_holds_for_who_is_alone_too():
    async def scene(one: Play):
        partition, tasks = one.manager.partition(TOPIC, 0), one.tasks
        shard = RunningShard(
            0, TallyShard(), partition, one.broker.clock, tasks,
            on_effect=lambda index, effect: None, write_timeout_ms=9, linger_ms=5,
        )  # fmt: skip
        said: list[object] = []
        for _ in range(2):
            shard.tell(said.append, say("join"), version=4, asker=3)
            assert not said
            await tasks.sleep(6)
            assert said.pop()

    play(scene)


def test_a_call_back_waits_until_its_records_are_replicated():
    async def scene(one: Play):
        said = one.tell("join", 3)
        await one.tasks.sleep(10)
        before = list(said)
        partition = one.manager.partition(TOPIC, 0)
        partition.followers[2].log_end_offset = 1
        partition.advance_high_watermark()
        meanwhile = list(said)
        await one.tasks.sleep(1)
        return before, meanwhile, said

    assert play(scene, **TWO) == ([], [], [1])


def test_a_call_back_is_told_when_a_write_is_not_replicated_in_time():
    async def scene(one: Play):
        said = one.tell("join", 3)
        await one.tasks.sleep(WRITE_TIMEOUT_MS + 1)
        return said

    assert play(scene, **TWO) == [ErrorCode.COORDINATOR_NOT_AVAILABLE]


def test_a_call_back_is_told_when_the_append_is_refused():
    async def scene(one: Play):
        one.manager.partition(TOPIC, 0).set_min_insync_replicas(2)
        said = one.tell("join", 3)
        await one.tasks.sleep(1)
        return said, one.tell("join", 3), one.shards[0].applied

    alone: dict[str, Any] = {**TWO, "isr": (1,)}
    assert play(scene, **alone) == ([FAILED], [FAILED], [])


def test_a_call_back_is_told_when_the_coordinator_moves():
    async def scene(one: Play):
        said = [one.tell("wait"), one.tell("quietly"), one.tell("join", 3)]
        one.runtime.close()
        at_once = [list(each) for each in said]
        await one.tasks.sleep(1)
        return at_once, said

    gone = ErrorCode.NOT_COORDINATOR
    assert play(scene) == ([[], [], []], [[GONE], [gone], [gone]])


def test_a_refusal_of_the_shard_is_raised_and_nobody_is_called_back():
    async def scene(one: Play):
        refused = 0
        try:
            one.tell("refuse")
        except KafkaError as error:
            refused = error.code
        return refused, repr(one.runtime.running(0)).endswith("0 waiting)")

    assert play(scene) == (ErrorCode.UNKNOWN_MEMBER_ID, True)


def test_who_asks_again_when_called_back_finds_everything_written():
    async def scene(one: Play):
        said: list[int] = []

        def again(answer: object) -> None:
            said.extend(one.tell("look"))

        one.runtime.tell(again, "g", say("join"), version=4)
        one.tell("join")
        await one.tasks.sleep(1)
        return said

    assert play(scene) == [2]


def test_what_is_called_back_between_two_batches_of_a_turn_waits_for_both():
    stage = Broker(settings=SomeSettings(max_message_bytes=120))

    async def scene(one: Play):
        said: list[int] = []

        def again(answer: object) -> None:
            said.extend(one.tell("look"))

        for _ in range(3):
            one.runtime.tell(again, "g", say("join"), version=4)
        await one.tasks.sleep(1)
        return said

    assert play(scene, stage) == [3, 3, 3]


def mixed(stage: Callable[[], Broker] = Broker) -> Any:
    """What becomes of three decisions of a turn if the second, or none of them, is prepared."""

    def scene(second: Callable[[Play], list[int]]) -> Any:
        async def act(one: Play) -> Any:
            said = [one.tell("join"), second(one), one.tell("join")]
            await one.tasks.sleep(1)
            return said, contents(one), one.shards[0].applied, one.runtime.written

        return act

    prepared = play(scene(lambda one: one.prepare()), stage())
    assert prepared == play(scene(lambda one: one.tell("join")), stage())
    return prepared


def test_what_is_prepared_goes_the_way_of_what_is_decided():
    said, _, applied, written = mixed()
    assert (said, applied) == ([[1], [1], [1]], [0, 1, 2])
    assert written == {(OffsetCommitKey, False): 3}


def test_what_is_prepared_is_written_alone_where_all_is_too_large():
    said, batches, applied, _ = mixed(lambda: Broker(settings=SomeSettings(max_message_bytes=120)))
    assert (said, applied) == ([[1], [1], [1]], [0, 1, 2])
    assert len(list(iterate_batches(batches))) == 3


def test_what_is_prepared_is_refused_with_the_others():
    async def scene(one: Play):
        one.manager.partition(TOPIC, 0).set_min_insync_replicas(2)
        said = [one.tell("join"), one.prepare()]
        await one.tasks.sleep(1)
        said.append(one.prepare(3))
        one.runtime.close()
        await one.tasks.sleep(1)
        return said, one.shards[0].applied

    late, moved = ErrorCode.COORDINATOR_NOT_AVAILABLE, ErrorCode.NOT_COORDINATOR
    alone: dict[str, Any] = {**TWO, "isr": (1,)}
    assert play(scene, **alone) == ([[FAILED], [late], [moved]], [])


def test_who_is_alone_may_append_at_once():
    async def scene(one: Play):
        shard, pair = one.runtime.running(0), encode_stored(record(0))
        before = shard.is_alone(3)
        one.tell("join", 3)
        in_turn = shard.is_alone(3)
        await one.tasks.sleep(1)
        is_alone = shard.is_alone(3), shard.is_alone(4), shard.is_alone(NOBODY_KNOWN)
        offset = shard.append_alone(OffsetCommitKey, [pair], 77)
        one.manager.partition(TOPIC, 0).min_isr = 2
        refused = shard.append_alone(OffsetCommitKey, [pair], 77)
        return before, in_turn, is_alone, offset, refused, one.runtime.written.total()

    assert play(scene) == (False, False, (True, False, False), 1, None, 2)


def test_nobody_is_alone_where_others_follow():
    async def scene(one: Play):
        one.tell("join", 3)
        await one.tasks.sleep(1)
        return one.runtime.running(0).is_alone(3)

    assert play(scene, **TWO) is False


def test_who_is_called_back_finds_all_batches_of_the_turn_written():
    async def scene(one: Play):
        shard, seen = one.runtime.running(0), list[int]()
        pairs = [(b"key", bytes(JOINED_BATCH_SIZE_MAX // 2))]

        def prepared(ticket: int) -> Prepared:
            reply = Reply(ticket, answer(0))
            return Prepared(OffsetCommitKey, pairs, one.shards[0].applied.append, [reply])

        for _ in range(3):
            shard.join(lambda told: seen.append(len(one.shards[0].applied)), 3, prepared)
        await one.tasks.sleep(1)
        return seen, len(list(iterate_batches(contents(one))))

    assert play(scene) == ([3, 3, 3], 3)
