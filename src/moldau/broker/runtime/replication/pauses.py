"""How long to wait after a failure: briefly at first, since most are over at once.

A new leader may have the metadata a moment after its followers. Kafka waits for
`replica.fetch.backoff.ms` after every failure, a second by default; here that is where the pauses
end.
"""

from __future__ import annotations

from typing import Final

__all__ = ["FIRST_PAUSE_MS", "Pauses"]

FIRST_PAUSE_MS: Final = 20


class Pauses:
    """Each twice as long as the one before."""

    __slots__ = ("_next_ms",)

    def __init__(self) -> None:
        self._next_ms = FIRST_PAUSE_MS

    def next_ms(self, longest_ms: int) -> int:
        """How long to wait after one more failure."""
        pause_ms = min(self._next_ms, longest_ms)
        self._next_ms = min(2 * self._next_ms, max(longest_ms, FIRST_PAUSE_MS))
        return pause_ms

    def reset(self) -> None:
        """It went well."""
        self._next_ms = FIRST_PAUSE_MS
