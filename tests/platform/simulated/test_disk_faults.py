"""Planned faults strike when and where the plan says, and leave what it says."""

from __future__ import annotations

import pytest

from moldau.errors import DiskFailedError, DiskFullError, PermissionDeniedError
from moldau.platform.simulated.disk_faults import Fault
from moldau.platform.simulated.files import SimulatedFiles


def test_the_nth_sync_of_matching_files_fails_and_the_rest_goes_well():
    files = SimulatedFiles()
    files.faults.add(Fault("sync", "*.log", skip=1))
    log, index = (files.open(name, create=True) for name in ("/a.log", "/a.index"))
    log.sync()
    index.sync()
    with pytest.raises(DiskFailedError, match=r"/a\.log"):
        log.sync()
    index.sync()


def test_a_file_whose_sync_failed_fails_for_ever_and_stays_undecided():
    files = SimulatedFiles()
    files.faults.add(Fault("sync"))
    file = files.open("/a", create=True)
    file.append(b"lost?")
    for _ in range(2):
        with pytest.raises(DiskFailedError):
            file.sync()
    files.open("/a").sync()
    (_, node), *_ = files.disk.files()
    assert node.durable.size == 0


def test_a_short_write_raises_and_is_taken_back_but_a_crash_may_show_it():
    files = SimulatedFiles()
    file = files.open("/a", create=True)
    file.append(b"whole")
    files.faults.add(Fault("append", error=DiskFullError, short=3))
    with pytest.raises(DiskFullError):
        file.append(b"12345")
    assert file.read_at(0, 99) == b"whole"
    (_, node), *_ = files.disk.files()
    assert [change.size for change in node.changes] == [5, 8, 5]


def test_a_full_disk_takes_what_has_room_and_then_refuses():
    files = SimulatedFiles()
    file = files.open("/a", create=True)
    files.faults.room = 10
    file.append(b"12345678")
    with pytest.raises(DiskFullError, match="no room"):
        file.append(b"12345678")
    assert file.size() == 8
    assert files.free_bytes("/") == 0


def test_a_read_only_disk_still_reads():
    files = SimulatedFiles()
    file = files.open("/a", create=True)
    file.append(b"before")
    files.faults.read_only = True
    assert files.open("/a", create=True, read_only=True).read_at(0, 9) == b"before"
    for refused in (
        lambda: file.append(b"x"),
        lambda: file.truncate(0),
        lambda: files.open("/b", create=True),
        lambda: files.make_directory("/d"),
        lambda: files.rename("/a", "/b"),
        lambda: files.remove("/a"),
        lambda: files.lock("/.lock"),
    ):
        with pytest.raises(PermissionDeniedError):
            refused()
    assert files.list("/") == ["a"]
