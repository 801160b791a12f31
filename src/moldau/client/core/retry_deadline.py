"""How long a call goes on trying, and its error when it gives up."""

from __future__ import annotations

from typing import Final

from moldau.client.core.dialogue import Pause
from moldau.client.errors import RefusedError, TimedOutError
from moldau.network.outgoing.backoff import Backoff
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["RetryDeadline"]

ENDING_MS: Final = 5
"""Before the first new try while the transaction before is ending; doubled for each one more. That
takes milliseconds as a rule: with `retry.backoff.ms` it was most of the time of a short transaction
(Java's client waits for 20 ms)."""
DOUBLED_MAX: Final = 10


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
        wait_ms = self._backoff.wait_ms(self.tries)
        if isinstance(cause, RefusedError) and cause.error is ErrorCode.CONCURRENT_TRANSACTIONS:
            wait_ms = min(wait_ms, ENDING_MS << min(self.tries, DOUBLED_MAX))
        self.tries += 1
        return Pause(min(wait_ms, left_ms))
