"""The segments of a log in the order of their offsets."""

from __future__ import annotations

from moldau.broker.log.segment.segment import Segment
from moldau.broker.log.segment.segments import Segments
from moldau.broker.log.settings import LogSettings
from moldau.platform.simulated.files import SimulatedFiles


def segment(base: int, size: int = 1) -> Segment:
    return Segment(SimulatedFiles(), "d", base, LogSettings(), size=size, now_ms=0)


def filled(*bases: int) -> Segments:
    segments = Segments()
    for base in bases:
        segments.add(segment(base))
    return segments


def bases(found: list[Segment]) -> list[int]:
    return [each.base_offset for each in found]


def test_they_are_sorted_whatever_the_order_they_come_in():
    segments = filled(20, 0, 10)
    assert segments.base_offsets == (0, 10, 20)
    assert (segments.first.base_offset, segments.active.base_offset) == (0, 20)
    assert segments.size == 3


def test_an_offset_belongs_to_the_last_that_does_not_begin_after_it():
    segments = filled(5, 10, 20)
    found = [segments.floor(offset) for offset in (4, 5, 9, 10, 99)]
    assert [each and each.base_offset for each in found] == [None, 5, 5, 10, 20]


def test_those_that_follow_are_found():
    segments = filled(5, 10, 20)
    assert bases(segments.starting_at_floor(12)) == [10, 20]
    assert bases(segments.starting_at_floor(0)) == [5, 10, 20]
    assert bases(segments.based_above(10)) == [20]
    following = segments.after(segments.first)
    assert following is not None
    assert following.base_offset == 10
    assert segments.after(segments.active) is None
    assert [segments.end_of(each, 33) for each in segments] == [10, 20, 33]


def test_one_with_the_same_base_replaces_and_only_itself_is_removed():
    segments = filled(5, 10)
    newer = segment(10, size=7)
    older = segments.get(10)
    segments.add(newer)
    assert older is not None
    segments.remove(older)
    assert segments.get(10) is newer
    segments.remove(newer)
    assert segments.base_offsets == (5,)
    assert segments.get(10) is None
