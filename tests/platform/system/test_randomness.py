"""Draws lie in their bounds, reach all of them, and are never the same."""

import pytest

from moldau.platform.system.randomness import SystemRandom

DRAWS = 2_000
RANDOM = SystemRandom()


@pytest.mark.parametrize(("start", "stop"), [(0, 1), (5, 8), (-3, 4), (7, 263)])
def test_every_number_of_a_range_is_drawn_and_no_other(start, stop):
    draws = DRAWS if stop - start < 10 else 20 * DRAWS
    assert {RANDOM.randrange(start, stop) for _ in range(draws)} == set(range(start, stop))


def test_a_large_range_is_used_to_its_end():
    most = 1 << 200
    drawn = [RANDOM.randrange(0, most) for _ in range(DRAWS)]
    assert 0 <= min(drawn) < most // 4
    assert most * 3 // 4 < max(drawn) < most


@pytest.mark.parametrize(("start", "stop"), [(1, 1), (2, 1)])
def test_an_empty_range_has_none(start, stop):
    with pytest.raises(ValueError, match="no number from"):
        RANDOM.randrange(start, stop)


def test_fractions_are_below_one_and_spread():
    drawn = [RANDOM.random() for _ in range(DRAWS)]
    assert all(0 <= one < 1 for one in drawn)
    assert len(set(drawn)) == DRAWS
    assert min(drawn) < 0.1
    assert max(drawn) > 0.9


def test_bytes_are_as_many_as_asked_for_and_others_each_time():
    assert RANDOM.randbytes(0) == b""
    assert len(RANDOM.randbytes(16)) == 16
    assert RANDOM.randbytes(16) != RANDOM.randbytes(16)
