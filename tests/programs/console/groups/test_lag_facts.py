"""Facts of two samples."""

from moldau.client import TopicPartition
from moldau.programs.console.groups.lag_facts import GroupFacts, Sample, group_facts

ONE, TWO, NEW = (TopicPartition("t", number) for number in range(3))
ABOUT = GroupFacts("g", "Stable", 1, 0, ())


def test_rates_are_of_both_samples_and_unknown_where_an_offset_went_back():
    first = Sample(1_000, {ONE: 10, TWO: 50}, {ONE: 100, TWO: 100})
    last = Sample(5_000, {ONE: 30, TWO: 40}, {ONE: 200, TWO: 100})
    found = group_facts(ABOUT, {ONE: ("c", "m"), NEW: ("c", "m")}, first, last)
    one, two, new = found.partitions
    assert (found.seconds, found.waiting, found.rate_in, found.rate_out) == (4, 230, 25, 5)
    assert (one.rate_in, one.rate_out, one.lag, one.client) == (25, 5, 170, "c")
    assert (two.rate_in, two.rate_out, two.lag, two.member) == (0, None, 60, None)
    assert (new.rate_in, new.lag, new.waiting, str(new)) == (None, None, 0, "t-2")
    assert found.owned_by("m") == [one, new]
