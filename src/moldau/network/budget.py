"""How much memory all unfinished frames together may take.

A peer may claim a frame of a hundred megabytes; what it costs us is what has arrived, since room
is granted by and by. When the limit is reached, connections that need more wait, first
come, first served; room that is given back lets them on.

If all room is held by frames that are not finished, none would ever go on. So one holder at a
time is favoured: it may exceed the limit by its frame, until it is done, or falls silent and is
dropped by its owner. Bytes that are there already are held without asking; so that these cannot
grow without end either, each takes in little at a time once half of the room is used.
"""

from __future__ import annotations

from typing import Protocol

__all__ = ["FrameBudget", "Holder"]


class Holder(Protocol):
    """A connection that collects a frame."""

    def room_is_free(self) -> None:
        """Ask again for what was refused."""
        ...


class FrameBudget:
    """Bytes that are granted, by holder, and the connections that wait for more."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.used = 0
        self._plenty = limit // 2
        self._held: dict[Holder, int] = {}
        self._waiting: dict[Holder, None] = {}
        self._favoured: Holder | None = None

    def __repr__(self) -> str:
        return (
            f"FrameBudget({self.used} of {self.limit} bytes, {len(self._held)} holders, "
            f"{len(self._waiting)} wait)"
        )

    @property
    def is_short(self) -> bool:
        """Whether a holder has to wait, or half of it is used: time to take in little."""
        return self.used > self._plenty or bool(self._waiting)

    def hold(self, holder: Holder, size: int) -> None:
        """These bytes are there, whatever the limit is."""
        self._held[holder] = self._held.get(holder, 0) + size
        self.used += size

    def grant(self, holder: Holder, size: int) -> bool:
        """Whether `holder` may take `size` bytes more; if not, it is called when to ask again."""
        if self.used + size > self.limit:
            if self._favoured not in (None, holder):
                self._waiting[holder] = None
                return False
            self._favoured = holder
        self.hold(holder, size)
        return True

    def release(self, holder: Holder) -> None:
        """Everything that `holder` has goes back, and it waits no more."""
        self._waiting.pop(holder, None)
        self.used -= self._held.pop(holder, 0)
        if self._favoured is holder:
            self._favoured = None
        for waiting in list(self._waiting):
            if self.used < self.limit or self._favoured is None:
                del self._waiting[waiting]
                waiting.room_is_free()
