"""The spare memory of a node: lent once, kept if no view of it is left, and never without bound."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from moldau.network.receiving import (
    SHARED_BYTES,
    SPARE_BYTES_MAX,
    TURN_BYTES,
    TURN_NS,
    WORTH_BYTES,
    Receiving,
)
from moldau.platform.simulated.clock import SimulatedClock


@pytest.fixture
def receiving():
    made = Receiving(SimulatedClock(), tasks=None)  # type: ignore[arg-type]  # nothing waits
    made.spare = None
    return made


def test_memory_is_lent_to_one_at_a_time(receiving):
    memory = bytearray(1000)
    receiving.keep(memory)
    assert receiving.lend(1000) is memory
    assert receiving.lend(1) is None


def test_memory_that_is_too_small_stays_for_a_smaller_frame(receiving):
    memory = bytearray(1000)
    receiving.keep(memory)
    assert receiving.lend(1001) is None
    assert receiving.lend(10) is memory


def test_memory_with_a_view_is_not_kept(receiving):
    memory = bytearray(1000)
    view = memoryview(memory)[10:20]
    receiving.keep(memory)
    assert receiving.lend(1) is None
    assert len(view) == 10


def test_memory_is_kept_as_it_is(receiving):
    memory = bytearray(range(200))
    receiving.keep(memory)
    assert receiving.lend(200) == bytearray(range(200))


def test_the_larger_memory_is_kept_up_to_a_limit(receiving):
    small, large = bytearray(10), bytearray(1000)
    receiving.keep(large)
    receiving.keep(small)
    receiving.keep(bytearray(SPARE_BYTES_MAX + 1))
    assert receiving.lend(1) is large


def test_the_shared_buffer_is_given_to_a_frame_and_the_spare_takes_its_place(receiving):
    spare, shared = bytearray(SHARED_BYTES), receiving.shared
    receiving.keep(spare)
    assert receiving.give_away(WORTH_BYTES, SHARED_BYTES) is shared
    assert (receiving.shared, receiving.spare) == (spare, None)
    assert receiving.view.obj is spare
    assert len(receiving.view) == TURN_BYTES
    assert receiving.give_away(WORTH_BYTES, SHARED_BYTES) is None


@pytest.mark.parametrize(
    ("filled", "size", "spare"),
    [
        (WORTH_BYTES - 1, SHARED_BYTES, SHARED_BYTES),
        (WORTH_BYTES, SHARED_BYTES + 1, SHARED_BYTES),
        (WORTH_BYTES, 100, SHARED_BYTES - 1),
    ],
)
def test_it_stays_where_copying_is_cheaper_or_either_is_too_small(receiving, filled, size, spare):
    receiving.keep(bytearray(spare))
    shared = receiving.shared
    assert receiving.give_away(filled, size) is None
    assert receiving.shared is shared
    assert len(receiving.spare) == spare


def test_a_turn_is_shorter_while_others_wait_for_theirs(receiving):
    queue: list[Callable[[], None]] = []
    receiving.tasks = SimpleNamespace(in_turn=queue.append)
    seen = [receiving.turn_ns]
    for _ in range(50):
        receiving.in_turn(lambda: seen.append(receiving.turn_ns))
    seen.append(receiving.turn_ns)
    for action in queue:
        action()
    assert seen[:3] == [TURN_NS, TURN_NS // 8, TURN_NS // 8]
    assert seen[-1] == TURN_NS
