"""What all connections of a node share: one buffer to receive into, one budget, one clock.

A connection that has nothing unfinished receives into the shared buffer and its frames are handed
on as views of it. This is sound because call-backs come one at a time and nobody keeps a view
beyond its call. Only what is unfinished or has to wait is copied.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from moldau.network.budget import FrameBudget
from moldau.ports.clock import Clock
from moldau.ports.tasks import Tasks
from moldau.wire.frame import FRAME_BYTES_MAX

__all__ = ["SHARED_BYTES", "Receiving"]

SHARED_BYTES = 256 * 1024
"""More than a socket holds by default, so that one call empties it."""
UNFINISHED_BYTES_MAX = 256 * 1024 * 1024
"""Two frames of the largest size and some; `queued.max.request.bytes` overrides it."""


@dataclass(slots=True)
class Receiving:
    """Made once for a node."""

    clock: Clock
    tasks: Tasks
    frame_bytes_max: int = FRAME_BYTES_MAX
    budget: FrameBudget = field(default_factory=lambda: FrameBudget(UNFINISHED_BYTES_MAX))
    view: memoryview = field(default_factory=lambda: memoryview(bytearray(SHARED_BYTES)))
