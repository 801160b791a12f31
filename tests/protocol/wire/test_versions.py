"""Version ranges."""

from __future__ import annotations

import pytest

from moldau.protocol.wire.versions import ALL, HIGHEST, NONE, Versions


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("3-13", 3, 13), ("9+", 9, HIGHEST), ("-12", 0, 12), ("2", 2, 2), ("0+", 0, HIGHEST)],
)
def test_kafkas_spelling_is_understood(text, low, high):
    assert Versions.parse(text) == Versions(low, high)


@pytest.mark.parametrize("text", ["3-13", "9+", "2", "none"])
def test_a_range_is_shown_as_it_is_spelled(text):
    assert str(Versions.parse(text)) == text


def test_none_contains_nothing():
    assert 0 not in NONE
    assert list(NONE.each()) == []


def test_two_ranges_meet_where_both_are():
    assert Versions(0, 5).within(Versions(3, 9)) == Versions(3, 5)
    assert Versions(0, 2).within(Versions(3, 9)) is NONE
    assert Versions(4, 4).within(ALL) == Versions(4, 4)
