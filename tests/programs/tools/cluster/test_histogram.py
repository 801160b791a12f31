"""Latencies by their size, beside the plain list of them."""

from random import Random

from moldau.programs.tools.cluster.histogram import Histogram


def test_percentiles_are_those_of_a_sorted_list_within_an_eighth(seed):
    draw = Random(seed)
    values = sorted(int(draw.expovariate(1 / 5000)) for _ in range(5000))
    histogram = Histogram()
    for value in values:
        histogram.add(value)
    assert (histogram.count, histogram.most) == (5000, values[-1])
    assert histogram.mean() == sum(values) / 5000
    for share in (0.1, 0.5, 0.9, 0.99, 0.999, 1.0):
        exact = values[max(0, -(-int(share * 5000) // 1) - 1)]
        assert exact <= histogram.percentile(share) <= exact * 9 / 8 + 1


def test_bars_have_every_power_of_two_between():
    histogram = Histogram()
    for value in (3, 3, 100):
        histogram.add(value)
    assert [(edge, count) for edge, count, _ in histogram.bars()] == [
        (4, 2),
        (8, 0),
        (16, 0),
        (32, 0),
        (64, 0),
        (128, 1),
    ]


def test_nothing_has_no_bars():
    assert Histogram().bars() == []
    assert Histogram().percentile(0.5) == 0
