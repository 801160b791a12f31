"""Garbage in a worker of Spark: what is loaded is not looked through after each task.

Spark's daemon collects all garbage after every task of a worker that it keeps. With pandas and
scikit-learn loaded that takes 50 to 100 ms, which is more than many a task of a stream does.
"""

from __future__ import annotations

import gc
import sys

__all__ = ["set_aside_what_is_loaded"]

_modules = 0
"""How many were loaded when this was done last."""


def set_aside_what_is_loaded() -> None:
    """Leave what is there to no later collection; at once, where no module came since."""
    global _modules
    if len(sys.modules) != _modules:
        gc.freeze()
        _modules = len(sys.modules)
