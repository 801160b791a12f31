"""Answers to heartbeats."""

from __future__ import annotations

from moldau.broker.coordinator.group.streams.answers import accepted, left, refusal, set_tasks
from moldau.broker.coordinator.group.streams.configured import Status
from moldau.broker.coordinator.group.streams.member import StreamsMember
from moldau.broker.coordinator.group.streams.tasks import OwnedTasks
from moldau.errors import KafkaError
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatRequest
from tests.broker.coordinator.group.streams.conversation import beat


def test_a_status_is_sent_by_its_number():
    response = accepted(StreamsMember("m", epoch=3), 5, [(Status.SHUTDOWN_APPLICATION, "stop")])
    assert response.status is not None
    (status,) = response.status
    assert (status.status_code, response.member_epoch, response.active_tasks) == (4, 3, None)


def test_tasks_are_reported_in_all_three_roles():
    response = accepted(StreamsMember("m"), 5, [])
    set_tasks(response, StreamsMember("m", assigned=OwnedTasks({"0": {2: 1, 1: 1}})))
    assert response.active_tasks is not None
    assert response.active_tasks[0].partitions == [1, 2]
    assert (response.standby_tasks, response.warmup_tasks) == ([], [])


def test_refusals_and_farewells():
    assert refusal(KafkaError(25, "who?")).error_message == "who?"
    request = beat("m", -1).request
    assert isinstance(request, StreamsGroupHeartbeatRequest)
    assert left(request).member_epoch == -1
