"""A long look for garbage is the last one at what it has found alive, for an hour."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from moldau.platform.system.long_collections import AGAIN_NS, LONG_NS, LongCollections


class Circle:
    """Only a look for garbage frees it."""

    def __init__(self) -> None:
        self.itself = self


class Times:
    """Of the clock, and of the processor: each look takes as long as is set."""

    def __init__(self) -> None:
        self.now_ns = 0
        self.look_ns = LONG_NS
        self._spent_ns = 0

    def now(self) -> int:
        return self.now_ns

    def spent(self) -> int:
        """Asked for when a look begins, and when it ends."""
        self._spent_ns += self.look_ns
        return self._spent_ns


@pytest.fixture
def times() -> Iterator[Times]:
    times = Times()
    watched = LongCollections(times.now, times.spent)
    gc.collect()
    watched.begin()
    yield times
    watched.end()
    gc.unfreeze()
    gc.collect()


def left_in_a_circle(circle: Circle) -> weakref.ref[Circle]:
    return weakref.ref(circle)


def test_what_is_alive_after_a_long_look_is_set_aside(times):
    before = gc.get_freeze_count()
    gc.collect()
    assert gc.get_freeze_count() > before


def test_a_short_look_and_a_look_at_what_is_young_set_nothing_aside(times):
    before = gc.get_freeze_count()
    gc.collect(0)
    gc.collect(1)
    times.look_ns = LONG_NS - 1
    gc.collect()
    assert gc.get_freeze_count() == before


def test_what_became_garbage_after_it_was_set_aside_is_freed_by_the_first_look_after_an_hour(times):
    circle = Circle()
    gc.collect()
    garbage = left_in_a_circle(circle)
    del circle
    times.now_ns = AGAIN_NS - 1
    gc.collect()
    assert garbage() is not None
    times.now_ns = AGAIN_NS
    gc.collect()
    assert garbage() is None


def test_the_hour_begins_anew_with_what_is_set_aside_then(times):
    gc.collect()
    times.now_ns = AGAIN_NS
    circle = Circle()
    gc.collect()
    garbage = left_in_a_circle(circle)
    del circle
    times.now_ns = 2 * AGAIN_NS - 1
    gc.collect()
    assert garbage() is not None
    times.now_ns = 2 * AGAIN_NS
    gc.collect()
    assert garbage() is None
