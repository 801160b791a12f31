"""Bytes of one connection that have come and cannot be taken yet, and the memory that they hold.

    too early        the frame before is in work, or less than a size has come: kept as they are
    part of a frame  collected in memory of its own, which grows as far as the budget grants it

A connection has an object of this kind from the first such byte until the frame that it belongs to
is done with; most connections have none. It has bytes of one of the two kinds at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct as Packer
from typing import Final

from moldau.network.receiving import Receiving
from moldau.platform.ports.network import Link
from moldau.protocol.wire.frame import SIZE_BYTES

__all__ = ["NOTHING", "Unfinished"]

FIRST_BYTES_MAX: Final = 1024 * 1024
"""Room for a frame when its first bytes are there: usual produce requests never grow."""
CAUTIOUS_BYTES_MAX: Final = 16 * 1024
"""Room for a frame's beginning where the easy part of the budget is used: thousands of peers that
claim much and send little must not cost more than that."""
EASY_SHARE: Final = 8
"""That part of the budget, as its denominator."""

NOTHING: Final = memoryview(b"")
_SIZE: Final = Packer(">i")


class Unfinished:
    """Those of one connection; what they hold of the budget is held under this object."""

    __slots__ = ("_filled", "_receiving", "_resume", "early", "frame", "lacks_room", "wanted")

    def __init__(self, receiving: Receiving, resume: Callable[[], None]) -> None:
        self.early = NOTHING
        """What is taken before anything else that comes."""
        self.frame: bytearray | None = None
        """The memory of a frame that has come in part."""
        self.wanted = 0
        """The bytes of that frame, with its size."""
        self.lacks_room = False
        """There is no room for more of it."""
        self._receiving = receiving
        self._resume = resume
        """Called when there is room again, to read on."""
        self._filled = 0

    def __repr__(self) -> str:
        if self.frame is None:
            return f"<Unfinished: {len(self.early)} bytes too early>"
        return f"<Unfinished: {self._filled} of {self.wanted} bytes of a frame>"

    # bytes that came too early

    def put_off(self, rest: memoryview) -> None:
        """Keep them for later."""
        # A copy that can be written to, as what is received can: an append stamps its batches.
        self.early = rest if self._may_stay(rest) else memoryview(bytearray(rest))
        self._hold(len(rest))

    def take_early(self) -> memoryview:
        early, self.early = self.early, NOTHING
        return early

    def _may_stay(self, rest: memoryview) -> bool:
        """Whether these bytes may stay where they are: in no shared buffer, and most of theirs."""
        return rest.obj is not self._receiving.shared and len(rest) * 2 > len(rest.obj)  # type: ignore[arg-type]

    # a frame that comes in pieces

    def begin(self, rest: memoryview, *, is_first: bool) -> None:
        """The beginning of a frame has come; in its buffer nothing lies before it if `is_first`."""
        (size,) = _SIZE.unpack_from(rest)
        self.wanted = size + SIZE_BYTES
        self._filled = len(rest)
        self._hold(len(rest))
        if is_first and rest.obj is self._receiving.shared:
            self.frame = self._receiving.give_away(len(rest), self.wanted)
        if self.frame is None:
            self._copy(rest)

    def _copy(self, rest: memoryview) -> None:
        spare = self._receiving.lend(self.wanted)
        if spare is None:
            self.frame = copied = bytearray(rest)
            self._grow(copied)
        else:
            spare[: len(rest)] = rest
            self.frame = spare

    def receive(self, link: Link) -> bool:
        """Take in more of the frame; whether it is whole now."""
        frame = self.frame
        assert frame is not None, "only a frame that has begun goes on"
        with memoryview(frame) as whole:
            self._filled += link.receive_into(whole[self._filled : self.wanted])
        if self.frame is None:
            self._receiving.keep(frame)  # when the link reported its end, the frame was in use
            return False
        if self._filled < self.wanted:
            if self._filled == len(frame):
                self._grow(frame)
            return False
        return True

    def _grow(self, frame: bytearray) -> None:
        """Make room for more of the frame, or wait until there may be more."""
        budget = self._receiving.budget
        is_easy = budget.used * EASY_SHARE < budget.limit
        step = max(len(frame), FIRST_BYTES_MAX if is_easy else CAUTIOUS_BYTES_MAX)
        more = min(step, self.wanted - len(frame))
        if budget.grant(self, more):
            frame.extend(bytes(more))
        else:
            self.lacks_room = True

    def room_is_free(self) -> None:
        """The budget has room again."""
        frame = self.frame
        assert frame is not None, "only a frame that has begun waits for room"
        self.lacks_room = False
        self._grow(frame)
        if not self.lacks_room:
            self._resume()

    # what they hold

    def release(self) -> bool:
        """The frame in work is done with; whether anything is still here."""
        self._receiving.budget.release(self)
        if self.early:
            self._hold(len(self.early))
            return True
        return self.frame is not None

    def drop(self) -> None:
        """The connection is lost."""
        frame, self.frame = self.frame, None
        self.early = NOTHING
        if frame is not None:
            self._receiving.keep(frame)
        self._receiving.budget.release(self)

    def _hold(self, size: int) -> None:
        self._receiving.budget.hold(self, size)
