"""How far the replicas are, as their leader sees it.

A fetch at an offset means that everything below is on the replica's disk. The high watermark is
the largest offset that a majority of the voters has reached, the leader among them:

    voters' ends, descending   120  117  117  90  12
    index n // 2                          ^ everything below 117 is on three of five disks

It moves only once it has passed the record with which the leader began its epoch, because records
of earlier epochs are committed by a later one, never by being counted (the figure-8 rule of Raft).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from moldau.broker.quorum.voters import ReplicaKey, VoterSet
from moldau.platform.quick_dataclass import dataclass

UNKNOWN = -1
OBSERVER_FORGOTTEN_AFTER_MS = 300_000
"""An observer that has not fetched for so long is shown no more."""
OBSERVERS_MAX = 10_000
"""More than any cluster has brokers; ids are the callers' word, so there is a bound."""


@dataclass(slots=True)
class ReplicaProgress:
    """How far one replica is, as its leader knows from its fetches."""

    key: ReplicaKey
    end_offset: int = UNKNOWN
    last_fetch_ms: int = UNKNOWN
    last_caught_up_ms: int = UNKNOWN
    leader_end_at_fetch: int = UNKNOWN
    has_answered: bool = False
    """It has the leader: it acknowledged that, or has fetched."""

    def may_be(self, key: ReplicaKey) -> bool:
        """Whether this is the same replica; where a directory is not known, its id decides."""
        if not (any(key.directory_id) and any(self.key.directory_id)):
            return self.key.node_id == key.node_id
        return self.key == key

    def fetched(self, offset: int, leader_end: int, now_ms: int) -> None:
        """It was caught up when it last reached the end the leader had at its fetch before."""
        if offset >= leader_end:
            self.last_caught_up_ms = max(now_ms, self.last_caught_up_ms)
        elif 0 <= self.leader_end_at_fetch <= offset:
            self.last_caught_up_ms = max(self.last_fetch_ms, self.last_caught_up_ms)
        self.end_offset = offset
        self.last_fetch_ms = now_ms
        self.leader_end_at_fetch = leader_end
        self.has_answered = True


@dataclass(slots=True)
class Progress:
    """All replicas that the leader knows of."""

    own: ReplicaKey
    voters: dict[int, ReplicaProgress] = field(default_factory=dict)
    observers: dict[ReplicaKey, ReplicaProgress] = field(default_factory=dict)
    fetched_since: set[int] = field(default_factory=set)
    """Voters that have fetched since the quorum was last seen whole.

    A voter's new disk is an observer to this leader, as in Apache Kafka, and counts neither here
    nor for the high watermark. Where that leaves no majority the leader resigns, and the next one
    knows the disk as the voter's.
    """

    def follow_voters(self, voters: VoterSet) -> None:
        """The voter set changed: those added were observers before, those removed are now."""
        for node_id in self.voters.keys() - voters.ids:
            gone = self.voters.pop(node_id)
            self.observers[gone.key] = gone
        for voter in voters:
            known = self.voters.get(voter.key.node_id)
            if known is None or not known.may_be(voter.key):
                self.voters[voter.key.node_id] = self.observers.pop(
                    voter.key, ReplicaProgress(voter.key)
                )
            elif any(voter.key.directory_id):
                known.key = voter.key

    def fetched(self, key: ReplicaKey, offset: int, leader_end: int, now_ms: int) -> None:
        """A replica has fetched."""
        replica = self._find(key)
        if replica is None:
            return
        replica.fetched(offset, leader_end, now_ms)
        if replica is self.voters.get(key.node_id):
            self.fetched_since.add(key.node_id)

    def asked_for_snapshot(self, key: ReplicaKey) -> None:
        """A replica is there, and has nothing yet that would count."""
        voter = self.voters.get(key.node_id)
        if voter is not None and voter.may_be(key):
            voter.has_answered = True
            self.fetched_since.add(key.node_id)

    def forget_silent_observers(self, now_ms: int) -> None:
        limit = now_ms - OBSERVER_FORGOTTEN_AFTER_MS
        for key in [key for key, seen in self.observers.items() if seen.last_fetch_ms < limit]:
            del self.observers[key]

    def high_watermark(self, epoch_start: int) -> int | None:
        """What a majority of the voters has; None while the epoch's first record is not in it."""
        offset = majority_offset(voter.end_offset for voter in self.voters.values())
        return offset if offset > epoch_start else None

    def quorum_is_alive(self) -> bool:
        """Whether a majority, the leader counted in, has fetched since the last time."""
        needed = len(self.voters) // 2 + 1
        alive = len(self.fetched_since) + (self.own.node_id in self.voters)
        if alive < needed:
            return False
        self.fetched_since.clear()
        return True

    def successors(self) -> tuple[ReplicaKey, ...]:
        """The other voters, those with the most first."""
        others = (voter for voter in self.voters.values() if voter.key.node_id != self.own.node_id)
        ordered = sorted(others, key=lambda voter: -voter.end_offset)
        return tuple(voter.key for voter in ordered)

    def _find(self, key: ReplicaKey) -> ReplicaProgress | None:
        voter = self.voters.get(key.node_id)
        if voter is not None and voter.may_be(key):
            if any(key.directory_id):
                voter.key = key
            return voter
        if key not in self.observers and len(self.observers) >= OBSERVERS_MAX:
            return None
        return self.observers.setdefault(key, ReplicaProgress(key))


def majority_offset(ends: Iterable[int]) -> int:
    """The largest offset that more than half have reached; UNKNOWN where there are no voters."""
    descending = sorted(ends, reverse=True)
    return descending[len(descending) // 2] if descending else UNKNOWN
