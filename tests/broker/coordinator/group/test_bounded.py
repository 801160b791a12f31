"""A setting of a group lies within the broker's bounds."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.bounded import Bounded


@pytest.mark.parametrize(
    ("given", "holds"), [(None, 3), ("4", 4), ("2", 2), ("1", 2), ("5", 4), ("-9", 2)]
)
def test_a_groups_setting_holds_within_the_bounds_and_the_brokers_else(given, holds):
    assert Bounded(default=3, least=2, most=4).of(given) == holds
