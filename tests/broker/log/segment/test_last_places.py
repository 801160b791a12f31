"""What is remembered of a segment says what a walk from its beginning says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.segment.last_places import LastPlaces
from moldau.broker.log.segment.segment import Segment
from moldau.broker.log.settings import LogSettings
from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.log.batches import batch, headers_of

SETTINGS = LogSettings(index_interval_bytes=200, segment_index_bytes=1200)
STEPS = st.one_of(
    st.tuples(st.just("append"), st.integers(1, 3)),
    st.tuples(st.just("append one"), st.integers(1, 3)),
    st.tuples(st.just("cut"), st.integers(0, 40)),
    st.tuples(st.just("locate"), st.integers(0, 40)),
)


def walked(segment: Segment, offset: int):
    """The slow and obvious version."""
    return next((found for found in segment.batches() if found[1].last_offset >= offset), None)


def append(segment: Segment, how: str, records: int) -> None:
    data = batch(segment.next_offset(), (b"v",) * records)
    (header,) = headers_of(data)
    if how == "append one":
        segment.append_one(data, header)
    else:
        segment.append(data, [header])


@given(st.lists(STEPS, max_size=40))
def test_whatever_was_appended_cut_and_read_before_every_batch_is_found_where_it_is(steps):
    segment = Segment.create(SimulatedFiles(), "", 0, SETTINGS, now_ms=0)
    for what, number in steps:
        if what == "cut":
            segment.truncate_to(number)
        elif what != "locate":
            append(segment, what, number)
        assert segment.locate(number) == walked(segment, number)
        last = segment.next_offset() - 1
        assert segment.locate(last) == walked(segment, last)


def test_nothing_is_known_of_what_lies_between_and_behind():
    places = LastPlaces()
    header = headers_of(batch(5, (b"a", b"b")))[0]
    places.tail = 100, header
    assert [places.find(offset) for offset in (4, 5, 6, 7)] == [None, *[(100, header)] * 2, None]
    assert places.note(2, (0, header)) == places.find(2) == (0, header)
    places.forget()
    assert places.find(2) is places.find(5) is None
