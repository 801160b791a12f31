"""Which brokers sent a heartbeat lately, and how far each has read the metadata.

Volatile: nothing of it is written down. A new active controller begins with the benefit of the
doubt: every unfenced broker counts as alive at the moment it took over.

A session lasts for `broker.session.timeout.ms`, 9 s by default: heartbeats of brokers of Apache
Kafka come every 2 s. Ours come more often, so their silence means something sooner: a broker
whose last heartbeats all came quickly has a quick session, which `moldau.broker.session.timeout.ms`
ends. One heartbeat that is late, as on a machine that is overloaded, makes it an ordinary one
again. Its fetches of the metadata come still more often, from the same process, and prolong a quick
session; but for half of its time only, for a process that has just begun fetches, too, and must not
keep the session of its former life.

The node that led the quorum before may be a broker, too, and its heartbeats went to itself. If it
has not answered this node's fetches for as long as a quick session lasts, it gets a moment to send
one here, and not a whole session.

A controller that has been busy itself has not read the heartbeats that came meanwhile. So a session
whose end is seen late gets a moment in which they are read: a node that stands still for some
seconds would else fence the brokers of a whole cluster, its own among them, and each of their
partitions twice. That is one moment for each silence, however late the controller is the next time.

A broker in controlled shutdown may stop once all active brokers have read up to the offset at which
its leaders were moved, because until then clients might still ask it.
"""

from __future__ import annotations

from collections.abc import Mapping

from moldau.broker.metadata.cluster import BrokerState
from moldau.platform.quick_dataclass import dataclass

QUICK_HEARTBEATS = 3
"""In a row, each within three quarters of the quick session's time."""
DOUBT_MS = 500
"""What a silent former leader is given: our brokers send a heartbeat as soon as their
controller is not the active one any more, and it has been silent for 2 s before."""
LATE_MS = 250
"""Since the end of a session, of which the controller is woken: then it was busy."""
NEVER = 1 << 62
LONG_AGO_MS = -NEVER


@dataclass(slots=True)
class Session:
    """What is known of one broker beside its registration."""

    last_heartbeat_ms: int
    metadata_offset: int = -1
    """The highest offset that it reported as applied."""
    last_fetch_ms: int = LONG_AGO_MS
    """Of the metadata, by the broker's process."""
    quick_heartbeats: int = 0
    """The last ones in a row that came quickly."""
    grace_until_ms: int = LONG_AGO_MS
    """It does not end before, because the controller was late."""
    shutdown_offset: int | None = None
    """Where the records lie that moved its leaders away; None while it does not shut down."""


class Sessions:
    """The sessions of all brokers that are alive, by broker id."""

    def __init__(self, timeout_ms: int, quick_timeout_ms: int = NEVER) -> None:
        self._timeout_ms = timeout_ms
        self._quick_timeout_ms = min(quick_timeout_ms, timeout_ms)
        self._sessions: dict[int, Session] = {}

    def __repr__(self) -> str:
        return f"Sessions({len(self._sessions)} alive)"

    def begin(self, brokers: Mapping[int, BrokerState], now_ms: int) -> None:
        """The controller has just become active."""
        self._sessions = {
            broker_id: Session(now_ms) for broker_id, broker in brokers.items() if not broker.fenced
        }

    def doubt(self, broker_id: int, answered_ms: int, now_ms: int) -> None:
        """The controller before this one ran on that node, and has been silent since then."""
        session = self._sessions.get(broker_id)
        if session is not None and now_ms - answered_ms >= self._quick_timeout_ms:
            session.quick_heartbeats = QUICK_HEARTBEATS
            session.last_heartbeat_ms = now_ms - max(self._quick_timeout_ms - DOUBT_MS, 0)

    def touch(self, broker_id: int, metadata_offset: int, now_ms: int) -> None:
        """A live broker sent a heartbeat."""
        session = self._sessions.setdefault(broker_id, Session(now_ms))
        is_quick = 4 * (now_ms - session.last_heartbeat_ms) <= 3 * self._quick_timeout_ms
        session.quick_heartbeats = session.quick_heartbeats + 1 if is_quick else 0
        session.last_heartbeat_ms = now_ms
        session.metadata_offset = metadata_offset

    def note_fetch(self, broker_id: int, now_ms: int) -> None:
        """Its process fetches the metadata; nothing happens to a node without a session."""
        session = self._sessions.get(broker_id)
        if session is not None:
            session.last_fetch_ms = now_ms

    def drop(self, broker_id: int) -> None:
        """The broker is fenced or gone."""
        self._sessions.pop(broker_id, None)

    def end(self, broker_id: int) -> None:
        """The broker's process has ended: its session is over as if it had been silent."""
        session = self._sessions.get(broker_id)
        if session is not None:
            session.last_heartbeat_ms = session.grace_until_ms = LONG_AGO_MS

    def is_valid(self, broker_id: int, now_ms: int) -> bool:
        session = self._sessions.get(broker_id)
        return session is not None and now_ms < self._end_of(session)

    def look(self, now_ms: int) -> None:
        """The controller looks after its sessions, and may be late."""
        for session in self._sessions.values():
            has_ended = session.last_heartbeat_ms == LONG_AGO_MS
            had_its_moment = session.grace_until_ms > session.last_heartbeat_ms
            if not (has_ended or had_its_moment) and now_ms - self._end_of(session) > LATE_MS:
                session.grace_until_ms = now_ms + DOUBT_MS

    def stale(self, now_ms: int) -> list[int]:
        """Brokers without a heartbeat for too long, the longest silent first."""
        silent = [
            (session.last_heartbeat_ms, broker_id)
            for broker_id, session in self._sessions.items()
            if not self.is_valid(broker_id, now_ms)
        ]
        return [broker_id for _, broker_id in sorted(silent)]

    def next_stale_at_ms(self) -> int | None:
        """When a broker becomes stale, if no heartbeat comes before."""
        return min((self._end_of(session) for session in self._sessions.values()), default=None)

    def _end_of(self, session: Session) -> int:
        return max(self._silent_end_of(session), session.grace_until_ms)

    def _silent_end_of(self, session: Session) -> int:
        if session.quick_heartbeats < QUICK_HEARTBEATS:
            return session.last_heartbeat_ms + self._timeout_ms
        quick_ms = self._quick_timeout_ms
        latest_ms = session.last_heartbeat_ms + quick_ms // 2
        sign_ms = max(session.last_heartbeat_ms, min(session.last_fetch_ms, latest_ms))
        return sign_ms + quick_ms

    def silences_ms(self, now_ms: int) -> dict[int, int]:
        """How long ago each live broker's last heartbeat came."""
        return {
            broker_id: now_ms - session.last_heartbeat_ms
            for broker_id, session in self._sessions.items()
            if session.last_heartbeat_ms != LONG_AGO_MS
        }

    def shut_down_from(self, broker_id: int, offset: int) -> None:
        """The broker's leaders are moved by records up to this offset; only the first counts."""
        session = self._sessions.get(broker_id)
        if session is not None and session.shutdown_offset is None:
            session.shutdown_offset = offset

    def may_go(self, broker_id: int) -> bool:
        """Whether every active broker has read that this one leads nothing any more."""
        session = self._sessions.get(broker_id)
        shutdown_offset = session.shutdown_offset if session else None
        if shutdown_offset is None:
            return False
        offsets = [
            other.metadata_offset
            for other in self._sessions.values()
            if other.shutdown_offset is None
        ]
        return shutdown_offset <= min(offsets, default=NEVER)
