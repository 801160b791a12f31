"""The log as the state machine wants it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from moldau.broker.controller.decision import RaisedVersion
from moldau.broker.log.world import World
from moldau.broker.metadata.activation import bootstrap_records, feature_levels
from moldau.broker.metadata.snapshot_file import SnapshotFields, encode_snapshot
from moldau.broker.quorum.effects import AppendFetched, AppendVoters, BeginEpoch, Persist
from moldau.broker.quorum.events import Started
from moldau.broker.quorum.log_view import LogEnd, SnapshotId
from moldau.broker.quorum.node import QuorumNode
from moldau.broker.quorum.state_file import ElectionState, read_election_state
from moldau.broker.quorum.voters import ReplicaKey, VoterHistory, VoterSet, voters_record
from moldau.broker.runtime.quorum.committed import CommittedMetadata
from moldau.broker.runtime.quorum.log_keeper import LogKeeper, read_bootstrap_records
from moldau.broker.runtime.quorum.metadata_log import MetadataLog, MetadataLogSettings
from moldau.platform.ports.files import replace_whole
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.protocol.messages.stored.metadata_cluster import FeatureLevelRecord
from tests.broker.quorum.simulated_member import voter, voters

VECTORS = Path(__file__).parents[3] / "vectors" / "quorum"
LEVEL = FeatureLevelRecord(name="metadata.version", feature_level=30)


class Keeping:
    """A keeper with a log of its own."""

    def __init__(self, files=None):
        self.files = files or SimulatedFiles()
        self.files.make_directory("/data")
        world = World(self.files, SimulatedClock(), Random(1))
        self.log = MetadataLog.open(world, "/data", MetadataLogSettings(), clean=False)
        self.node = QuorumNode(ReplicaKey(1), self.log, VoterHistory(voters(1)), Random(1))
        self.committed = CommittedMetadata()
        self.keeper = LogKeeper(world, self.node, self.log, self.committed)
        self.keeper.load()


@pytest.fixture
def keeping():
    return Keeping()


def test_an_epoch_begins_in_the_log_and_waits_for_its_sync(keeping):
    keeping.keeper.append_control(BeginEpoch(3, voters(1), (1,), None))
    assert keeping.log.end == LogEnd(3, 1)
    assert keeping.keeper.unsynced
    assert len(keeping.committed.pending) == 1


def test_voters_are_in_force_when_they_are_appended_and_out_when_they_are_cut(keeping):
    keeping.node.kraft_version = 1
    keeping.keeper.append_control(BeginEpoch(3, voters(1), (1,), voters(1)))
    keeping.keeper.append_control(AppendVoters(3, voters(1, 2)))
    assert keeping.node.voters == voters(1, 2)
    keeping.keeper.truncate(3)
    assert (keeping.node.voters, keeping.log.end.offset) == (voters(1), 3)
    assert len(keeping.committed.pending) == 1


def test_a_restart_knows_the_voters_of_the_log(keeping):
    keeping.node.kraft_version = 1
    keeping.keeper.append_control(BeginEpoch(3, voters(1), (1,), voters(1, 2)))
    keeping.log.close()
    again = Keeping(keeping.files)
    assert (again.node.voters, again.node.kraft_version) == (voters(1, 2), 1)
    assert again.committed.image.features.level("kraft.version") == 1


def test_fetched_batches_are_looked_at_too(keeping):
    leader = Keeping()
    leader.node.kraft_version = 1
    leader.keeper.append_control(BeginEpoch(3, voters(1), (1,), voters(1, 2)))
    records = leader.log.read(0, 1 << 20).read()
    keeping.keeper.append_fetched(AppendFetched(records, 3))
    assert keeping.log.end == LogEnd(3, 3)
    assert keeping.node.voters == voters(1, 2)


def test_a_fetched_snapshot_takes_the_place_of_the_log(keeping):
    keeping.keeper.append_control(BeginEpoch(3, voters(1), (1,), None))
    snapshot = SnapshotId(50, 9)
    fields = SnapshotFields(
        epoch=9, created_ms=1, kraft_version=1, voters=voters_record(voters(1, 2))
    )
    keeping.log.snapshots.write(SnapshotId(1, 3), [b"older"])
    keeping.log.snapshots.add(SnapshotId(1, 3))
    keeping.log.snapshots.write(snapshot, encode_snapshot([LEVEL], 30, fields))
    assert keeping.keeper.install_snapshot(snapshot)
    assert keeping.log.snapshots.ids == [snapshot]
    assert keeping.log.end == LogEnd(9, 50)
    assert keeping.committed.image.offset == 49
    assert (keeping.node.voters, keeping.node.voter_history.last_offset) == (voters(1, 2), 49)
    assert not keeping.keeper.install_snapshot(snapshot)  # a second load of it that came late


def test_what_is_persisted_is_read_again(keeping):
    keeping.keeper.persist(Persist(ElectionState(4, None, ReplicaKey(2))))
    state = read_election_state(keeping.files, "/data/__cluster_metadata-0")
    assert state == ElectionState(4, None, ReplicaKey(2))


def test_a_raised_level_is_in_force_when_it_is_in_the_log_and_a_check_writes_nothing():
    keeping = Keeping()
    node = keeping.node
    node.step(Started(), 0)
    node.own = voter(1, b"d" * 16)
    end_offset = keeping.log.end.offset
    keeping.keeper.raise_version(RaisedVersion(1, only_checks=True))
    assert (node.kraft_version, keeping.log.end.offset) == (0, end_offset)
    keeping.keeper.raise_version(RaisedVersion(1, only_checks=False))
    assert (node.kraft_version, node.voters) == (1, VoterSet([node.own]))
    assert keeping.committed.image.features.level("kraft.version") == 1
    assert keeping.keeper.unsynced


def test_a_cluster_begins_with_what_formatting_left():
    files = SimulatedFiles()
    files.make_directory("/data")
    contents = (VECTORS / "bootstrap.checkpoint").read_bytes()
    replace_whole(files, "/data/bootstrap.checkpoint", contents)
    assert feature_levels(read_bootstrap_records(files, "/data"))["metadata.version"] == 30


def test_without_that_file_it_begins_with_the_levels_of_the_latest_release():
    files = SimulatedFiles()
    files.make_directory("/data")
    assert read_bootstrap_records(files, "/data") == bootstrap_records()
