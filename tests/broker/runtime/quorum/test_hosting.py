"""The controller is active where the quorum is led, and no request waits for it elsewhere."""

from __future__ import annotations

import pytest

from moldau.broker.runtime.quorum.committed import CommittedMetadata
from moldau.broker.runtime.quorum.hosted_controller import ASKS_MAX
from moldau.broker.runtime.quorum.hosting import Hosting
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.runtime.quorum_cluster import Cluster
from tests.broker.runtime.quorum_world import CALL, OneNode, topics


def code_of(call):
    with pytest.raises(KafkaError) as refused:
        call()
    return refused.value.code


def test_where_nothing_is_led_requests_are_refused_and_nothing_is_due():
    async def scene(quorum, tasks):
        idle = Hosting(quorum._parts, CommittedMetadata(), quorum.times)
        assert code_of(lambda: idle.ask(topics("a"), CALL, 7)) == ErrorCode.NOT_CONTROLLER
        assert not idle.serve(0, 0)
        return idle.has_work, idle.is_deciding

    assert OneNode().run(scene) == (False, False)


def test_the_requests_that_wait_are_bounded():
    async def scene(quorum, tasks):
        hosting = quorum._hosting
        waiting = [hosting.ask(topics("a"), CALL, 1) for _ in range(ASKS_MAX)]
        code = code_of(lambda: hosting.ask(topics("a"), CALL, 1))
        hosting.let_go(None)
        assert quorum.times.refused == 1
        return code, all(promise.is_settled() for promise in waiting), hosting.is_active

    assert OneNode().run(scene) == (ErrorCode.REQUEST_TIMED_OUT, True, False)


def test_how_long_brokers_are_silent_is_known_where_the_controller_is_active():
    async def scene(quorum, tasks):
        quorum._hosting._hosted.controller.silences = {2: 700}
        known = quorum.silences_ms
        quorum._hosting.let_go(None)
        return known, quorum.silences_ms

    assert OneNode().run(scene) == ({2: 700}, {})


def test_the_next_leader_has_the_controller_and_the_former_one_has_it_no_more():
    async def scene(cluster):
        former = await cluster.leader()
        assert [quorum.is_active for quorum in cluster.quorums.values()].count(True) == 1
        cluster.cut.add(former.node.key.node_id)
        later = await cluster.leader()
        await cluster.tasks.sleep(10_000)
        with pytest.raises(KafkaError) as refused:
            await former.ask(topics("late"), CALL)
        return former.is_active, later.is_active, refused.value.code

    assert Cluster().run(scene) == (False, True, ErrorCode.NOT_CONTROLLER)
