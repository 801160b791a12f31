"""One device: every reading once, in its windows, with silences and outliers."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import Row

from moldau.programs.pipelines.devices import DeviceLogic, window_of

LOGIC = DeviceLogic(resolutions_s=(60, 300), gap_s=120)
TIMES = st.lists(st.integers(0, 1_000), max_size=40)


def reading(seq, at_s, value=20.0):
    return Row(device="d", seq=seq, value=value, at_us=at_s * 1_000_000)


def taken(state, *rows):
    return [found for row in rows for found in LOGIC.take(state, row)]


def expired(state, until_s=10_000):
    """What the timers give, in their order."""
    found = list[Any]()
    while state and (at_ms := LOGIC.deadline_ms(state)) is not None and at_ms < until_s * 1_000:
        found += LOGIC.expire(state, at_ms)
    return found


@given(TIMES)
def test_windows_of_every_length_have_each_reading_once(times):
    state, again = dict[str, Any](), list[Any]()
    for seq, at_s in enumerate(times):
        taken(state, reading(seq, at_s, float(at_s)))
        again += taken(state, reading(seq, at_s, float(at_s)))
    windows = [row for row in expired(state) if row.kind == "window"]
    for seconds in LOGIC.resolutions_s:
        plain = Counter(window_of(at_s * 1_000_000, seconds) for at_s in times)
        found = [row for row in windows if row.seconds == seconds]
        assert {row.began_us: row.readings for row in found} == plain
        assert len(found) == len(plain)
        assert sum(row.total for row in found) == sum(times)
        assert all(row.low <= row.total / row.readings <= row.high for row in found)
    assert [row.kind for row in again] == ["again"] * len(times)


def test_a_silence_is_noticed_by_a_timer_and_over_with_the_next_reading():
    state = dict[str, Any]()
    taken(state, reading(1, 0), reading(2, 10))
    quiet = [row for row in expired(state, 200) if row.kind == "quiet"]
    assert [row.began_us for row in quiet] == [10_000_000]
    (gap,) = taken(state, reading(3, 400))
    assert (gap.kind, gap.began_us, gap.seconds) == ("gap", 10_000_000, 390)
    assert [row.kind for row in expired(state, 530)].count("quiet") == 1


def test_a_gap_that_no_timer_has_seen_is_a_gap():
    assert [row.kind for row in taken({}, reading(1, 0), reading(2, 500))] == ["gap"]


def test_readings_that_pass_each_other_are_no_gap():
    assert taken({}, reading(1, 100), reading(2, 0), reading(3, 110)) == []


def test_an_outlier_is_far_from_the_usual_and_does_not_become_usual():
    state = dict[str, Any]()
    values = [20.0, 20.5, 19.5, 20.2, 19.8] * 4
    assert taken(state, *(reading(seq, seq * 10, value) for seq, value in enumerate(values))) == []
    for seq in (20, 21):
        (found,) = taken(state, reading(seq, seq * 10, 80.0))
        assert (found.kind, found.value) == ("outlier", 80.0)
        assert found.deviations > 100
    assert taken(state, reading(22, 220, 20.1)) == []
