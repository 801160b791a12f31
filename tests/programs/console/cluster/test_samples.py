"""Rings of numbers, and rates made of them."""

from moldau.programs.console.cluster.samples import Samples


def test_a_rate_is_by_second_and_a_gap_where_a_number_shrank():
    samples = Samples()
    for time, value in ((0, 10), (2000, 30), (4000, 5), (5000, 6)):
        samples.add(time, {"a": value})
    assert samples.rates("a") == [None, 10, None, 1]


def test_a_series_that_came_later_begins_with_gaps():
    samples = Samples()
    samples.add(0, {"a": 1})
    samples.add(1, {"a": 1, "b": 2})
    assert samples.series("b") == [None, 2]


def test_old_samples_and_series_that_have_ended_are_forgotten():
    samples = Samples(3)
    samples.add(0, {"a": 1, "b": 1})
    for time in range(1, 4):
        samples.add(time, {"a": time})
    assert samples.series("a") == [1, 2, 3]
    assert samples.series("b") == []
    assert list(samples.times) == [1, 2, 3]


def test_the_number_of_series_is_bounded():
    samples = Samples(1, 10)
    samples.add(0, {str(number): 1 for number in range(15)})
    assert sum(bool(samples.series(str(number))) for number in range(15)) == 10
