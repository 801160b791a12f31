"""Being asked to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

__all__ = ["on_stop"]

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def on_stop(action: Callable[[], None]) -> None:
    """Call `action` on this loop when the process is told to end, by SIGTERM or Ctrl-C."""
    loop = asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, action)
