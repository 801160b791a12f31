"""What lies in a log directory is opened once, and strays step aside."""

from __future__ import annotations

import pytest

from moldau.broker.log.directory.directory import (
    DirectoryRefusedError,
    format_directory,
    open_directory,
)
from moldau.broker.log.directory.meta_properties import MetaProperties
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.directory.partition_metadata import (
    PartitionMetadata,
    read_partition_metadata,
)
from moldau.broker.log.epoch_checkpoint import EpochCache
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.world import World
from moldau.broker.replica.log_dir_scan import (
    Opening,
    open_partition,
    open_partitions,
    scan_log_dirs,
    set_strays_aside,
)
from moldau.errors import CorruptRecordError
from moldau.platform.ports.files import replace_whole
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.disk_crash import crash_states
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from tests.broker.log.batches import batch

NAME = TopicPartition("topic", 0)
OURS, OTHER = b"o" * 16, b"x" * 16


def world() -> World:
    files = SimulatedFiles()
    format_directory(
        files, "disk", MetaProperties(cluster_id="c", node_id=1, directory_id=b"d" * 16)
    )
    return World(files, SimulatedClock(), SeededRandom(1))


def scan_of(world: World):
    directory = open_directory(world.files, "disk", cluster_id="c", node_id=1)
    directory.close()
    return scan_log_dirs(directory)


def test_a_log_that_is_begun_says_whose_it_is():
    here = world()
    open_partition(here, scan_of(here), NAME, OURS, LogSettings())
    metadata = read_partition_metadata(here.files, "disk/topic-0")
    assert metadata is not None
    assert metadata.topic_id == OURS


@pytest.mark.parametrize("leader_epoch", [None, 4])
def test_logs_that_are_begun_together_are_all_there_after_a_power_cut(leader_epoch):
    here = world()
    here.files.sync_directory(".")
    names = [TopicPartition("topic", index) for index in range(3)]
    openings = [Opening(name, OURS, LogSettings(), leader_epoch) for name in names]
    logs = open_partitions(here, scan_of(here), openings)
    assert [isinstance(log, PartitionLog) for log in logs] == [True] * 3
    assert isinstance(here.files, SimulatedFiles)
    for state in crash_states(here.files.disk, SeededRandom(3), 20):
        files = SimulatedFiles(disk=state.disk)
        for name in names:
            path = f"disk/{name.topic}-{name.partition}"
            assert read_partition_metadata(files, path) == PartitionMetadata(OURS)
            epochs = EpochCache(files, f"{path}/leader-epoch-checkpoint")
            assert epochs.latest_epoch == leader_epoch


def test_a_log_that_cannot_be_opened_does_not_keep_the_others_closed():
    here = world()
    here.files.make_directory("disk/topic-0")
    replace_whole(here.files, "disk/topic-0/partition.metadata", b"nonsense")
    openings = [Opening(TopicPartition("topic", index), OURS, LogSettings()) for index in (0, 1)]
    refused, opened = open_partitions(here, scan_of(here), openings)
    assert isinstance(refused, CorruptRecordError)
    assert isinstance(opened, PartitionLog)


@pytest.mark.parametrize("contents", [b"", b"version: 0\ntopic_id: ", b"\x00\xffnonsense"])
def test_a_log_that_does_not_say_whose_it_is_stays_as_it_is(contents):
    here = world()
    open_partition(here, scan_of(here), NAME, OURS, LogSettings()).close()
    replace_whole(here.files, "disk/topic-0/partition.metadata", contents)
    names = here.files.list("disk/topic-0")
    scan = scan_of(here)
    for _ in range(2):
        with pytest.raises(CorruptRecordError, match=r"topic-0/partition.metadata: .*; restore"):
            open_partition(here, scan, NAME, OURS, LogSettings())
    assert set_strays_aside(here, scan, {NAME}) == []
    assert here.files.list("disk/topic-0") == names
    assert scan.directory.is_online


def make_directory_of(name: str):
    def damage(files: SimulatedFiles) -> None:
        files.remove(f"disk/topic-0/{name}")
        files.make_directory(f"disk/topic-0/{name}")

    return damage


def put_file_in_place_of_directory(files: SimulatedFiles) -> None:
    files.remove_tree("disk/topic-0")
    files.open("disk/topic-0", create=True).close()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (make_directory_of("00000000000000000000.log"), "0.log: it is a directory where a file of"),
        (make_directory_of("00000000000000000007.log"), "7.log: it is a directory where a file of"),
        (make_directory_of("00000000000000000000.index"), "0.index: it is a directory where a fi"),
        (make_directory_of("partition.metadata"), "metadata: it is a directory where a file is"),
        (make_directory_of("leader-epoch-checkpoint"), "checkpoint: it is a directory where a fi"),
        (put_file_in_place_of_directory, "topic-0: something of another kind has that name"),
    ],
)
def test_a_partition_of_which_something_is_of_another_kind_is_refused_alone(damage, reason):
    here = world()
    assert isinstance(here.files, SimulatedFiles)
    open_partition(here, scan_of(here), NAME, OURS, LogSettings()).close()
    damage(here.files)
    scan = scan_of(here)
    openings = [Opening(TopicPartition("topic", index), OURS, LogSettings()) for index in (0, 1)]
    refused, opened = open_partitions(here, scan, openings)
    assert isinstance(refused, DirectoryRefusedError)
    assert reason in str(refused)
    assert isinstance(opened, PartitionLog)
    assert scan.directory.is_online


def test_a_log_that_was_there_keeps_its_records():
    here = world()
    log = open_partition(here, scan_of(here), NAME, OURS, LogSettings())
    log.append_as_leader(batch(0, (b"a",)), 0)
    log.close()
    assert open_partition(here, scan_of(here), NAME, OURS, LogSettings()).log_end_offset == 1


def test_a_log_of_another_topic_with_the_name_steps_aside_with_a_line(caplog):
    here = world()
    log = open_partition(here, scan_of(here), NAME, OTHER, LogSettings())
    log.append_as_leader(batch(0, (b"a",)), 0)
    log.close()
    assert open_partition(here, scan_of(here), NAME, OURS, LogSettings()).log_end_offset == 0
    (stray,) = [name for name in here.files.list("disk") if name.endswith("-stray")]
    assert f"is renamed to disk/{stray}, and topic-0 begins empty" in caplog.text


def test_what_the_checkpoints_say_is_remembered():
    here = world()
    scan = scan_of(here)
    scan.directory.log_start_offsets.write({NAME: 5})
    scan.directory.high_watermarks.write({NAME: 7})
    remembered = scan_of(here).remembered(NAME)
    assert (remembered.log_start_offset, remembered.high_watermark) == (5, 7)
    assert not remembered.clean


def test_a_corrupt_checkpoint_is_forgotten_with_a_complaint():
    here = world()
    file = here.files.open("disk/replication-offset-checkpoint", create=True)
    file.append(b"nonsense")
    scan = scan_of(here)
    assert scan.high_watermarks == {}
    assert len(scan.complaints) == 1


def test_setting_strays_aside_leaves_nothing_found():
    here = world()
    open_partition(here, scan_of(here), NAME, OURS, LogSettings()).close()
    scan = scan_of(here)
    assert len(set_strays_aside(here, scan, ())) == 1
    assert scan_of(here).found == {}


def test_the_log_of_the_quorum_is_none_of_the_replicas():
    here = world()
    here.files.make_directory("disk/__cluster_metadata-0")
    assert scan_log_dirs(scan_of(here).directory).found == {}


def test_a_partition_whose_directory_is_gone_is_missed_at_the_start_alone():
    here = world()
    first = scan_of(here)
    first.directory.recovery_points.write({NAME: 12})
    first.directory.high_watermarks.write({NAME: 15})
    scan = scan_of(here)
    report = open_partition(here, scan, NAME, OURS, LogSettings()).report
    assert report is not None
    (finding,) = report.findings
    assert (finding.path, finding.end_offset) == ("disk/topic-0", 15)
    assert scan.gone == {}
