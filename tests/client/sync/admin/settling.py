"""Looking until a change has reached the broker that is asked: metadata spreads in its own time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")
LOOKS_MAX = 200
PAUSE_S = 0.05


def settled(look: Callable[[], Value], is_it: Callable[[Value], object]) -> Value:
    """What is seen once it is as expected; or what was seen last."""
    for _ in range(LOOKS_MAX):
        found = look()
        if is_it(found):
            break
        time.sleep(PAUSE_S)
    return found
