"""The controller at its place in the log; the whole is in test_quorum_loop."""

from __future__ import annotations

from contextlib import suppress

import pytest

from moldau.broker.runtime.quorum.batches import RECORDS_MAX
from moldau.broker.runtime.quorum.hosted_controller import not_controller
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.runtime.quorum_world import CALL, DIRECTORY_ID, LONG, OneNode, raised, topics


@pytest.mark.parametrize(("leader_id", "says"), [(None, "no leader"), (3, "node 3 leads")])
def test_who_asks_the_wrong_node_learns_who_leads(leader_id, says):
    error = not_controller(leader_id)
    assert error.code == ErrorCode.NOT_CONTROLLER
    assert says in str(error)


def test_a_reply_that_waits_when_the_leader_stops_is_never_kept():
    async def scene(quorum, tasks):
        codes = []

        async def ask():
            try:
                await quorum.ask(topics("lost"), CALL)
            except KafkaError as error:
                codes.append(error.code)

        tasks.spawn("client", ask())
        await quorum.stop()
        await tasks.sleep(1)
        return codes

    assert OneNode().run(scene) == [ErrorCode.NOT_CONTROLLER]


def test_others_go_on_while_a_long_decision_is_made_but_nothing_else_is_decided():
    node = OneNode()
    seen: list[object] = []

    async def scene(quorum, tasks):
        async def ask(name):
            reply = await quorum.ask(topics(name), CALL)
            seen.append((name, reply.throttle_time_ms))

        node.controllers[0].pauses = 20
        asking = [tasks.spawn(name, ask(name)) for name in (LONG, "short")]
        for _ in range(10):
            await tasks.sleep(0)
        seen.append("others")
        for task in asking:
            await task

    node.run(scene)
    assert seen == ["others", (LONG, 0), ("short", 1)]


def test_a_long_decision_ends_with_who_makes_it():
    node, codes = OneNode(), []

    async def scene(quorum, tasks):
        async def ask():
            with pytest.raises(KafkaError) as refused:
                await quorum.ask(topics(LONG), CALL)
            codes.append(refused.value.code)

        node.controllers[0].pauses = 1_000
        tasks.spawn("client", ask())
        for _ in range(10):
            await tasks.sleep(0)
        await quorum.stop()
        await tasks.sleep(1)
        return quorum.image.topics.by_name

    assert node.run(scene) == {}
    assert codes == [ErrorCode.NOT_CONTROLLER]


def test_offsets_that_the_quorum_takes_are_skipped():
    node = OneNode()

    async def scene(quorum, tasks):
        return node.controllers[0].next_offset, quorum.node.log.end.offset

    next_offset, end_offset = node.run(scene)
    assert next_offset == end_offset


@pytest.mark.parametrize(("is_atomic", "made"), [(True, 0), (False, RECORDS_MAX + 1)])
def test_only_what_need_not_be_atomic_may_have_more_records_than_a_batch(is_atomic, made):
    node = OneNode()

    async def scene(quorum, tasks):
        node.controllers[0].is_atomic = is_atomic
        with suppress(KafkaError):
            await quorum.ask(topics(*(f"t{number}" for number in range(RECORDS_MAX + 1))), CALL)
        return len(quorum.image.topics.by_id)

    assert node.run(scene) == made


def test_a_raised_level_is_in_the_log_with_its_voters_and_is_there_after_a_restart():
    node = OneNode()

    async def look(quorum, tasks):
        (voter,) = quorum.node.voters
        return quorum.image.features.level("kraft.version"), voter.key.directory_id

    async def scene(quorum, tasks):
        before = await look(quorum, tasks)
        await quorum.ask(raised(1, only_checks=True), CALL)
        checked = await look(quorum, tasks)
        await quorum.ask(raised(1), CALL)
        controller = node.controllers[0]
        assert (controller.kraft_version, controller.next_offset) == (1, quorum.node.log.end.offset)
        await quorum.ask(topics("later"), CALL)
        return before, checked, await look(quorum, tasks)

    assert node.run(scene) == ((0, bytes(16)), (0, bytes(16)), (1, DIRECTORY_ID))
    assert node.run(look) == (1, DIRECTORY_ID)


def test_a_level_that_is_refused_leaves_nothing():
    node = OneNode()

    async def scene(quorum, tasks):
        end_offset = quorum.node.log.end.offset
        with pytest.raises(KafkaError) as refused:
            await quorum.ask(raised(2), CALL)
        return refused.value.code, quorum.node.log.end.offset - end_offset

    assert node.run(scene) == (ErrorCode.INVALID_UPDATE_VERSION, 0)
