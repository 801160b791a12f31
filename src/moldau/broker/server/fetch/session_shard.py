"""Slots for fetch sessions, and which is evicted for which.

Kafka keeps its sessions in shards, so that threads do not wait for each other; clients see it by
the ids, and by when there is no place left: each shard has its part of the places, rounded down,
and new sessions go to the shards in turn. So does ours, though one thread needs no shards.

In a full shard a new session takes the place of the one that is idle for longest, if that is more
than two minutes; or else of one that counts less. Followers count more than consumers, and many
partitions more than few. A session may give way to others of its kind only if it had its two
minutes when it was last used; a consumer's may always give way to a follower.
"""

from __future__ import annotations

from typing import Final

from moldau.broker.server.fetch.session import Session
from moldau.platform.ports.randomness import Random

__all__ = ["IDLE_MS_MAX", "SessionShard"]

IDLE_MS_MAX: Final = 120_000
"""`min.incremental.fetch.session.eviction.ms`."""


Worth = tuple[bool, int, int]
NO_ID: Final = 0


class SessionShard:
    """Some of the sessions, those with ids in one range."""

    __slots__ = ("_ids", "_random", "_slots", "evictions", "sessions")

    def __init__(self, random: Random, slots: int, ids: range) -> None:
        self._random = random
        self._slots = slots
        self._ids = ids
        self.sessions: dict[int, Session] = {}
        """In the order of their last use."""
        self.evictions = 0

    def __repr__(self) -> str:
        return f"SessionShard({len(self.sessions)} of {self._slots})"

    def free_id(self) -> int:
        """An id that no session has."""
        while True:
            drawn = self._random.randrange(max(self._ids.start, 1), self._ids.stop)
            if drawn not in self.sessions:
                return drawn

    def has_place(self, is_privileged: bool, size: int, now_ms: int) -> bool:
        """Whether a session of this worth may come; one that is there may go for it."""
        return len(self.sessions) < self._slots or self.makes_room(is_privileged, size, now_ms)

    def makes_room(self, is_privileged: bool, size: int, now_ms: int) -> bool:
        """Whether one that is there has gone for a session of this worth."""
        oldest = next(iter(self.sessions.values()), None)
        if oldest is None:
            return False
        if now_ms - oldest.used_ms > IDLE_MS_MAX:
            return self._evict(oldest)
        evictable = [one for one in self.sessions.values() if _may_go(one, is_privileged)]
        least = min(evictable, key=_worth, default=None)
        if least is None or (is_privileged, size, NO_ID) < _worth(least):
            return False
        return self._evict(least)

    def put(self, session: Session, now_ms: int) -> None:
        """It is used: it is the last that will be idle for too long."""
        self.sessions.pop(session.session_id, None)
        session.used_ms = now_ms
        self.sessions[session.session_id] = session

    def remove(self, session_id: int) -> None:
        """It is over, if it was there."""
        session = self.sessions.pop(session_id, None)
        if session is not None:
            session.end()

    def _evict(self, session: Session) -> bool:
        self.remove(session.session_id)
        self.evictions += 1
        return True


def _worth(session: Session) -> Worth:
    return session.is_privileged, session.size, session.session_id


def _may_go(session: Session, for_privileged: bool) -> bool:
    had_its_time = session.used_ms - session.created_ms > IDLE_MS_MAX
    return had_its_time or (for_privileged and not session.is_privileged)
