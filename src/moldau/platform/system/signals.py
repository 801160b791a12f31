"""Being asked to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any

__all__ = ["on_stop", "until_stopped"]

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def on_stop(action: Callable[[], object]) -> None:
    """Call `action` on this loop on SIGTERM or Ctrl-C."""
    loop = asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, action)


async def until_stopped(work: Coroutine[Any, Any, None], afterwards: Callable[[], object]) -> bool:
    """Whether the work was done: a signal to stop that comes meanwhile cancels it.

    A signal to stop once the work is done calls `afterwards`.
    """
    worker = asyncio.current_task()
    assert worker is not None, "work is done by a task"
    is_working, is_cancelled = True, False

    def stop() -> None:
        nonlocal is_cancelled
        if not is_working:
            afterwards()
        elif not is_cancelled:  # cancelled twice, it could not even put away what it has begun
            is_cancelled = worker.cancel()

    on_stop(stop)
    try:
        await work
    except asyncio.CancelledError:
        if not is_cancelled:
            raise
        worker.uncancel()
        return False
    finally:
        is_working = False
    return True
