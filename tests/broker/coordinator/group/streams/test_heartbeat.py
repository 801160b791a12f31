"""Threads of an application join, are assigned tasks and learn what is wrong, and leave."""

from __future__ import annotations

from moldau.broker.coordinator.group.streams.heartbeat import CreateInternalTopics
from moldau.broker.coordinator.shard import RequestContext
from tests.broker.coordinator.group.consumer.conversation import change, with_topics
from tests.broker.coordinator.group.streams.conversation import (
    Client,
    active_in,
    beat,
    group_of,
    join,
    part,
    settle,
    stage,
    topology,
    troubles_in,
)

STALE, NO_SOURCE, MISFIT, NO_INTERNAL, SHUTDOWN, DELAYED = range(6)
STATEFUL = topology(part("0", "t", changelogs=("c",)))


def test_the_first_member_runs_everything():
    reply = stage() >> join()
    assert (reply.answer.member_epoch, reply.answer.heartbeat_interval_ms) == (2, 5_000)
    assert (active_in(reply), troubles_in(reply)) == ({"0": [0, 1, 2, 3]}, [])


def test_the_first_target_waits_for_more_members():
    coordinator = stage(delay_ms=3_000)
    assert troubles_in(coordinator >> join("a")) == [DELAYED]
    assert troubles_in(coordinator >> join("b")) == [DELAYED]
    coordinator.pass_ms(3_000)
    found = [active_in(coordinator >> beat(name, 1)) for name in ("a", "b")]
    assert sorted(len(tasks["0"]) for tasks in found if tasks) == [2, 2]


def test_tasks_move_when_they_are_given_up():
    coordinator = stage()
    a, b = Client(coordinator, "a"), Client(coordinator, "b")
    settle(coordinator, a)
    settle(coordinator, a, b)
    assert (len(a.tasks()), len(b.tasks()), coordinator.state()) == (2, 2, "Stable")
    a.leave()
    settle(coordinator, b)
    assert len(b.tasks()) == 4


def test_missing_sources_are_reported_until_they_are_there():
    coordinator = stage(other=1)
    reply = coordinator >> join()
    assert (troubles_in(reply), active_in(reply), coordinator.state()) == (
        [NO_SOURCE],
        {},
        "NotReady",
    )
    change(coordinator, with_topics(coordinator.image, t=2))
    coordinator.pass_ms(1_000)
    assert active_in(coordinator >> beat("m", reply.answer.member_epoch)) == {"0": [0, 1]}
    assert coordinator.state() == "Stable"


def test_missing_internal_topics_are_asked_for():
    coordinator = stage(t=3)
    decision = coordinator.shard.decide(
        join("m", STATEFUL).request, RequestContext(1, 0), coordinator.now_ms
    )
    (effect,) = decision.effects
    assert isinstance(effect, CreateInternalTopics)
    assert [(topic.name, topic.num_partitions) for topic in effect.topics] == [("c", 3)]
    assert troubles_in(coordinator >> join("m", STATEFUL)) == [NO_INTERNAL]


def test_topics_that_do_not_fit_are_reported():
    assert troubles_in(stage(t=3, c=2) >> join("m", STATEFUL)) == [MISFIT]


def test_an_older_topology_is_stale_and_another_one_is_refused():
    coordinator = stage(t=2)
    coordinator >> join("a", topology(part("0", "t"), epoch=1))
    assert STALE in troubles_in(coordinator >> join("b", topology(part("9", "t"), epoch=0)))
    assert (coordinator >> join("c", topology(part("9", "t"), epoch=1))).code == 42


def test_every_member_learns_that_the_application_shall_stop():
    coordinator = stage()
    coordinator >> join("a")
    coordinator >> join("b")
    coordinator >> beat("a", 2, shutdown_application=True)
    assert SHUTDOWN in troubles_in(
        coordinator >> beat("b", group_of(coordinator).members["b"].epoch)
    )
    coordinator >> beat("a", -1)
    coordinator >> beat("b", -1)
    assert group_of(coordinator).stopped_by is None


def test_wrong_epochs_are_fenced():
    coordinator = stage()
    coordinator >> join()
    assert [(coordinator >> beat("m", epoch)).code for epoch in (9, 1)] == [110, 110]
    assert (coordinator >> beat("x", 3)).code == 25


def test_a_full_group_takes_no_other():
    coordinator = stage()
    coordinator.settings.group_streams_max_size = 1
    coordinator >> join("a")
    assert (coordinator >> join("b")).code == 81


def test_other_copies_want_another_target():
    coordinator = stage(t=2, c=2)
    a, b = Client(coordinator, "a", topology=STATEFUL), Client(coordinator, "b", topology=STATEFUL)
    settle(coordinator, a)
    settle(coordinator, a, b)
    coordinator.settings.group_streams_num_standby_replicas = 1
    settle(coordinator, a, b)
    assert sorted([*a.standby["0"], *b.standby["0"]]) == [0, 1]
