"""Counting, asking, and the spread of values."""

from math import sqrt
from statistics import stdev

from hypothesis import given
from hypothesis import strategies as some

from moldau.broker.metrics.kinds import BUCKETS, Gauge, Histogram, Meter


def test_a_meter_counts_events_and_amounts():
    meter = Meter()
    meter.mark()
    meter.mark(41)
    assert (meter.count, repr(meter)) == (42, "Meter(42)")


def test_a_gauge_is_asked_when_it_is_read():
    values = [1, 2]
    gauge = Gauge(lambda: values.pop(0))
    assert [gauge.value, gauge.value] == [1, 2]
    assert repr(Gauge(lambda: 3)) == "Gauge(3)"


@given(some.lists(some.integers(0, 2**53), min_size=1), some.sampled_from((0.5, 0.95, 0.99)))
def test_a_percentile_is_true_to_an_eighth(values, share):
    histogram = Histogram()
    for value in values:
        histogram.record(value)
    exact = sorted(values)[max(0, -int(-share * len(values) // 1) - 1)]
    assert exact <= histogram.percentile(share) <= exact + exact // 8 + 1


@given(some.lists(some.integers(0, 2**63 - 1)))
def test_sums_and_counts_are_exact_and_memory_is_bounded(values):
    histogram = Histogram()
    for value in values:
        histogram.record(value)
    assert (histogram.count, histogram.total) == (len(values), sum(values))
    assert histogram.maximum == max(values, default=0)
    assert len(histogram._buckets) <= BUCKETS


@given(some.lists(some.integers(0, 2**40), min_size=2))
def test_the_least_value_and_the_deviation_are_true_to_an_eighth(values):
    histogram = Histogram(0.5)
    for value in values:
        histogram.record(value)
    least, most = min(values), max(values)
    assert (least - least // 8 - 1) * 0.5 <= histogram.minimum <= least * 0.5
    assert abs(histogram.deviation - stdev(values) * 0.5) <= (most / 8 + 1) * 0.5


def test_values_that_are_alike_do_not_deviate():
    histogram = Histogram()
    for values, deviation in (([], 0), ([9], 0), ([9, 9], 0), ([1, 9], 4 * sqrt(2))):
        histogram = Histogram()
        for value in values:
            histogram.record(value)
        assert (histogram.minimum, histogram.deviation) == (min(values, default=0), deviation)


def test_where_nothing_was_recorded_every_percentile_is_nothing():
    assert Histogram().percentile(0.99) == 0
    assert repr(Histogram()) == "Histogram(0 values, half of them below 0)"


def test_values_are_shown_to_scale():
    histogram = Histogram(0.001)
    histogram.record(1500)
    assert histogram.percentile(1) == 1.5


@given(some.lists(some.integers(0, 2**40)), some.lists(some.integers(0, 2**40)))
def test_what_is_put_together_can_be_taken_apart(some_values, others):
    whole, one, other = Histogram(0.5), Histogram(0.5), Histogram(0.5)
    for histogram, values in ((one, some_values), (other, others), (whole, some_values + others)):
        for value in values:
            histogram.record(value)
    for found, wanted in ((one.plus(other), whole), (whole.less(other), one)):
        assert (found.count, found.total, found.scale) == (wanted.count, wanted.total, 0.5)
    halves = (0.01, 0.5)
    assert [one.plus(other).percentile(share) for share in halves] == [
        whole.percentile(share) for share in halves
    ]


def test_as_many_values_may_all_be_zero():
    histogram = Histogram()
    histogram.record(7)
    found = histogram.at_zero()
    assert (found.count, found.total, found.percentile(1)) == (1, 0, 0)
