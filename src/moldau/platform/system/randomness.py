"""Randomness from the operating system, fit for secrets.

As `random.SystemRandom`, as far as the port has it; the module `random` takes a tool a fiftieth of
its start.
"""

from __future__ import annotations

from os import urandom

__all__ = ["SystemRandom"]

FRACTION_BITS = 53
"""Of a float."""


class SystemRandom:
    """See the port."""

    def randrange(self, start: int, stop: int) -> int:
        width = stop - start
        if width <= 0:
            raise ValueError(f"there is no number from {start} up to, but without, {stop}")
        bits = width.bit_length()
        while (drawn := _drawn(bits)) >= width:
            pass
        return start + drawn

    def random(self) -> float:
        return _drawn(FRACTION_BITS) / (1 << FRACTION_BITS)

    def randbytes(self, n: int) -> bytes:
        return urandom(n)


def _drawn(bits: int) -> int:
    size = -(-bits // 8)
    return int.from_bytes(urandom(size), "big") >> 8 * size - bits
