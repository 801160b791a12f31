"""Above an overlay everything can be changed, and nothing below is."""

from __future__ import annotations

import pytest

from moldau.broker.log import overlay
from moldau.broker.log.overlay import OverlayFiles
from moldau.errors import DiskFullError, FileMissingError
from moldau.platform.ports.files import read_whole, replace_whole
from moldau.platform.simulated.files import SimulatedFiles


def below() -> SimulatedFiles:
    files = SimulatedFiles()
    files.make_directory("d")
    for name in ("a", "b"):
        replace_whole(files, f"d/{name}", name.encode() * 10)
    return files


def contents(files):
    return {name: read_whole(files, f"d/{name}") for name in files.list("d")}


def test_what_is_written_is_read_again_and_the_files_below_stay():
    disk = below()
    before = contents(disk)
    files = OverlayFiles(disk)
    file = files.open("d/a")
    file.write_at(3, b"xyz")
    file.append(b"!")
    file.close()
    cut = files.open("d/b")
    cut.truncate(4)
    cut.close()
    replace_whole(files, "d/c", b"new")
    files.rename("d/b", "d/e")
    assert contents(files) == {"a": b"aaaxyzaaaa!", "c": b"new", "e": b"bbbb"}
    files.remove("d/a")
    assert files.list("d") == ["c", "e"]
    assert files.status("d/a") is None
    with pytest.raises(FileMissingError):
        files.open("d/a")
    assert contents(disk) == before


def test_room_behind_the_contents_is_zeros_and_takes_no_memory():
    files = OverlayFiles(below())
    file = files.open("d/a")
    file.truncate(0)
    file.truncate(1 << 40)
    assert file.read_at((1 << 40) - 3, 10) == bytes(3)
    assert file.size() == 1 << 40
    file.truncate(2)
    file.append(b"z")
    assert file.read_at(0, 9) == b"\0\0z"


def test_large_files_and_those_for_people_are_not_held(monkeypatch):
    files = OverlayFiles(below())
    with pytest.raises(DiskFullError):
        files.open("d/0-0.cut", create=True)
    monkeypatch.setattr(overlay, "HELD_BYTES_MAX", 9)
    with pytest.raises(DiskFullError):
        files.open("d/a").append(b"x")
