"""A timer that comes no later than its owner has to be woken.

It is set anew after everything that may have changed when that is. One that would come too early
is left: an owner that is woken for nothing sets it again, and most waits end before their time.
"""

from __future__ import annotations

from collections.abc import Callable

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks, Timer


class WakeTimer:
    """A timer that wakes one sleeper at its next due time."""

    def __init__(
        self,
        clock: Clock,
        tasks: Tasks,
        wake_at_ms: Callable[[], int | None],
        wake: Callable[[], None],
    ) -> None:
        self._clock = clock
        self._tasks = tasks
        self._wake_at_ms = wake_at_ms
        self._wake = wake
        self._timer: Timer | None = None
        self._timer_at_ms = 0

    def __repr__(self) -> str:
        return f"WakeTimer(at {self._timer_at_ms} ms)" if self._timer else "WakeTimer(not set)"

    def set(self) -> None:
        """See to it that it comes in time."""
        wake_at_ms = self._wake_at_ms()
        if wake_at_ms is None or (self._timer is not None and self._timer_at_ms <= wake_at_ms):
            return
        self.cancel()
        self._timer_at_ms = wake_at_ms
        self._timer = self._tasks.after(max(0, wake_at_ms - self._clock.now_ms()), self._due)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _due(self) -> None:
        self._timer = None
        self._wake()
