"""How long to wait before trying again: longer each time, and never the same for two clients.

    wait = first × 2^tries × (0.8 … 1.2), at most the maximum × (0.8 … 1.2)

The spread keeps clients that lost the same broker from coming back at the same moment (KIP-580).
"""

from __future__ import annotations

from moldau.platform.ports.randomness import Random

__all__ = ["Backoff"]

SPREAD = 0.2
DOUBLINGS_MAX = 30
"""Beyond these any first wait has long met its maximum; it keeps the arithmetic small."""


class Backoff:
    """Draws waits."""

    def __init__(self, random: Random, first_ms: int, most_ms: int) -> None:
        self._random = random
        self._first_ms = min(first_ms, most_ms)
        self._most_ms = most_ms

    def wait_ms(self, tries: int) -> float:
        """The wait after that many tries beyond the first."""
        plain_ms = min(self._first_ms << min(tries, DOUBLINGS_MAX), self._most_ms)
        return plain_ms * (1 - SPREAD + 2 * SPREAD * self._random.random())
