"""What the real disk adds to the port of a file, and what its failures mean."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import pytest

from moldau.errors import (
    DiskFailedError,
    DiskFullError,
    FileMissingError,
    PermissionDeniedError,
    StorageError,
    WrongKindError,
)
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.system_file import translated

FULL_DEVICE = "/dev/full"
needs_full_device = pytest.mark.skipif(
    not os.path.exists(FULL_DEVICE), reason="this system has no /dev/full"
)

SHORT_WRITE = """
import resource, signal, sys
from moldau.errors import DiskFullError
from moldau.platform.system.files import SystemFiles
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
file = SystemFiles().open(sys.argv[1], create=True)
file.append(b"a" * 700)
for write in (lambda: file.append(b"b" * 700), lambda: file.write_at(600, b"c" * 700)):
    try:
        write()
    except DiskFullError as error:
        print(file.size(), error)
"""


@pytest.mark.parametrize(
    ("number", "kind", "remedy"),
    [
        (errno.ENOENT, FileMissingError, "no such file"),
        (errno.ENOTDIR, FileMissingError, "directory is needed"),
        (errno.EACCES, PermissionDeniedError, "give its user the right"),
        (errno.EPERM, PermissionDeniedError, "give its user the right"),
        (errno.EROFS, PermissionDeniedError, "mount it writable"),
        (errno.ENOSPC, DiskFullError, "free some"),
        (errno.EDQUOT, DiskFullError, "quota"),
        (errno.EIO, DiskFailedError, "replace or repair"),
        (errno.ESTALE, DiskFailedError, "mount the directory again"),
        (errno.EMFILE, StorageError, "ulimit -n"),
        (errno.EISDIR, WrongKindError, "move it away"),
        (errno.ELOOP, WrongKindError, "leads back to itself; remove it"),
        (errno.EDOM, StorageError, os.strerror(errno.EDOM)),
    ],
)
def test_an_errno_becomes_one_error_with_the_path_and_a_remedy(number, kind, remedy):
    error = translated("/data/t-0", OSError(number, os.strerror(number)))
    assert type(error) is kind
    assert str(error).startswith("/data/t-0: ")
    assert remedy in str(error)


def test_a_file_used_closed_is_our_own_bug(tmp_path):
    file = SystemFiles().open(str(tmp_path / "a"), create=True)
    file.close()
    with pytest.raises(AssertionError, match="closed"):
        file.append(b"x")


@needs_full_device
def test_a_full_device_says_so_and_the_end_stays_where_it_was():
    file = SystemFiles().open(FULL_DEVICE)
    with pytest.raises(DiskFullError, match=r"/dev/full: no room is left"):
        file.append(b"x")
    assert file.size() == 0


@needs_full_device
def test_a_failed_sync_is_final():
    file = SystemFiles().open(FULL_DEVICE)
    messages = []
    for _ in range(2):
        with pytest.raises(DiskFailedError, match=r"a sync failed") as failure:
            file.sync()
        messages.append(str(failure.value))
    assert messages[0] == messages[1]


def test_a_short_write_is_tried_on_and_taken_back_when_the_rest_fails(tmp_path):
    path = tmp_path / "a"
    ran = subprocess.run(
        [sys.executable, "-c", SHORT_WRITE, str(path)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": "src", "PATH": os.environ["PATH"]},
    )
    lines = ran.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["700", "700"]
    assert all("larger than the system allows" in line for line in lines)
    assert path.read_bytes() == b"a" * 600 + b"c" * 100


def test_a_preallocated_file_takes_no_room_on_disk(tmp_path):
    file = SystemFiles().open(str(tmp_path / "a.index"), create=True)
    file.truncate(10 << 20)
    assert os.stat(tmp_path / "a.index").st_blocks * 512 < 1 << 20


def test_the_descriptor_is_the_systems(tmp_path):
    file = SystemFiles().open(str(tmp_path / "a"), create=True)
    file.append(b"seen by the system")
    descriptor = file.descriptor()
    assert descriptor is not None
    assert os.pread(descriptor, 4, 0) == b"seen"


@pytest.mark.parametrize(
    ("position", "size", "asked"),
    [(0, 1, [0]), (4000, 96, [0]), (4000, 97, [0, 4096]), (0, 100_000, [0, 49_152, 98_304])],
)
def test_each_page_is_asked_for_once(tmp_path, monkeypatch, position, size, asked):
    found: list[int] = []
    read = os.preadv

    def noted(descriptor, buffers, place, flags):
        found.append(place)
        return read(descriptor, buffers, place, 0)

    monkeypatch.setattr(os, "preadv", noted)
    file = SystemFiles().open(str(tmp_path / "a"), create=True)
    file.append(bytes(100_000))
    assert file.is_cached(position, size)
    assert sorted(found) == asked
    file.close()
