"""The snapshots of one directory."""

from __future__ import annotations

import pytest

from moldau.broker.log.producers.entry import ProducerEntry
from moldau.broker.log.producers.snapshot_files import SnapshotFiles, snapshot_name, snapshot_offset
from moldau.platform.system.files import SystemFiles


@pytest.fixture
def snapshots(tmp_path):
    (tmp_path / "00000000000000000000.log").touch()
    snapshots = SnapshotFiles(SystemFiles(), str(tmp_path))
    for offset in (40, 10, 30, 20):
        snapshots.write(offset, [ProducerEntry(offset)], sync=False)
    return snapshots


def test_names_are_offsets_in_20_digits():
    assert snapshot_name(1437) == "00000000000000001437.snapshot"
    assert snapshot_offset("00000000000000001437.snapshot") == 1437
    for name in ("00000000000000000000.log", "x.snapshot", "1.snapshot.deleted", ".snapshot"):
        assert snapshot_offset(name) is None


def test_they_are_found_again_in_order(snapshots, tmp_path):
    assert snapshots.offsets == (10, 20, 30, 40)
    assert SnapshotFiles(SystemFiles(), str(tmp_path)).offsets == (10, 20, 30, 40)
    assert snapshots.newest == 40


def test_the_newest_readable_one_is_read(snapshots, tmp_path):
    (tmp_path / snapshot_name(40)).write_bytes(b"\0\1")
    found = snapshots.read_newest()
    assert found is not None
    assert found[0] == found[1][0].producer_id == 30
    assert snapshots.offsets == (10, 20, 30)


def test_where_there_is_none_nothing_is_read(tmp_path):
    assert SnapshotFiles(SystemFiles(), str(tmp_path / "missing")).read_newest() is None


def test_removal_before_after_and_outside(snapshots):
    snapshots.remove_before(20)
    assert snapshots.offsets == (20, 30, 40)
    snapshots.remove_after(30)
    assert snapshots.offsets == (20, 30)
    snapshots.remove_outside(20, 29)
    assert snapshots.offsets == ()


@pytest.mark.parametrize(
    ("base_offsets", "kept"),
    [([10, 30], (10, 30, 40)), ([10, 40], (10, 40)), ([50], ()), ([], (40,)), ([0, 20], (20, 40))],
)
def test_one_for_each_segment_and_the_newest_above_them_stay(snapshots, base_offsets, kept):
    snapshots.remove_strays(base_offsets)
    assert snapshots.offsets == kept


def test_one_can_wait_for_its_removal_under_another_name(snapshots, tmp_path):
    path = snapshots.mark_deleted(20)
    assert path == str(tmp_path / "00000000000000000020.snapshot.deleted")
    assert snapshots.offsets == (10, 30, 40)
    assert snapshots.mark_deleted(20) is None


def test_a_directory_may_be_renamed(snapshots, tmp_path):
    snapshots.move_to(str(tmp_path / "elsewhere"))
    assert snapshots.path(10) == str(tmp_path / "elsewhere" / snapshot_name(10))
