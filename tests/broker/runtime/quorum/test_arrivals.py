"""What has come is handled before what is due, and only that."""

from __future__ import annotations

from moldau.broker.quorum.events import Flushed
from moldau.broker.runtime.quorum.arrivals import Arrivals


def arrived(*offsets):
    arrivals = Arrivals()
    for offset in offsets:
        arrivals.add(Flushed(offset))
    return arrivals


def test_events_are_taken_in_the_order_in_which_they_came():
    arrivals = arrived(1, 2)
    assert [arrivals.take(is_due=False) for _ in range(2)] == [Flushed(1), Flushed(2)]
    assert not arrivals
    assert arrivals.take(is_due=False) is None


def test_what_came_before_something_was_due_is_taken_first_and_no_more():
    arrivals, taken = arrived(1, 2), []
    while (event := arrivals.take(is_due=True)) is not None:
        taken.append(event)
        arrivals.add(Flushed(9))  # as in a flood, in which the deadline would never be seen
    assert taken == [Flushed(1), Flushed(2)]
    arrivals.deadline_seen()
    assert arrivals.take(is_due=True) == Flushed(9)


def test_what_is_due_and_settled_by_what_came_leaves_the_rest_in_order():
    arrivals = arrived(1)
    assert arrivals.take(is_due=True) == Flushed(1)
    arrivals.add(Flushed(2))
    assert arrivals.take(is_due=False) == Flushed(2)
