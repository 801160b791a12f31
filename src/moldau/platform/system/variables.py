"""One variable of this process's environment, for programs whose start is to cost little."""

from __future__ import annotations

import os

__all__ = ["variable"]


def variable(name: str) -> str | None:
    """Its text; None where it is not set, or empty."""
    return os.environ.get(name) or None
