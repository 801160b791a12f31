"""Who puts an event never waits; what does not fit is counted."""

import pytest

from moldau.broker.server.audit.trail import BATCH_BYTES, Trail
from moldau.errors import NetworkError
from moldau.platform.simulated import tasks as simulated_tasks


class Kept:
    def __init__(self, failures=0):
        self.batches = []
        self.failures = failures
        self.is_closed = False

    async def write(self, lines):
        if self.failures:
            self.failures -= 1
            raise NetworkError("the place", "it is away")
        self.batches.append(lines)

    async def close(self):
        self.is_closed = True


def played(sink, puts, room=100, within_ms=60_000):
    trails = []

    async def main(tasks):
        trail = Trail("file", sink, tasks, room, lambda count: b"-%d" % count)
        trails.append(trail)
        for line in puts:
            trail.put(line)
        await trail.close(within_ms)

    simulated_tasks.run(main)
    return trails[0]


def test_events_come_out_in_their_order():
    sink = Kept()
    trail = played(sink, [b"a", b"b", b"c"])
    assert [line for batch in sink.batches for line in batch] == [b"a", b"b", b"c"]
    assert (trail.written, trail.dropped, sink.is_closed) == (3, 0, True)


def test_a_full_queue_drops_and_counts():
    sink = Kept()
    trail = played(sink, [b"%d" % index for index in range(10)], room=4)
    assert (trail.written, trail.dropped) == (5, 6)
    assert sink.batches[-1][-1] == b"-6"


def test_a_flood_of_what_takes_no_rights_leaves_room_for_the_rest():
    sink = Kept()

    async def main(tasks):
        trail = Trail("file", sink, tasks, 4, lambda count: b"-%d" % count)
        for _ in range(50):
            trail.put(b"failed", is_cheap=True)
        trail.put(b"changed")
        await trail.close(60_000)

    simulated_tasks.run(main)
    assert sink.batches == [[b"failed", b"failed", b"-48", b"changed"]]


def test_what_was_dropped_is_noted_where_it_is_missing():
    sink = Kept()

    async def main(tasks):
        trail = Trail("file", sink, tasks, 2, lambda count: b"-%d" % count)
        for line in (b"a", b"b", b"c", b"d"):
            trail.put(line)
        await tasks.sleep(1000)
        trail.put(b"e")
        await trail.close(60_000)

    simulated_tasks.run(main)
    assert [line for batch in sink.batches for line in batch] == [b"a", b"b", b"-2", b"e"]


def test_a_place_that_fails_gets_them_again():
    sink = Kept(failures=3)
    trail = played(sink, [b"a", b"b"])
    assert (sink.batches, trail.dropped) == ([[b"a", b"b"]], 0)


def test_what_cannot_be_written_before_the_end_is_counted():
    sink = Kept(failures=10**6)
    trail = played(sink, [b"a", b"b"], within_ms=1000)
    assert (sink.batches, trail.dropped, sink.is_closed) == ([], 2, True)


@pytest.mark.parametrize("size", [1, BATCH_BYTES // 2, 2 * BATCH_BYTES])
def test_batches_are_small_whatever_the_size_of_an_event(size):
    sink = Kept()
    played(sink, [b"x" * size] * 4)
    assert sum(map(len, sink.batches)) == 4
    assert all(len(batch) == 1 or sum(map(len, batch)) <= BATCH_BYTES for batch in sink.batches)
