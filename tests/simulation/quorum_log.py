"""A log in memory whose unsynced tail is lost in a crash, and a ledger of what was promised."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from moldau.broker.quorum.log_view import LogEnd, SnapshotId
from moldau.broker.quorum.voters import VoterSet


@dataclass
class Entry:
    """One record."""

    epoch: int
    value: str
    voters: VoterSet | None = None


@dataclass
class Snapshot:
    """All that was committed below an offset."""

    id: SnapshotId
    entries: list[Entry]
    voters: VoterSet | None = None


@dataclass
class MemoryLog:
    """What one disk holds; a `quorum.log_view.LogView`."""

    entries: list[Entry] = field(default_factory=list)
    """From offset 0; those below the start are of the snapshot, and no part of the log."""
    synced: int = 0
    cuts: int = 0
    """How often something was cut: a sync that was begun before says nothing of what came after."""
    start_offset: int = 0
    snapshots: list[Snapshot] = field(default_factory=list)
    loaded: list[Snapshot] = field(default_factory=list)
    """They lie on the disk, and are known when the node starts, or begins behind them."""

    @property
    def end(self) -> LogEnd:
        return LogEnd(self.entries[-1].epoch if self.entries else 0, len(self.entries))

    def end_of_epoch(self, epoch: int) -> LogEnd:
        kept = [entry.epoch for entry in self.entries[self.start_offset :]]
        below = [one for one in kept if one <= epoch]
        if below:
            return LogEnd(below[-1], self.start_offset + len(below))
        earliest = self.earliest_snapshot
        if earliest is not None and earliest.end_offset == self.start_offset:
            return LogEnd(earliest.epoch, self.start_offset)
        return LogEnd(epoch, self.start_offset)

    @property
    def earliest_snapshot(self) -> SnapshotId | None:
        return self.snapshots[0].id if self.snapshots else None

    @property
    def latest_snapshot(self) -> SnapshotId | None:
        return self.snapshots[-1].id if self.snapshots else None

    def take_snapshot(self, end_offset: int, voters: VoterSet | None) -> None:
        """Of what is committed; one that is there already is not written again."""
        made = SnapshotId(end_offset, self.entries[end_offset - 1].epoch)
        if self.latest_snapshot != made:
            self.snapshots.append(Snapshot(made, self.entries[:end_offset], voters))

    def trim(self) -> None:
        """Let go of what lies before the newest snapshot."""
        if self.snapshots:
            del self.snapshots[:-1]
            self.start_offset = self.snapshots[0].id.end_offset

    def begin_behind(self, snapshot: Snapshot) -> None:
        """The log is this snapshot, and has no records yet."""
        self.cuts += 1
        self.snapshots = [snapshot]
        self.entries = list(snapshot.entries)
        self.synced = self.start_offset = snapshot.id.end_offset

    def open(self) -> None:
        """As at a start: where the newest snapshot has more than the log, the log is let go."""
        for snapshot in self.loaded:
            self._know(snapshot)
        if self.snapshots and self.end < self.snapshots[-1].id.log_end:
            self.begin_behind(self.snapshots[-1])
        self.snapshots = [one for one in self.snapshots if one.id.end_offset >= self.start_offset]

    def _know(self, snapshot: Snapshot) -> None:
        if all(one.id != snapshot.id for one in self.snapshots):
            self.snapshots.append(snapshot)
            self.snapshots.sort(key=lambda one: one.id)

    def truncate(self, offset: int) -> None:
        self.cuts += 1
        del self.entries[offset:]
        self.synced = min(self.synced, offset)

    def crash(self, kept: float) -> None:
        """Of what was not synced, only this part is there afterwards."""
        unsynced = len(self.entries) - self.synced
        self.truncate(self.synced + int(unsynced * kept))
        self.synced = len(self.entries)


def pack(entries: list[Entry]) -> bytes:
    return json.dumps([(entry.epoch, entry.value) for entry in entries]).encode()


def unpack(records: bytes) -> list[Entry]:
    return [Entry(epoch, value) for epoch, value in json.loads(records)]


class Ledger:
    """What may not be taken back: who led which epoch, and what was committed."""

    def __init__(self) -> None:
        self.leaders: dict[int, int] = {}
        self.committed: list[tuple[int, str]] = []
        self.acknowledged: list[tuple[int, str]] = []

    def leads(self, epoch: int, node_id: int) -> None:
        first = self.leaders.setdefault(epoch, node_id)
        assert first == node_id, f"both {first} and {node_id} lead epoch {epoch}"

    def commits(self, node_id: int, log: MemoryLog, high_watermark: int) -> None:
        assert high_watermark <= len(log.entries), f"{node_id} commits what it does not have"
        found = [(entry.epoch, entry.value) for entry in log.entries[:high_watermark]]
        known = self.committed[: len(found)]
        assert found[: len(known)] == known, f"{node_id} commits something else than others did"
        self.committed.extend(found[len(known) :])

    def nothing_is_lost(self) -> None:
        for offset, value in self.acknowledged:
            assert self.committed[offset][1] == value, f"{value} was acknowledged at {offset}"
