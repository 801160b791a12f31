"""A tally says where most and where nearly all of the times lie."""

from __future__ import annotations

import pytest

from bench.versus.generators.tally import percentile, tally

MS = 1_000_000


def test_a_tally_has_rate_and_percentiles_of_times_in_any_order():
    found = tally([value * MS for value in range(100, 0, -1)], 2.0, 0.5)
    assert (found.per_second, found.p50_ms, found.p99_ms) == (50, 51, 100)


@pytest.mark.parametrize(("values", "found"), [([], 0), ([7], 7), ([1, 2], 2)])
def test_a_percentile_of_few_is_one_of_them(values, found):
    assert percentile(values, 0.99) == found
