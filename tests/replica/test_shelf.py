"""What lies in a log directory is opened once, and strays step aside."""

from __future__ import annotations

import pytest

from moldau.errors import CorruptRecordError
from moldau.log.directory.directory import format_directory, open_directory
from moldau.log.directory.meta_properties import MetaProperties
from moldau.log.directory.names import TopicPartition
from moldau.log.directory.partition_metadata import PartitionMetadata, read_partition_metadata
from moldau.log.epoch_checkpoint import EpochCache
from moldau.log.opening import World
from moldau.log.partition_log import PartitionLog
from moldau.log.settings import LogSettings
from moldau.ports.files import replace_whole
from moldau.replica.shelf import (
    Opening,
    open_partition,
    open_partitions,
    read_shelf,
    set_strays_aside,
)
from moldau.simulated.clock import SimulatedClock
from moldau.simulated.disk_crash import crash_states
from moldau.simulated.files import SimulatedFiles
from moldau.simulated.randomness import SeededRandom
from tests.log.batches import batch

NAME = TopicPartition("topic", 0)
OURS, OTHER = b"o" * 16, b"x" * 16


def world() -> World:
    files = SimulatedFiles()
    format_directory(
        files, "disk", MetaProperties(cluster_id="c", node_id=1, directory_id=b"d" * 16)
    )
    return World(files, SimulatedClock(), SeededRandom(1))


def shelf_of(world: World):
    directory = open_directory(world.files, "disk", cluster_id="c", node_id=1)
    directory.close()
    return read_shelf(directory)


def test_a_log_that_is_begun_says_whose_it_is():
    here = world()
    open_partition(here, shelf_of(here), NAME, OURS, LogSettings())
    metadata = read_partition_metadata(here.files, "disk/topic-0")
    assert metadata is not None
    assert metadata.topic_id == OURS


@pytest.mark.parametrize("leader_epoch", [None, 4])
def test_logs_that_are_begun_together_are_all_there_after_a_power_cut(leader_epoch):
    here = world()
    here.files.sync_directory(".")
    names = [TopicPartition("topic", index) for index in range(3)]
    openings = [Opening(name, OURS, LogSettings(), leader_epoch) for name in names]
    logs = open_partitions(here, shelf_of(here), openings)
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
    refused, opened = open_partitions(here, shelf_of(here), openings)
    assert isinstance(refused, CorruptRecordError)
    assert isinstance(opened, PartitionLog)


def test_a_log_that_was_there_keeps_its_records():
    here = world()
    log = open_partition(here, shelf_of(here), NAME, OURS, LogSettings())
    log.append_as_leader(batch(0, (b"a",)), 0)
    log.close()
    assert open_partition(here, shelf_of(here), NAME, OURS, LogSettings()).log_end_offset == 1


def test_a_log_of_another_topic_with_the_name_steps_aside():
    here = world()
    log = open_partition(here, shelf_of(here), NAME, OTHER, LogSettings())
    log.append_as_leader(batch(0, (b"a",)), 0)
    log.close()
    assert open_partition(here, shelf_of(here), NAME, OURS, LogSettings()).log_end_offset == 0
    assert any(name.endswith("-stray") for name in here.files.list("disk"))


def test_what_the_checkpoints_say_is_remembered():
    here = world()
    shelf = shelf_of(here)
    shelf.directory.log_start_offsets.write({NAME: 5})
    shelf.directory.high_watermarks.write({NAME: 7})
    remembered = shelf_of(here).remembered(NAME)
    assert (remembered.log_start_offset, remembered.high_watermark) == (5, 7)
    assert not remembered.clean


def test_a_corrupt_checkpoint_is_forgotten_with_a_complaint():
    here = world()
    file = here.files.open("disk/replication-offset-checkpoint", create=True)
    file.append(b"nonsense")
    shelf = shelf_of(here)
    assert shelf.high_watermarks == {}
    assert len(shelf.complaints) == 1


def test_setting_strays_aside_leaves_nothing_found():
    here = world()
    open_partition(here, shelf_of(here), NAME, OURS, LogSettings()).close()
    shelf = shelf_of(here)
    assert len(set_strays_aside(here, shelf)) == 1
    assert shelf_of(here).found == {}


def test_the_log_of_the_quorum_is_none_of_the_replicas():
    here = world()
    here.files.make_directory("disk/__cluster_metadata-0")
    assert read_shelf(shelf_of(here).directory).found == {}
