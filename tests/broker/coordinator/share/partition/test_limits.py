"""Records that fail again and again go out in ever smaller company."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.share.partition.limits import ShareLimits


@pytest.mark.parametrize(
    ("limit", "portions"),
    [
        (5, [None, None, None, 50, 1]),
        (10, [None, None, None, None, None, 50, 25, 12, 6, 1]),
        (3, [None, None, 1]),
        (2, [None, None]),
    ],
)
def test_the_last_delivery_is_alone_and_those_before_it_ever_smaller(limit, portions):
    limits = ShareLimits(delivery_count_max=limit)
    assert [limits.portion(count, 100) for count in range(limit)] == portions


def test_a_portion_is_never_nothing():
    assert ShareLimits(delivery_count_max=10).portion(7, 2) == 1
