"""The quorum of one node, from its first start on."""

from __future__ import annotations

from random import Random

import pytest

from moldau.broker.quorum.state_file import ElectionState, read_election_state
from moldau.broker.runtime.quorum.snapshotting import SnapshotSettings
from moldau.errors import KafkaError
from moldau.platform.simulated.disk_crash import crash_states
from moldau.platform.simulated.files import SimulatedFiles
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.runtime.quorum_cluster import Cluster
from tests.broker.runtime.quorum_world import CALL, LOG_DIRECTORY, OneNode, topics

STANDSTILL_MS = 60_000
"""Longer than any timeout of a quorum."""
LOG = f"{LOG_DIRECTORY}/__cluster_metadata-0"


async def look(quorum, tasks):
    return quorum.image


def test_a_node_that_votes_alone_leads_when_start_returns():
    async def scene(quorum, tasks):
        return quorum.leader_id, quorum.leader_epoch, quorum.is_active

    node = OneNode()
    assert node.run(scene) == (1, 1, True)
    assert node.controllers[0].activated
    assert read_election_state(node.files, LOG) == ElectionState(1, 1, None)


def test_each_start_begins_a_new_epoch():
    async def scene(quorum, tasks):
        return quorum.leader_epoch

    node = OneNode()
    assert [node.run(scene) for _ in range(3)] == [1, 2, 3]


def test_a_new_cluster_gets_the_levels_of_the_latest_release():
    async def scene(quorum, tasks):
        await quorum.wait_until(lambda image: image.features.metadata_version > 0)
        return quorum.image

    image = OneNode().run(scene)
    assert image.features.metadata_version == 30
    assert image.features.level("transaction.version") == 2
    assert image.configs.of(4, "") == {"min.insync.replicas": "1"}


def test_the_answer_comes_when_the_records_are_committed():
    async def scene(quorum, tasks):
        await quorum.ask(topics("orders", "clicks"), CALL)
        return set(quorum.image.topics.by_name)

    assert OneNode().run(scene) == {"orders", "clicks"}


def test_what_was_answered_is_there_after_every_crash():
    async def scene(quorum, tasks):
        await quorum.ask(topics("orders"), CALL)
        return list(crash_states(node.files.disk, Random(3), 30))

    node = OneNode()
    states = node.run(scene)
    assert states
    for state in states:
        node.files = SimulatedFiles(disk=state.disk)
        assert set(node.run(look).topics.by_name) == {"orders"}, state.origin


def test_a_decision_without_records_is_answered_too():
    async def scene(quorum, tasks):
        await quorum.ask(topics("orders"), CALL)
        return (await quorum.ask(topics(), CALL)).throttle_time_ms

    assert OneNode().run(scene) == 1


def test_a_decision_sees_what_the_one_before_it_wrote():
    async def scene(quorum, tasks):
        answers = []

        async def ask(name):
            answers.append((await quorum.ask(topics(name), CALL)).throttle_time_ms)

        for name in ("a", "b", "c"):
            tasks.spawn(name, ask(name))
        await tasks.sleep(100)
        return answers

    assert OneNode().run(scene) == [0, 1, 2]


def test_a_refusal_reaches_the_caller_alone():
    async def scene(quorum, tasks):
        with pytest.raises(KafkaError) as refused:
            await quorum.ask(
                CreateTopicsRequest(topics=[], timeout_ms=0, validate_only=False), CALL
            )
        await quorum.ask(topics("orders"), CALL)
        return refused.value.code, len(quorum.image.topics.by_name)

    assert OneNode().run(scene) == (ErrorCode.POLICY_VIOLATION, 1)


def test_idleness_is_written_twice_a_second_and_none_is_notified():
    async def scene(quorum, tasks):
        await tasks.sleep(600)
        offset = quorum.image.offset
        await tasks.sleep(10_000)
        return quorum.image.offset - offset

    node = OneNode()
    assert node.run(scene) == 20
    assert len(node.changes) == 1


def test_without_an_idle_interval_nothing_is_written():
    async def scene(quorum, tasks):
        await tasks.sleep(1)
        offset = quorum.image.offset
        await tasks.sleep(10_000)
        return quorum.image.offset - offset

    assert OneNode(max_idle_ms=0).run(scene) == 0


def test_the_controller_acts_when_its_time_has_come():
    async def scene(quorum, tasks):
        controller = node.controllers[0]
        controller.tick_records = controller.created(topics("due")).records
        controller.tick_at_ms = node.clock.monotonic_ns() // 1_000_000 + 700
        await tasks.sleep(1300)
        return set(quorum.image.topics.by_name)

    node = OneNode()
    assert node.run(scene) == {"due"}


def test_a_snapshot_takes_the_place_of_the_log_before_it():
    async def write(quorum, tasks):
        await quorum.ask(topics("orders"), CALL)
        await tasks.sleep(5000)

    node = OneNode(snapshots=SnapshotSettings(interval_ms=3000))
    node.run(write)
    assert any(name.endswith(".checkpoint") for name in node.files.list(LOG))
    image = node.run(look)
    assert set(image.topics.by_name) == {"orders"}
    assert image.configs.of(4, "") == {"min.insync.replicas": "1"}


def test_who_subscribes_late_gets_all_at_once():
    async def scene(quorum, tasks):
        await quorum.ask(topics("orders"), CALL)
        seen = []
        quorum.subscribe(lambda delta, image: seen.append((len(delta.changed_topics), image)))
        return seen, quorum.image

    seen, image = OneNode().run(scene)
    assert seen == [(1, image)]


def test_a_stopped_quorum_has_no_controller():
    async def scene(quorum, tasks):
        await quorum.stop()
        with pytest.raises(KafkaError) as refused:
            await quorum.ask(topics("late"), CALL)
        return refused.value.code

    assert OneNode().run(scene) == ErrorCode.NOT_CONTROLLER


def test_machines_that_stood_still_for_seconds_go_on_with_their_leader():
    """What came meanwhile lies there: fetches of the leader's majority, and its answers."""

    async def scene(cluster):
        epoch = (await cluster.leader()).leader_epoch
        for _ in range(5):
            cluster.clock.advance_ms(STANDSTILL_MS)
            await cluster.tasks.sleep(2_000)
        return (await cluster.leader()).leader_epoch - epoch

    assert Cluster().run(scene) == 0
