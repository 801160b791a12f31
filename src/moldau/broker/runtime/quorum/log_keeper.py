"""Changes of the metadata log for the state machine: append, truncate, install a snapshot.

Voters and kraft.version are in force from the moment their records are in the log, so every batch
that comes in, and every one that is read at the start, is looked at here.
"""

from __future__ import annotations

from typing import Final

from moldau.broker.controller.decision import RaisedVersion
from moldau.broker.log.directory.meta_properties import FILE_NAME
from moldau.broker.log.world import World
from moldau.broker.metadata.activation import bootstrap_records
from moldau.broker.metadata.snapshot_file import BOOTSTRAP_FILE_NAME, decode_snapshot
from moldau.broker.quorum.effects import (
    AppendFetched,
    AppendVoters,
    BeginEpoch,
    Persist,
    RaiseVersion,
)
from moldau.broker.quorum.following import comes_late
from moldau.broker.quorum.log_view import SnapshotId
from moldau.broker.quorum.member import Member
from moldau.broker.quorum.state_file import write_election_state
from moldau.broker.quorum.voter_changes import raise_version
from moldau.broker.quorum.voters import VoterSet, voters_of
from moldau.broker.runtime.quorum.batches import (
    leader_change_batch,
    raised_version_batch,
    voters_batch,
)
from moldau.broker.runtime.quorum.committed import CommittedMetadata
from moldau.broker.runtime.quorum.metadata_log import LostMetadataError, MetadataLog
from moldau.broker.runtime.quorum.pending import ControlNews
from moldau.errors import CorruptRecordError, MoldauError
from moldau.platform.ports.files import Files, read_whole
from moldau.protocol.records.batch import set_base_offset
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.uuids import uuid_text

NS_PER_MS: Final = 1_000_000


class OtherDirectoryError(CorruptRecordError):
    """`meta.properties` names another directory than the metadata do that lie beside it."""


class LogKeeper:
    """Changes the log on behalf of one member."""

    def __init__(
        self, world: World, member: Member, log: MetadataLog, committed: CommittedMetadata
    ) -> None:
        self._files = world.files
        self._clock = world.clock
        self._member = member
        self._log = log
        self._committed = committed
        self.unsynced = False
        """Whether something was appended that no sync has seen."""
        self.appended_ms = 0
        """By the clock that never jumps."""

    def load(self, *, alone_offset: int = 0, finds_voters: bool = True) -> None:
        """Read what is there: the newest snapshot, and what the log has behind it.

        `LostMetadataError` where that cannot be all. A node that votes alone gets from no other
        what it lacks below `alone_offset`; one that has no voters, and gets none from others, is
        never led.
        """
        snapshot = self._log.latest_snapshot
        if snapshot is not None:
            self._load_snapshot(snapshot)
        for batch in self._log.judged_batches():
            self._note(self._committed.pending.add_batch(batch))
        voters, end_offset = self._member.voters, self._log.end.offset
        self._refuse_other_directory(voters)
        if not voters and not finds_voters:
            self._miss("no voters are in it, and none in the settings")
        if voters.ids == {self._member.key.node_id} and end_offset < alone_offset:
            self._miss(
                f"its log ends at offset {end_offset}, and the logs of topics beside it have been "
                f"made by metadata that are not there"
            )

    def _refuse_other_directory(self, voters: VoterSet) -> None:
        """Where the only voter is this node with another directory, there could never be a
        leader."""
        key, directory = self._member.key, self._log.log.directory
        voter = voters.get(key.node_id)
        if voter is None or len(voters) > 1 or voter.is_key(key):
            return
        file = f"{directory.rpartition('/')[0]}/{FILE_NAME}"
        known = uuid_text(voter.key.directory_id)
        raise OtherDirectoryError(
            f"{file}: directory.id is {uuid_text(key.directory_id)}, and the metadata beside it "
            f"know node {key.node_id} by {known}; restore the line directory.id={known}"
        )

    def _miss(self, reason: str) -> None:
        directory = self._log.log.directory
        raise LostMetadataError(f"{directory}: {reason}", directory)

    def persist(self, effect: Persist) -> None:
        """Write `quorum-state`; blocks until it is on the disk."""
        write_election_state(
            self._files,
            self._log.log.directory,
            effect.state,
            self._member.voters,
            self._member.kraft_version,
        )

    def raise_version(self, raised: RaisedVersion) -> None:
        """Write a higher kraft.version, or refuse."""
        effect = raise_version(self._member, raised.level)
        if not raised.only_checks:
            self.append_control(effect)

    def append_control(self, effect: BeginEpoch | AppendVoters | RaiseVersion) -> None:
        """Write a record of the quorum itself."""
        now_ms = self._clock.now_ms()
        if isinstance(effect, BeginEpoch):
            node_id, level = self._member.key.node_id, self._member.kraft_version
            batch = leader_change_batch(effect, node_id, level, now_ms)
        elif isinstance(effect, RaiseVersion):
            batch = raised_version_batch(effect, now_ms)
        else:
            batch = voters_batch(effect.voters, effect.epoch, now_ms)
        set_base_offset(batch, self._log.end.offset)
        self._log.append(batch, effect.epoch)
        self._note(self._committed.pending.add_batch(batch))
        self.appended()

    def append_fetched(self, effect: AppendFetched) -> None:
        """Write what a leader has sent."""
        before = self._log.end.offset
        self._log.append_fetched(effect.records, effect.epoch)
        for batch in self._log.batches(before):
            self._note(self._committed.pending.add_batch(batch))
        self.appended()

    def appended(self) -> None:
        """Something is in the log that is not on the disk."""
        self.unsynced = True
        self.appended_ms = self._clock.monotonic_ns() // NS_PER_MS

    def truncate(self, offset: int) -> None:
        """Drop what the leader does not have, and what it held of the quorum."""
        self._log.truncate_to(offset)
        end_offset = self._log.end.offset
        self._committed.pending.truncate(end_offset)
        self._member.voter_history.truncate(end_offset)

    def install_snapshot(self, snapshot: SnapshotId) -> bool:
        """A snapshot has come from the leader: the log begins behind it; False for a late one."""
        if comes_late(self._member, snapshot):
            return False
        self._log.snapshots.add(snapshot)
        self._log.begin_behind(snapshot)
        self._load_snapshot(snapshot)
        return True

    def _load_snapshot(self, snapshot_id: SnapshotId) -> None:
        path = self._log.snapshots.path(snapshot_id)
        contents = self._log.snapshots.read(snapshot_id)
        try:
            snapshot = decode_snapshot(contents, path)
        except MoldauError as error:
            reason = f"{path}: the snapshot is damaged ({str(error).removeprefix(path + ': ')})"
            raise LostMetadataError(reason, self._log.log.directory) from error
        if snapshot.voters is not None:
            voters, offset = voters_of(snapshot.voters), snapshot_id.end_offset - 1
            self._member.voter_history.restart(voters, offset)
        if snapshot_id.end_offset:
            self._committed.load_snapshot(snapshot, snapshot_id)
        if snapshot.kraft_version is not None:
            self._take_level(snapshot.kraft_version)

    def _note(self, news: list[ControlNews]) -> None:
        for one in news:
            if one.voters is not None:
                self._member.voter_history.add(one.offset, one.voters)
            if one.kraft_version is not None:
                self._take_level(one.kraft_version)

    def _take_level(self, kraft_version: int) -> None:
        self._member.kraft_version = kraft_version
        self._committed.set_kraft_version(kraft_version)


def read_bootstrap_records(files: Files, log_directory: str) -> list[Message]:
    """With which a cluster begins: as formatting left them, or the levels of the latest release."""
    path = f"{log_directory}/{BOOTSTRAP_FILE_NAME}"
    if files.status(path) is None:
        return bootstrap_records()
    return decode_snapshot(read_whole(files, path), path).records
