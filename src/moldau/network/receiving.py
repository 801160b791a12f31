"""What all connections of a node share: one buffer to receive into, one budget, one clock.

A connection that has nothing unfinished receives into the shared buffer and its frames are handed
on as views of it. This is sound because call-backs come one at a time and nobody keeps a view
beyond its call. Only what is unfinished or has to wait is copied.

A frame that does not fit gets memory of its own. The last such memory is kept for the next frame,
unless somebody still has a view of it: fresh memory costs a node as much as all that it does with
a frame of a MiB. There is one spare in a node, so a peer that claims it and sends nothing costs
the others what they would cost without it.
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
SPARE_BYTES_MAX = 4 * 1024 * 1024
"""Four times the largest request that Java's client sends by default."""
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
    spare: bytearray | None = None

    def lend(self, size: int) -> bytearray | None:
        """The spare memory, whatever was in it, if a frame of this size fits."""
        spare = self.spare
        if spare is None or len(spare) < size:
            return None
        self.spare = None
        return spare

    def keep(self, memory: bytearray) -> None:
        """For the next frame: nobody of ours needs it any more."""
        if len(memory) > SPARE_BYTES_MAX or len(memory) < len(self.spare or b""):
            return
        try:
            memory.append(memory.pop())  # which Python refuses while there is a view of it
        except BufferError:
            return
        self.spare = memory
