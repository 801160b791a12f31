"""What a program without a loop waits for: time, and to be ended by SIGTERM as by Ctrl-C."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["interrupted_when_terminated", "wait_seconds"]


def wait_seconds(seconds: float) -> None:
    """Return after so long, or raise `KeyboardInterrupt` as soon as Ctrl-C comes."""
    if seconds > 0:
        time.sleep(seconds)


@contextmanager
def interrupted_when_terminated() -> Iterator[None]:
    """Inside, SIGTERM raises `KeyboardInterrupt` in the main thread, once.

    A second one does nothing, so that what is done on the way out comes to its end.
    """

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
