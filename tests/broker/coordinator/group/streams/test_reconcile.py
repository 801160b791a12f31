"""One step of a member towards the tasks it shall run."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.streams.member import StreamsMember, StreamsState
from moldau.broker.coordinator.group.streams.reconcile import Aim, reconcile
from moldau.broker.coordinator.group.streams.tasks import OwnedTasks, TaskId, Tasks
from moldau.errors import KafkaError


def active(*partitions: int) -> Tasks:
    return Tasks({"0": frozenset(partitions)} if partitions else {})


def aim(target: Tasks, *, elsewhere: tuple[int, ...] = (), here: tuple[int, ...] = ()) -> Aim:
    def among(partitions: tuple[int, ...]):
        return lambda task: task in {TaskId("0", one) for one in partitions}

    return Aim(5, target, among(elsewhere), among(here))


def member(*partitions: int, **fields) -> StreamsMember:
    owned = OwnedTasks({"0": dict.fromkeys(partitions, 4)} if partitions else {})
    return StreamsMember("m", epoch=4, assigned=owned, **fields)


def test_what_is_free_is_added_at_once():
    after = reconcile(member(0), aim(active(0, 1)), None)
    assert (after.epoch, after.state) == (5, StreamsState.STABLE)
    assert after.assigned.active == {"0": {0: 4, 1: 5}}


def test_what_must_go_keeps_the_member_in_its_epoch():
    after = reconcile(member(0, 1), aim(active(0)), None)
    assert (after.epoch, after.state) == (4, StreamsState.UNREVOKED)
    assert after.to_revoke.active == {"0": {1: 4}}
    assert reconcile(after, aim(active(0)), active(0, 1)) is after
    assert reconcile(after, aim(active(0)), active(0)).epoch == 5


def test_a_task_that_is_active_elsewhere_is_waited_for():
    after = reconcile(member(), aim(active(0, 1), elsewhere=(0,)), Tasks())
    assert (after.state, after.assigned.active) == (StreamsState.UNRELEASED, {"0": {1: 5}})


def test_a_copy_waits_until_its_process_is_free_of_the_task():
    target = Tasks(standby={"0": frozenset({0, 1})})
    after = reconcile(member(), aim(target, elsewhere=(1,), here=(0,)), Tasks())
    assert (after.state, after.assigned.standby) == (
        StreamsState.UNRELEASED,
        {"0": frozenset({1})},
    )


def test_a_member_in_the_targets_epoch_stays_as_it_is():
    present = StreamsMember("m", epoch=5)
    assert reconcile(present, aim(active(0)), None) is present


def test_an_unknown_state_is_fenced():
    with pytest.raises(KafkaError) as refused:
        reconcile(member(state=StreamsState.UNKNOWN), aim(active(0)), None)
    assert refused.value.code == 110
