"""The directories of a node, before it runs and after."""

from __future__ import annotations

import pytest

from moldau.broker.log.directory.directory import DirectoryRefusedError
from moldau.broker.node.defaults import alone
from moldau.broker.node.server_properties import node_settings
from moldau.broker.node.storage import format_alone, open_storage
from moldau.platform.ports.files import read_whole, replace_whole
from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.node.simulated_node import world_of


def world():
    return world_of(SimulatedFiles())


def settings(*directories, **given):
    named = {key.replace("_", "."): value for key, value in given.items()}
    return node_settings(alone(",".join(directories)), named)


def test_a_blank_disk_gets_a_cluster_of_its_own_and_keeps_it():
    here, chosen = world(), settings("a", "b")
    format_alone(here, chosen)
    format_alone(here, chosen)
    storage = open_storage(here.files, chosen, here.random)
    assert len(storage.cluster_id) == 22
    assert len(set(storage.directory_ids)) == 2
    assert storage.metadata_directory == "a"
    assert storage.metadata_directory_id in storage.directory_ids


@pytest.mark.parametrize("log", ["__cluster_metadata-0", "orders-3"])
def test_logs_whose_directory_has_lost_its_name_are_not_formatted_over(log):
    here, chosen = world(), settings("a", "b")
    here.files.make_directory("b")
    here.files.make_directory(f"b/{log}")
    here.files.open(f"b/{log}/00000000000000000000.log", create=True).close()
    with pytest.raises(DirectoryRefusedError, match=f"meta.properties is gone while {log} has"):
        format_alone(here, chosen)
    assert here.files.status("a") is None


def test_what_an_earlier_try_to_format_has_left_is_no_hindrance():
    here, chosen = world(), settings("a")
    format_alone(here, chosen)
    here.files.remove("a/meta.properties")
    format_alone(here, chosen)
    assert here.files.status("a/meta.properties") is not None


def test_a_directory_for_the_metadata_alone_takes_no_partitions():
    here, chosen = world(), settings("a", "b", metadata_log_dir="m")
    format_alone(here, chosen)
    storage = open_storage(here.files, chosen, here.random)
    assert [one.path for one in storage.directories] == ["a", "b"]
    assert [one.path for one in storage.everything] == ["a", "b", "m"]
    assert storage.metadata_directory_id not in storage.directory_ids
    storage.mark_clean(7)
    storage.close()
    assert open_storage(here.files, chosen, here.random).was_clean


def test_a_disk_that_was_not_formatted_is_refused():
    here = world()
    here.files.make_directory("a")
    with pytest.raises(DirectoryRefusedError, match="moldau format"):
        open_storage(here.files, settings("a"), here.random)


def test_a_clean_stop_is_known_at_the_next_start_and_only_there():
    here, chosen = world(), settings("a", "b")
    format_alone(here, chosen)
    first = open_storage(here.files, chosen, here.random)
    assert (first.was_clean, first.previous_epoch) == (False, -1)
    first.mark_clean(57)
    first.close()
    second = open_storage(here.files, chosen, here.random)
    assert (second.was_clean, second.previous_epoch) == (True, 57)
    second.close()
    third = open_storage(here.files, chosen, here.random)
    assert (third.was_clean, third.previous_epoch) == (False, -1)


def test_a_directory_that_fails_is_reported_by_its_id_and_is_never_clean():
    here, chosen = world(), settings("a", "b")
    format_alone(here, chosen)
    storage = open_storage(here.files, chosen, here.random)
    failing = storage.directories.opened[1]
    failing.take_offline("the disk failed")
    storage.mark_clean(3)
    assert storage.offline_ids == [failing.properties.directory_id]
    assert here.files.status("b/.kafka_cleanshutdown") is None


def test_a_broker_that_was_registered_has_metadata_up_to_there():
    here, chosen = world(), settings("a", "b")
    format_alone(here, chosen)
    first = open_storage(here.files, chosen, here.random)
    assert first.known_offset(votes_alone=True) == 0
    first.mark_clean(57)
    first.close()
    second = open_storage(here.files, chosen, here.random)
    assert second.known_offset(votes_alone=False) == 58
    second.leave_as_found()
    second.close()
    assert open_storage(here.files, chosen, here.random).known_offset(votes_alone=True) == 58


def test_logs_of_topics_say_that_there_were_metadata():
    here, chosen = world(), settings("a", "b")
    format_alone(here, chosen)
    for name in ("__cluster_metadata-0", "b", "x-0.0123456789abcdef0123456789abcdef-delete"):
        here.files.make_directory(f"b/{name}")
    storage = open_storage(here.files, chosen, here.random)
    assert storage.known_offset(votes_alone=True) == 0
    here.files.make_directory("b/orders-0")
    assert storage.known_offset(votes_alone=True) == 1
    assert storage.known_offset(votes_alone=False) == 0


def test_a_directory_of_before_directory_ids_gets_one_and_keeps_it():
    here, chosen = world(), settings("a")
    format_alone(here, chosen)
    contents = read_whole(here.files, "a/meta.properties")
    lines = [line for line in contents.splitlines(True) if not line.startswith(b"directory.id")]
    replace_whole(here.files, "a/meta.properties", b"".join(lines))
    first = open_storage(here.files, chosen, here.random)
    (given,) = first.directory_ids
    first.close()
    assert open_storage(here.files, chosen, here.random).directory_ids == [given]
    assert first.cluster_id.encode() in read_whole(here.files, "a/meta.properties")
