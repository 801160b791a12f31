"""Snapshots are files with names."""

from __future__ import annotations

import pytest

from moldau.broker.quorum.log_view import SnapshotId
from moldau.broker.runtime.quorum.snapshot_store import SnapshotStore, snapshot_id_of
from moldau.platform.ports.files import replace_whole
from moldau.platform.simulated.files import SimulatedFiles

OLD, NEW = SnapshotId(5, 1), SnapshotId(120, 3)


@pytest.fixture
def files():
    made = SimulatedFiles()
    made.make_directory("/log")
    return made


def test_names_say_up_to_where_and_in_which_epoch():
    assert snapshot_id_of("00000000000000000120-0000000003.checkpoint") == NEW
    assert snapshot_id_of("00000000000000000120.log") is None
    assert snapshot_id_of("x00000000000000000120-0000000003.checkpoint") is None


def test_what_was_written_is_found_again(files):
    store = SnapshotStore(files, "/log")
    for snapshot in (NEW, OLD):
        store.write(snapshot, [b"first ", b"second"])
        store.add(snapshot)
    again = SnapshotStore(files, "/log")
    assert (again.earliest, again.latest) == (OLD, NEW)
    assert again.read(NEW) == b"first second"
    assert again.read(NEW, 6, 3) == b"sec"
    assert (again.size(NEW), again.total_size()) == (12, 24)


def test_half_a_snapshot_is_none(files):
    store = SnapshotStore(files, "/log")
    store.begin(NEW).append(b"half")
    assert SnapshotStore(files, "/log").latest is None
    assert files.list("/log") == []


def test_a_snapshot_that_comes_in_pieces_is_there_when_it_is_sealed(files):
    store = SnapshotStore(files, "/log")
    part = store.begin(NEW)
    part.append(b"one")
    part.append(b"two")
    part.seal()
    assert SnapshotStore(files, "/log").read(NEW) == b"onetwo"


def test_the_same_snapshot_can_come_twice_at_once(files):
    store = SnapshotStore(files, "/log")
    parts = store.begin(NEW), store.begin(NEW)
    for piece in (b"one", b"two"):
        for part in parts:
            part.append(piece)
    for part in parts:
        part.seal()
    assert store.read(NEW) == b"onetwo"


def test_a_part_that_is_discarded_leaves_nothing(files):
    part = SnapshotStore(files, "/log").begin(NEW)
    part.append(b"one")
    part.discard()
    assert files.list("/log") == []


def test_old_snapshots_go(files):
    store = SnapshotStore(files, "/log")
    for snapshot in (OLD, NEW):
        store.write(snapshot, [b"x"])
        store.add(snapshot)
    store.remove_before(NEW)
    assert store.ids == [NEW]
    assert files.list("/log") == [f"{NEW}.checkpoint"]


def test_other_files_are_left_alone(files):
    replace_whole(files, "/log/00000000000000000000.log", b"x")
    assert SnapshotStore(files, "/log").ids == []
    assert files.list("/log") == ["00000000000000000000.log"]
