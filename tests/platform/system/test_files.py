"""What the real disk adds to the port; its common promises are in tests/platform/ports."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from moldau.errors import FileInUseError, FileMissingError, WrongKindError
from moldau.platform.system.files import SystemFiles

HOLD_LOCK = """
import sys
from moldau.platform.system.files import SystemFiles
lock = SystemFiles().lock(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""


def test_a_lock_of_another_process_refuses_and_dies_with_it(tmp_path):
    path = str(tmp_path / ".lock")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_LOCK, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"PYTHONPATH": "src", "PATH": os.environ["PATH"]},
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(FileInUseError, match="another process uses this directory; stop it"):
            SystemFiles().lock(path)
        holder.kill()
    SystemFiles().lock(path).release()


def test_a_link_that_loops_is_no_directory_and_harms_none_beside_it(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "linked").symlink_to("folder")
    (tmp_path / "folder").mkdir()
    files = SystemFiles()
    assert files.list_directories(str(tmp_path)) == ["folder", "linked"]
    for ask in (files.status, files.open, files.make_directory):
        with pytest.raises(WrongKindError, match=r"loop: .*(leads back to itself|another kind)"):
            ask(str(tmp_path / "loop"))


def test_what_is_no_directory_cannot_be_synced_as_one(tmp_path):
    with pytest.raises(FileMissingError):
        SystemFiles().sync_directory(str(tmp_path / "absent"))
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileMissingError):
        SystemFiles().sync_directory(str(tmp_path / "file"))
