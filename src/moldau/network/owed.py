"""The answers of one connection that were set aside, which leave in the order of their frames.

    frame 1 ──► set aside ─────────────► known ──► leaves
    frame 2 ──► set aside ──► known ─────────────► leaves after it
    frame 3 ──► answered at once: behind ────────► leaves last

A connection has an object of this kind from the first answer that it sets aside until the last has
left. All are of one API. The frame in work may be answered before they are: that answer is kept
behind them, and so is the end of the connection.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from moldau.platform.buffers import Buffer
from moldau.platform.ports.network import FilePart

__all__ = ["OwedAnswer", "OwedAnswers", "Parts"]

Parts: TypeAlias = "tuple[Buffer | FilePart, ...]"

OWED_MAX: Final = 16
"""Answers of a connection that are set aside at a time: Java's producer and librdkafka's, where it
is idempotent, have five requests under way."""


class OwedAnswer:
    """The place of an answer that was set aside, among those of its connection."""

    __slots__ = ("parts",)

    def __init__(self) -> None:
        self.parts: Parts | None = None
        """None until it is known."""


class OwedAnswers:
    """Those of a connection, and what has to wait for them."""

    __slots__ = ("_api_key", "_next", "_places", "behind", "behind_mute_ms", "ends", "frame_waits")

    def __init__(self, api_key: int) -> None:
        self._api_key = api_key
        self._places: list[OwedAnswer] = []
        self._next: OwedAnswer | None = None
        self.behind: Parts | None = None
        """The answer to the frame in work, which leaves when those set aside have left."""
        self.behind_mute_ms = 0
        self.ends = False
        """The connection does, when those set aside have left."""
        self.frame_waits = False
        """A frame has come that may not be taken before."""

    @property
    def is_empty(self) -> bool:
        return not self._places

    @property
    def is_frames_turn(self) -> bool:
        """What is answered next is the frame in work, and none of those set aside."""
        return self._next is None

    def set_aside(self) -> OwedAnswer | None:
        """A place behind all others; None where as many wait as may."""
        if len(self._places) >= OWED_MAX:
            return None
        place = OwedAnswer()
        self._places.append(place)
        return place

    def resume(self, place: OwedAnswer) -> None:
        """The next call of `put` is for this one."""
        self._next = place

    def put(self, parts: Parts, mute_ms: int) -> bool:
        """Keep an answer in its place; whether it is one of those set aside."""
        place, self._next = self._next, None
        if place is None:
            self.behind, self.behind_mute_ms = parts, mute_ms
            return False
        place.parts = parts
        return True

    def take_known(self) -> Parts:
        """All that are known, up to the first that is not."""
        known: list[Buffer | FilePart] = []
        places = self._places
        while places:
            parts = places[0].parts
            if parts is None:
                break
            known.extend(parts)
            del places[0]
        return tuple(known)

    def may_be_passed_by(self, frame: memoryview) -> bool:
        """Whether this frame may be in work while these are not known: one of the same API."""
        return len(frame) > 1 and frame[0] << 8 | frame[1] == self._api_key
