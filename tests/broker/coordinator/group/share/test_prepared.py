"""What is known of a group's state goes its way: asked for, there, asked to be gone."""

from __future__ import annotations

from moldau.broker.coordinator.group.share.prepared import (
    Prepared,
    TopicShare,
    joined,
    named,
    without,
)
from moldau.broker.metadata.image import EMPTY_IMAGE
from tests.broker.coordinator.group.consumer.conversation import id_of, with_topics

T, U = id_of("t"), id_of("u")
IMAGE = with_topics(EMPTY_IMAGE, t=3, u=1).build()


def share(*partitions, name="t", since_ms=0):
    return TopicShare(name, frozenset(partitions), since_ms)


def test_what_is_confirmed_is_there():
    prepared = Prepared().asking({T: share(0, 1)}).confirmed({T: share(0)})
    assert prepared == Prepared(asked={T: share(1)}, ready={T: share(0)})
    assert prepared.confirmed({T: share(1)}) == Prepared(ready={T: share(0, 1)})


def test_what_failed_is_as_if_it_was_not_asked_for():
    assert Prepared().asking({T: share(0)}).failed({T: share(0)}) == Prepared()


def test_what_is_to_leave_is_gone_when_it_is_confirmed():
    prepared = Prepared(ready={T: share(0), U: share(0, name="u")}).parting({T: "t"})
    assert prepared == Prepared(ready={U: share(0, name="u")}, leaving={T: "t"})
    assert prepared.parted([T]) == Prepared(ready={U: share(0, name="u")})


def test_what_was_to_leave_may_stay_after_all():
    prepared = Prepared(leaving={T: "t"}).asking({T: share(0)})
    assert prepared.leaving == {}


def test_what_is_missing_is_what_topics_have_and_what_was_not_asked_for():
    prepared = Prepared(asked={T: share(0, since_ms=100)}, ready={T: share(1)})
    missing = prepared.missing(["t", "u", "gone"], IMAGE, 150, 100)
    assert {topic_id: one.partitions for topic_id, one in missing.items()} == {
        T: frozenset({2}),
        U: frozenset({0}),
    }
    again = prepared.missing(["t"], IMAGE, 200, 100)
    assert again[T].partitions == frozenset({0, 2})


def test_topics_that_are_gone_have_no_name():
    assert named({T: [0], b"?" * 16: [0]}, IMAGE, 5) == {T: share(0, since_ms=5)}


def test_shares_add_up_and_are_taken_away():
    both = joined({T: share(0)}, {T: share(1, since_ms=9)})
    assert both == {T: share(0, 1, since_ms=9)}
    assert without(both, {T: share(0, 1)}) == {}
