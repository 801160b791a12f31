"""What has come to the quorum, and when its own deadlines are looked at meanwhile.

A node that had no processor for seconds, or whose disk was slow, wakes up to deadlines that are
over and to what came in time beside them: a leader to the fetches of its majority, a follower to
its leader's answer, a candidate to votes. Deadlines first would end leaders that are followed, and
each election costs a starved machine more time than the last. So what had come when something was
first due is handled before it; what comes later is not, or a flood of requests would hide a
deadline for ever.
"""

from __future__ import annotations

from collections import deque

from moldau.broker.quorum.events import Event

__all__ = ["Arrivals"]


class Arrivals:
    """The events of one quorum, in the order in which they came."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        self._before_deadline: int | None = None
        """How many are handled before what is due; None while nothing is."""

    def __repr__(self) -> str:
        return f"Arrivals({len(self._events)} wait)"

    def __bool__(self) -> bool:
        return bool(self._events)

    def add(self, event: Event) -> None:
        self._events.append(event)

    def take(self, *, is_due: bool) -> Event | None:
        """The oldest; none where what is due has to come first."""
        if not is_due:
            self._before_deadline = None
        elif self._before_deadline is None:
            self._before_deadline = len(self._events)
        if not self._events or self._before_deadline == 0:
            return None
        if self._before_deadline is not None:
            self._before_deadline -= 1
        return self._events.popleft()

    def deadline_seen(self) -> None:
        """What was due is done."""
        self._before_deadline = None
