"""Draw numbers that cannot be foreseen, or that a seed repeats."""

from __future__ import annotations

from typing import Protocol


class Random(Protocol):
    """The part of `random.Random` that we use, so that a seeded one fits as it is."""

    def randrange(self, start: int, stop: int) -> int:
        """A whole number from `start` up to, but without, `stop`."""
        ...

    def random(self) -> float:
        """A number from 0 up to, but without, 1."""
        ...

    def randbytes(self, n: int) -> bytes:
        """`n` bytes; from the system they are fit for secrets and ids."""
        ...
