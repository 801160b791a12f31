"""How long things take in the quorum and its controller, measured where Kafka measures.

    asked ──queue──► begun ──processing──► decided, appended ──commit──► committed
    no leader ──election──► a leader

An append's time to commit is reported per record, as Kafka has it.
"""

from __future__ import annotations

from collections import deque

from moldau.broker.metrics.kinds import Histogram
from moldau.broker.metrics.recent import Recent
from moldau.broker.quorum.roles import Candidate, Follower, Leader, Prospective, Role
from moldau.platform.ports.clock import Clock

__all__ = ["QuorumTimes"]

NS_PER_MS = 1_000_000
NS_PER_US = 1000
US_TO_MS = 0.001


class QuorumTimes:
    """The times of a quorum member that its metrics report."""

    def __init__(self, clock: Clock) -> None:
        self.queue = Histogram(US_TO_MS)
        """From when the controller was asked until it began to decide."""
        self.processing = Histogram(US_TO_MS)
        """From there until it had decided, and what it decided was appended."""
        self.refused = 0
        """Requests to the controller that came while too many waited."""
        self.batch_sizes = Histogram()
        """How many records became metadata together."""
        self.batch_times = Histogram()
        """How long that took, with all that follows the metadata, in microseconds."""
        self.led = 0
        """Records that the active controller here has written."""
        self.fetched = 0
        """Records of the metadata log that were fetched from its leader."""
        self.commit = Recent()
        self.election = Recent()
        self.clock = clock
        self._appended: deque[tuple[int, int, int]] = deque()
        """Offset, moment and number of records of what is not committed yet."""
        self._election_ns: int | None = None

    def __repr__(self) -> str:
        return f"QuorumTimes({self.processing.count} decisions)"

    def now_ns(self) -> int:
        return self.clock.monotonic_ns()

    def now_ms(self) -> int:
        return self.clock.monotonic_ns() // NS_PER_MS

    def decided(self, asked_ns: int, begun_ns: int) -> None:
        self.queue.record((begun_ns - asked_ns) // NS_PER_US)
        self.processing.record((self.now_ns() - begun_ns) // NS_PER_US)

    def appended(self, last_offset: int, records: int) -> None:
        """The active controller has written something."""
        self.led += records
        self._appended.append((last_offset, self.now_ns(), records))

    def committed(self, high_watermark: int) -> None:
        now_ns = self.now_ns()
        while self._appended and self._appended[0][0] < high_watermark:
            _, began_ns, records = self._appended.popleft()
            self.commit.record((now_ns - began_ns) / NS_PER_MS / records, now_ns // NS_PER_MS)

    def applied(self, began_ns: int, records: int) -> None:
        """So many committed records are in the image now."""
        if records:
            self.batch_sizes.record(records)
            self.batch_times.record((self.now_ns() - began_ns) // NS_PER_US)

    def role_changed(self, role: Role) -> None:
        """An election begins with a candidate, and ends with a leader."""
        now_ns = self.now_ns()
        if not isinstance(role, Leader):
            self._appended.clear()
        if isinstance(role, Prospective | Candidate):
            self._election_ns = now_ns if self._election_ns is None else self._election_ns
        elif isinstance(role, Leader | Follower) and self._election_ns is not None:
            elapsed_ms = (now_ns - self._election_ns) / NS_PER_MS
            self.election.record(elapsed_ms, now_ns // NS_PER_MS)
            self._election_ns = None
