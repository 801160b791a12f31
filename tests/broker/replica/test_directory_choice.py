"""A partition goes where the controller says, or where there are fewest."""

from __future__ import annotations

import pytest

from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.log.directory.meta_properties import MetaProperties
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.metadata.topics import LOST_DIRECTORY, MIGRATING_DIRECTORY, UNASSIGNED_DIRECTORY
from moldau.broker.replica.directory_choice import (
    PREFERRED_MAX,
    PreferredDirectories,
    assigned_directory,
    choose_directory,
)
from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.replica.broker_world import Assigned

IDS = (b"a" * 16, b"b" * 16)


@pytest.fixture
def directories():
    files = SimulatedFiles()
    return [
        LogDirectory(files, path, MetaProperties(cluster_id="c", node_id=1, directory_id=one), None)
        for path, one in zip(("left", "right"), IDS, strict=True)
    ]


def test_the_directory_of_this_replica_is_read_from_its_place_in_the_list():
    assignment = Assigned(replicas=(3, 1), directories=IDS)
    assert assigned_directory(assignment, 1) == IDS[1]
    assert assigned_directory(assignment, 9) == UNASSIGNED_DIRECTORY


def test_a_named_directory_is_taken_however_full(directories):
    chosen = choose_directory(directories, {"right": 100}, IDS[1])
    assert chosen is directories[1]


def test_a_named_directory_that_is_not_online_is_not_replaced_by_another(directories):
    assert choose_directory(directories[:1], {}, IDS[1]) is None


def test_a_named_directory_that_is_gone_for_good_is_replaced_by_the_emptiest(directories):
    counts = {"left": 2, "right": 1}
    chosen = choose_directory(directories, counts, b"c" * 16, all_online=True)
    assert chosen is directories[1]
    assert choose_directory([], {}, b"c" * 16, all_online=True) is None


@pytest.mark.parametrize("wanted", [UNASSIGNED_DIRECTORY, LOST_DIRECTORY, MIGRATING_DIRECTORY])
def test_without_a_name_the_emptiest_is_taken(directories, wanted):
    assert choose_directory(directories, {"left": 2, "right": 1}, wanted) is directories[1]


def test_nothing_can_be_chosen_where_nothing_is_online():
    assert choose_directory([], {}, UNASSIGNED_DIRECTORY) is None


def test_a_preferred_directory_is_taken_once_and_only_where_it_is_online(directories):
    preferred, name = PreferredDirectories(), TopicPartition("t", 0)
    preferred.note(name, "right")
    assert preferred.take(name, directories) is directories[1]
    assert preferred.take(name, directories) is None
    preferred.note(name, "right")
    assert preferred.take(name, directories[:1]) is None


def test_of_too_many_preferred_directories_the_oldest_is_removed(directories):
    preferred = PreferredDirectories()
    for index in range(PREFERRED_MAX + 1):
        preferred.note(TopicPartition("t", index), "left")
    assert preferred.take(TopicPartition("t", 0), directories) is None
    assert preferred.take(TopicPartition("t", 1), directories) is directories[0]
