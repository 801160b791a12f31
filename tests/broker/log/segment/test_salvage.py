"""Batches are found behind bytes that are none."""

from __future__ import annotations

from moldau.broker.log.segment.salvage import (
    SEARCHED_AT_ONCE,
    end_offset_of,
    sound_headers,
    walk_past_damage,
)
from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.log.batches import batch

RECORDS = (b"one", b"two", b"three")


def batches(count):
    return [bytearray(batch(3 * number, RECORDS)) for number in range(count)]


def file_of(*pieces):
    files = SimulatedFiles()
    file = files.open("f", create=True)
    file.append(b"".join(pieces))
    return file


def found_in(file):
    return [(at, header.base_offset) for at, header in sound_headers(file, 0, file.size())]


def test_batches_are_found_between_garbage():
    one, two, three = batches(3)
    assert found_in(file_of(b"\2" * 90, one, b"?" * 7, two, three, b"\0" * 100)) == [
        (90, 0),
        (97 + len(one), 3),
        (97 + len(one) + len(two), 6),
    ]


def test_a_batch_behind_more_than_one_window_is_found():
    (one,) = batches(1)
    gap = SEARCHED_AT_ONCE + 13
    assert found_in(file_of(b"\0" * gap, one)) == [(gap, 0)]


def end_of(*pieces, offset=0):
    file = file_of(*pieces)
    return end_offset_of(file, 0, file.size(), offset)


def test_the_end_is_reported_by_sound_batches_and_by_headers_that_go_on():
    one, two, three = batches(3)
    damaged = bytearray(two)
    damaged[-1] ^= 1
    assert end_of(one, damaged, three) == 9
    assert end_of(damaged, three, offset=3) == 9
    assert end_of(one, damaged) == 6
    assert end_of(one, two[:-5]) == 6
    assert end_of(one, two[:40]) == 3
    assert end_of(b"\0" * 200) == 0


def test_a_base_offset_that_cannot_be_is_not_accepted():
    one, two, three = batches(3)
    two[2] ^= 1
    assert end_of(one, two, three) == 9


def test_a_walk_goes_on_behind_damage_and_never_back():
    one, two, three = batches(3)
    file = file_of(one, b"?" * 50, two, one, three)
    found = [header.base_offset for _, header in walk_past_damage(file, 0, file.size())]
    assert found == [0, 3, 6]
