"""Both implementations of the Random port."""

import pytest

from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.randomness import SystemRandom


@pytest.mark.parametrize("random", [SystemRandom(), SeededRandom(1)], ids=["system", "seeded"])
def test_what_is_drawn_stays_within_its_bounds(random):
    assert {random.randrange(3, 5) for _ in range(100)} == {3, 4}
    assert 0 <= random.random() < 1
    assert len(random.randbytes(7)) == 7


def test_a_seed_repeats_itself_and_another_does_not():
    assert SeededRandom(1).randbytes(8) == SeededRandom(1).randbytes(8)
    assert SeededRandom(1).randbytes(8) != SeededRandom(2).randbytes(8)
