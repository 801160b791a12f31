"""Members of streams groups as values."""

from __future__ import annotations

from moldau.broker.coordinator.group.streams.member import StreamsMember, StreamsState
from moldau.broker.coordinator.group.streams.tasks import OwnedTasks


def test_states_of_another_time_are_unknown():
    assert [StreamsState.read(number) for number in (1, 9)] == [
        StreamsState.STABLE,
        StreamsState.UNKNOWN,
    ]


def test_a_task_to_be_given_up_still_has_its_epoch():
    member = StreamsMember(
        "m", assigned=OwnedTasks({"0": {1: 4}}), to_revoke=OwnedTasks({"0": {2: 3}})
    )
    assert [member.epoch_of("0", index) for index in (1, 2, 3)] == [4, 3, None]
