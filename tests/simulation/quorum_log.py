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
class MemoryLog:
    """What one disk holds; a `quorum.log_view.LogView`."""

    entries: list[Entry] = field(default_factory=list)
    synced: int = 0
    cuts: int = 0
    """How often something was cut: a sync that was begun before says nothing of what came after."""

    @property
    def start_offset(self) -> int:
        return 0

    @property
    def end(self) -> LogEnd:
        return LogEnd(self.entries[-1].epoch if self.entries else 0, len(self.entries))

    def end_of_epoch(self, epoch: int) -> LogEnd:
        below = [entry.epoch for entry in self.entries if entry.epoch <= epoch]
        if not below:
            return LogEnd(epoch, 0)
        return LogEnd(below[-1], len(below))

    @property
    def earliest_snapshot(self) -> SnapshotId | None:
        return None

    @property
    def latest_snapshot(self) -> SnapshotId | None:
        return None

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
    """What nobody may take back: who led which epoch, and what was committed."""

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
