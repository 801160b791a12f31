"""Names become durable by directory, with those that they follow."""

from __future__ import annotations

from moldau.platform.simulated.disk import Disk
from moldau.platform.simulated.files import SimulatedFiles


def disk_with(*directories: str) -> Disk:
    disk = Disk()
    for path in directories:
        disk.add_directory(path, 0)
        disk.sync_names(disk.directory(path.rpartition("/")[0]))
    return disk


def test_a_directory_sync_saves_its_own_names_alone():
    disk = disk_with("/a", "/b")
    disk.add_file("/a/1", 0)
    disk.add_file("/b/2", 0)
    disk.sync_names(disk.directory("/a"))
    assert list(disk.directory("/a").durable) == ["1"]
    assert list(disk.directory("/b").durable) == []


def test_a_rename_between_directories_is_saved_with_what_it_follows():
    disk = disk_with("/a", "/b")
    disk.add_file("/a/1", 0)
    disk.rename("/a/1", "/b/2")
    disk.sync_names(disk.directory("/b"))
    assert list(disk.directory("/a").durable) == []
    assert list(disk.directory("/b").durable) == ["2"]
    assert disk.name_changes == []


def test_files_are_listed_with_their_paths():
    disk = disk_with("/a", "/a/c")
    for path in ("/z", "/a/c/x", "/a/b"):
        disk.add_file(path, 0)
    assert [path for path, _ in disk.files()] == ["/a/b", "/a/c/x", "/z"]


def test_a_call_comes_before_each_barrier_takes_effect():
    files = SimulatedFiles()
    seen = []
    files.disk.before_barrier = lambda: seen.append(len(files.disk.name_changes))
    file = files.open("/a", create=True)
    file.sync()
    files.sync_directory("/")
    files.sync_directory("/")
    assert seen == [1, 1, 0]
