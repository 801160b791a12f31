"""Many files, few handles."""

from __future__ import annotations

import gc
import os
from contextlib import suppress

import pytest

from moldau.errors import DiskFailedError, FileMissingError
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.seldom_file import SeldomHandle, SeldomHandles
from moldau.platform.system.system_file import SystemFile

FULL_DEVICE = "/dev/full"
"""It cannot be synced."""


def few(open_max: int = 2) -> SeldomHandles:
    return SeldomHandles(SystemFiles().open, open_max)


def test_the_oldest_handle_goes_first_and_comes_back_when_it_is_needed(tmp_path):
    pool = few()
    files = [pool.open(f"{tmp_path}/{name}", create=True) for name in "abc"]
    for file in files:
        file.append(file.path.encode())
    assert len(pool) == 2
    assert [file.read_at(0, 99).decode() for file in files] == [file.path for file in files]
    assert [file.size() for file in files] == [len(file.path) for file in files]


def open_under(folder) -> int:
    """How many files below it this process has open."""
    opened = 0
    for descriptor in os.scandir("/proc/self/fd"):
        with suppress(OSError):  # another thread's may be gone by now
            opened += os.readlink(descriptor.path).startswith(f"{folder}/")
    return opened


def test_no_more_descriptors_are_open_than_handles(tmp_path):
    pool = few()
    files = [pool.open(f"{tmp_path}/{number}", create=True) for number in range(20)]
    assert (len(pool), open_under(tmp_path)) == (2, 2)
    for file in files:
        file.close()
    assert (len(pool), open_under(tmp_path)) == (0, 0)


def test_a_handle_in_use_stays_open(tmp_path):
    pool = few(1)
    file = pool.open(f"{tmp_path}/a", create=True)
    file.append(b"abc")
    held = file.handle()
    pool.open(f"{tmp_path}/b", create=True)
    assert held.read_at(0, 3) == b"abc"
    assert isinstance(held, SystemFile)
    opened = f"/proc/self/fd/{held.descriptor()}"
    assert os.readlink(opened) == file.path
    del held
    gc.collect()
    assert open_under(tmp_path) == 1  # that of b


@pytest.mark.skipif(not os.path.exists(FULL_DEVICE), reason="this system has no /dev/full")
def test_a_failed_sync_is_final_whatever_handle_it_met(tmp_path):
    good = tmp_path / "a"
    good.touch()
    places = iter((FULL_DEVICE, str(good)))
    pool = SeldomHandles(lambda _path, *, create=False: SystemFiles().open(next(places)))
    file = pool.open("a")
    for _ in range(2):
        with pytest.raises(DiskFailedError):
            file.sync()
        file.rest()


def test_one_that_is_gone_is_missed_when_it_is_needed(tmp_path):
    file = few().open(f"{tmp_path}/a", create=True)
    file.rest()
    os.unlink(file.path)
    with pytest.raises(FileMissingError):
        file.size()


def test_a_file_used_closed_is_our_own_bug(tmp_path):
    file: SeldomHandle = few().open(f"{tmp_path}/a", create=True)
    file.close()
    file.close()
    with pytest.raises(AssertionError, match="used closed"):
        file.size()
