"""Sessions: the same clicks give the same sessions, in whatever order they come."""

from __future__ import annotations

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import Row
from pyspark.sql.streaming.tws_tester import TwsTester

from moldau.programs.pipelines.sessions import Session, SessionProcessor, joined

GAP_US = 10_000
TIMES = st.lists(st.integers(0, 200_000), max_size=40)


def click(at_us, action="view", page="/"):
    return Row(at_us=at_us, action=action, page=page)


def alone(at_us):
    return Session(at_us, at_us, 1, 0, "/")


def plain(times):
    """Clicks in order, cut where the gap is: the obvious way."""
    ordered, cuts = sorted(times), 0
    numbered = []
    for index, time in enumerate(ordered):
        cuts += index > 0 and time - ordered[index - 1] >= GAP_US
        numbered.append((cuts, time))
    groups = [[time for _, time in group] for _, group in groupby(numbered, key=lambda p: p[0])]
    return [(group[0], group[-1], len(group)) for group in groups]


def ends_of(sessions):
    return [(session.begin_us, session.end_us, session.clicks) for session in sessions]


@given(TIMES)
def test_joining_agrees_with_the_plain_way(times):
    assert ends_of(joined(map(alone, times), GAP_US)) == plain(times)


@given(TIMES, TIMES)
def test_clicks_may_come_in_two_parts(early, late):
    parts = [*joined(map(alone, early), GAP_US), *joined(map(alone, late), GAP_US)]
    assert ends_of(joined(parts, GAP_US)) == plain([*early, *late])


def test_the_first_click_says_where_a_session_begins():
    later, earlier = Session(5, 5, 1, 1, "/cart"), Session(0, 0, 1, 0, "/")
    assert joined([later, earlier], GAP_US) == [Session(0, 5, 2, 1, "/")]


def a_processor():
    return TwsTester(
        SessionProcessor(GAP_US), timeMode="EventTime", eventTimeExtractor=lambda row: row.at_us
    )


def test_a_session_learns_when_the_watermark_has_passed_it():
    tested = a_processor()
    assert tested.test("v1", [click(5_000), click(1_000, page="/tea")]) == []
    assert tested.setWatermark(15) == []
    rows = tested.setWatermark(16)
    assert [tuple(row) for row in rows] == [("v1", 1_000, 5_000, 2, 0, "/tea")]
    assert tested.setWatermark(1_000) == []


def test_a_click_within_the_gap_keeps_a_session_open():
    tested = a_processor()
    tested.test("v1", [click(1_000)])
    tested.test("v1", [click(9_000, "purchase")])
    assert tested.setWatermark(12) == []
    (row,) = tested.setWatermark(30)
    assert (row.begin_us, row.end_us, row.clicks, row.purchases) == (1_000, 9_000, 2, 1)


def test_visitors_do_not_know_each_other():
    tested = a_processor()
    tested.test("v1", [click(1_000)])
    tested.test("v2", [click(2_000)])
    assert sorted(row.visitor for row in tested.setWatermark(100)) == ["v1", "v2"]
