"""How long a call goes on trying, and its error when it gives up."""

from __future__ import annotations

from moldau.client.core.dialogue import Pause
from moldau.client.errors import TimedOutError
from moldau.network.outgoing.backoff import Backoff

__all__ = ["RetryDeadline"]


class RetryDeadline:
    """How long one call is tried again."""

    def __init__(self, what: str, now_ms: int, timeout_ms: int, backoff: Backoff) -> None:
        self.what = what
        """As it fits behind `gave up`: `looking for the leader of orders-3`."""
        self.tries = 0
        """How often it has been tried again."""
        self._timeout_ms = timeout_ms
        self._deadline_ms = now_ms + timeout_ms
        self._backoff = backoff

    def pause(self, now_ms: int, cause: Exception) -> Pause:
        """The wait before the next try; raises `TimedOutError` when there is no time for one."""
        left_ms = self._deadline_ms - now_ms
        if left_ms <= 0:
            raise TimedOutError(self.what, self._timeout_ms, cause)
        wait_ms = min(self._backoff.wait_ms(self.tries), left_ms)
        self.tries += 1
        return Pause(wait_ms)
