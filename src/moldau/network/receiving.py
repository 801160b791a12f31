"""What all connections of a node share: one buffer to receive into, one budget, one clock.

A connection that has nothing unfinished receives into the shared buffer and its frames are handed
on as views of it. This is sound because call-backs come one at a time and none keeps a view
beyond its call. Only what is unfinished or has to wait is copied.

A frame that did not come whole gets memory of its own. There is one spare in a node: the memory of
the last such frame, unless a view of it is still held, for fresh memory costs a node as much
as all that it does with a frame of a MiB. Where the spare is large enough to take its place, the
shared buffer itself goes to the frame, and nothing is copied. A peer that claims the spare and
sends nothing costs the others what they would cost without it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from moldau.network.budget import FrameBudget
from moldau.network.other_protocols import FrameRefusals
from moldau.platform.buffers import is_free
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks
from moldau.protocol.wire.frame import FRAME_BYTES_MAX

__all__ = ["SHARED_BYTES", "TURN_BYTES", "Receiving"]

SHARED_BYTES: Final = 1024 * 1024 + 64 * 1024
"""The largest request of Java's client by default, with some for its header. What is never filled
takes no memory."""
TURN_BYTES: Final = 256 * 1024
"""What is received at a time: more than a socket holds by default, so that one call empties it."""
WORTH_BYTES: Final = 16 * 1024
"""Fewer bytes are sooner copied than two buffers changed."""
SPARE_BYTES_MAX: Final = 4 * 1024 * 1024
"""Four times the largest request that Java's client sends by default."""
UNFINISHED_BYTES_MAX: Final = 256 * 1024 * 1024
"""Two frames of the largest size and some; `queued.max.request.bytes` overrides it."""

TURN_NS: Final = 1_000_000
"""What one connection may work for before others have their turn on the loop. A frame that takes
longer than this by itself is sliced by its handler."""
SHARERS_MAX: Final = 7
"""Fifty connections that come at once with much ahead should not take fifty turns together; an
eighth of one is still some frames."""


class Receiving:
    """Made once for a node."""

    __slots__ = (
        "budget", "clock", "frame_bytes_max", "now_ns", "refusals", "resting", "shared", "spare",
        "tasks", "view",
    )  # fmt: skip

    def __init__(
        self,
        clock: Clock,
        tasks: Tasks,
        frame_bytes_max: int = FRAME_BYTES_MAX,
        budget: FrameBudget | None = None,
        *,
        has_spare: bool = True,
    ) -> None:
        self.clock = clock
        self.now_ns: Callable[[], int] = clock.monotonic_ns
        """Found once: it is called for each frame."""
        self.tasks = tasks
        self.frame_bytes_max = frame_bytes_max
        self.budget = budget or FrameBudget(UNFINISHED_BYTES_MAX)
        self.shared = bytearray(SHARED_BYTES)
        self.view = memoryview(self.shared)[:TURN_BYTES]
        """Of the shared buffer: as much as is received at a time."""
        self.spare: bytearray | None = bytearray(SHARED_BYTES) if has_spare else None
        self.resting = 0
        """Connections that wait for their next turn."""
        self.refusals = FrameRefusals(clock, frame_bytes_max)
        """Closes connections whose frames have impossible sizes."""

    def __repr__(self) -> str:
        return f"Receiving({len(self.view)} bytes at a time, {self.budget})"

    @property
    def turn_ns(self) -> int:
        """What a connection may work for now, less where others wait: no frame begins later."""
        return TURN_NS // (1 + min(self.resting, SHARERS_MAX))

    def in_turn(self, go_on: Callable[[], None]) -> None:
        """Let a connection go on after others."""
        self.resting += 1
        self.tasks.in_turn(partial(self._go_on, go_on))

    def _go_on(self, go_on: Callable[[], None]) -> None:
        self.resting -= 1
        go_on()

    def lend(self, size: int) -> bytearray | None:
        """The spare memory, whatever was in it, if a frame of this size fits."""
        spare = self.spare
        if spare is None or len(spare) < size:
            return None
        self.spare = None
        return spare

    def give_away(self, filled: int, size: int) -> bytearray | None:
        """The shared buffer, with all that was just received, if a frame of this size fits.

        The spare takes its place, if it is no smaller.
        """
        shared, spare = self.shared, self.spare
        if spare is None or filled < WORTH_BYTES or not size <= len(shared) <= len(spare):
            return None
        self.shared, self.spare = spare, None
        self.view = memoryview(spare)[:TURN_BYTES]
        return shared

    def keep(self, memory: bytearray) -> None:
        """For the next frame: it is not needed any more."""
        if len(memory) > SPARE_BYTES_MAX or len(memory) < len(self.spare or b""):
            return
        if is_free(memory):
            self.spare = memory
