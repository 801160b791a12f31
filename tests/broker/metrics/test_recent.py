"""What is shown of the last minute, and forgotten after it."""

from __future__ import annotations

from math import isnan

from moldau.broker.metrics.recent import Recent, Share

SECOND_NS = 1_000_000_000


def test_average_and_maximum_are_those_of_the_last_two_windows():
    recent = Recent()
    for now_ms, value in ((0, 100), (10_000, 200), (30_000, 6)):
        recent.record(value, now_ms)
    assert (recent.average(59_000), recent.maximum(59_000)) == (102, 200)
    assert (recent.average(61_000), recent.maximum(61_000)) == (6, 6)
    recent.record(4, 65_000)
    assert (recent.average(65_000), repr(recent)) == (5, "Recent(2 windows)")


def test_where_nothing_was_recorded_there_is_no_number():
    recent = Recent()
    assert isnan(recent.average(0))
    recent.record(1, 0)
    assert isnan(recent.maximum(60_000))


def test_a_share_is_that_of_the_last_minute():
    share = Share(0, 0)
    shares = [share.at(waited * SECOND_NS, now * SECOND_NS) for now, waited in
            ((10, 10), (20, 10), (60, 50), (70, 50), (80, 50), (140, 80))]  # fmt: skip
    assert shares == [1.0, 0.5, 50 / 60, 40 / 60, 40 / 60, 0.5]


def test_who_never_read_before_is_reported_all_the_time():
    assert Share(5, 100 * SECOND_NS).at(5 + 450 * SECOND_NS, 1000 * SECOND_NS) == 0.5


def test_a_share_of_no_time_is_a_whole_and_many_readings_take_no_memory():
    share = Share(7, 7)
    assert share.at(7, 7) == 1.0
    for second in range(1000):
        share.at(7, 7 + second * SECOND_NS)
    assert len(share._readings) <= 64
