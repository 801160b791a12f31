"""What Ctrl-C does by default.

Python raises `KeyboardInterrupt` wherever it happens to be, which in the middle of an import is a
page of lines that help no reader, and now and then another error. There the process had better die.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType

__all__ = ["end_at_once", "raise_again"]

Handler = Callable[[int, FrameType | None], object] | signal.Handlers


def end_at_once() -> None:
    """Ctrl-C ends the process without a word; where it is ignored, that stays so."""
    _replace(signal.default_int_handler, signal.SIG_DFL)


def raise_again() -> None:
    """Ctrl-C raises `KeyboardInterrupt` as in any program of Python."""
    _replace(signal.SIG_DFL, signal.default_int_handler)


def _replace(found: Handler, wanted: Handler) -> None:
    if signal.getsignal(signal.SIGINT) == found:
        signal.signal(signal.SIGINT, wanted)
