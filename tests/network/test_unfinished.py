"""Bytes that wait, without a connection around them: what is kept where, and what it holds."""

from struct import pack

import pytest

from moldau.network.budget import FrameBudget
from moldau.network.receiving import WORTH_BYTES, Receiving
from moldau.network.unfinished import FIRST_BYTES_MAX, Unfinished
from moldau.platform.simulated.clock import SimulatedClock
from tests.network.line import Line

SIZE = 100_000
FRAME = pack(">i", SIZE) + bytes(range(250)) * (SIZE // 250)


class Bytes:
    """Unfinished bytes, and how often reading was to go on."""

    def __init__(self, limit=8 * FIRST_BYTES_MAX, *, has_spare=False):
        self.budget = FrameBudget(limit)
        clock = SimulatedClock()
        self.receiving = Receiving(clock, None, budget=self.budget, has_spare=has_spare)  # type: ignore[arg-type]  # no task waits
        self.resumed = 0
        self.unfinished = Unfinished(self.receiving, self.resume)

    def resume(self):
        self.resumed += 1

    def received(self, size):
        """As many bytes of the frame, in the shared buffer."""
        self.receiving.view[:size] = FRAME[:size]
        return self.receiving.view[:size]


@pytest.fixture
def some():
    return Bytes()


def test_bytes_that_came_too_early_are_copied_from_the_shared_buffer(some):
    some.unfinished.put_off(some.received(10))
    some.receiving.view[:10] = bytes(10)
    assert (some.budget.used, some.unfinished.take_early()) == (10, FRAME[:10])
    assert not some.unfinished.take_early()


def test_bytes_stay_where_they_are_if_they_are_most_of_their_memory(some):
    memory = bytearray(FRAME[:100])
    some.unfinished.put_off(memoryview(memory)[49:])
    assert some.unfinished.take_early().obj is memory
    some.unfinished.put_off(memoryview(memory)[51:])
    assert some.unfinished.take_early().obj is not memory


def test_a_frame_is_whole_when_its_last_byte_has_come(some):
    some.unfinished.begin(some.received(10), is_first=True)
    assert not some.unfinished.receive(Line(FRAME[10:-1]))
    assert some.unfinished.receive(Line(FRAME[-1:] + b"of another"))
    assert some.unfinished.frame[: some.unfinished.wanted] == FRAME


def test_much_of_a_frame_stays_in_the_shared_buffer_which_another_replaces():
    some = Bytes(has_spare=True)
    shared = some.receiving.shared
    some.unfinished.begin(some.received(WORTH_BYTES), is_first=True)
    assert some.unfinished.frame is shared
    assert some.receiving.shared is not shared


def test_a_frame_behind_another_one_is_copied():
    some = Bytes(has_spare=True)
    shared = some.receiving.shared
    some.unfinished.begin(some.received(WORTH_BYTES), is_first=False)
    assert some.unfinished.frame is not shared
    assert bytes(some.unfinished.frame or b"")[:WORTH_BYTES] == FRAME[:WORTH_BYTES]


def test_without_room_a_frame_waits_and_reading_goes_on_with_room():
    some = Bytes(SIZE)
    first = Unfinished(some.receiving, some.resume)
    some.budget.grant(first, SIZE + 1)
    some.unfinished.begin(some.received(10), is_first=True)
    assert some.unfinished.lacks_room
    some.budget.release(first)
    assert (some.unfinished.lacks_room, some.resumed) == (False, 1)
    assert some.unfinished.receive(Line(FRAME[10:]))


def test_what_came_behind_a_frame_that_is_done_with_still_holds_its_bytes(some):
    some.budget.hold(some.unfinished, 1_000)
    some.unfinished.put_off(some.received(10))
    assert (some.unfinished.release(), some.budget.used) == (True, 10)
    some.unfinished.take_early()
    assert (some.unfinished.release(), some.budget.used) == (False, 0)


def test_a_connection_that_is_lost_gives_everything_back(some):
    some.unfinished.begin(some.received(10), is_first=True)
    memory = some.unfinished.frame
    some.unfinished.drop()
    assert (some.budget.used, some.receiving.spare) == (0, memory)


def test_memory_is_given_back_behind_the_call_in_which_the_connection_is_lost(some):
    class Ending(Line):
        def receive_into(self, buffer):
            some.unfinished.drop()
            return 0

    some.unfinished.begin(some.received(10), is_first=True)
    memory = some.unfinished.frame
    assert not some.unfinished.receive(Ending(b""))
    assert some.receiving.spare is memory
