"""All log directories of a node."""

from __future__ import annotations

import pytest

from moldau.broker.log.directory.directories import open_directories
from moldau.broker.log.directory.directory import DirectoryRefusedError, format_directory
from moldau.broker.log.directory.meta_properties import MetaProperties
from moldau.errors import DiskFailedError
from moldau.platform.system.files import SystemFiles


class OneBadDisk(SystemFiles):
    """A file system on which everything under `/bad` fails."""

    def lock(self, path):
        if "/bad" in path:
            raise DiskFailedError(path, "input/output error")
        return super().lock(path)


def formatted(tmp_path, *names, directory_id=None):
    paths = [str(tmp_path / name) for name in names]
    for index, path in enumerate(paths):
        identity = directory_id or bytes([index] * 16)
        properties = MetaProperties(cluster_id="c", node_id=1, directory_id=identity)
        format_directory(SystemFiles(), path, properties)
    return paths


def opened(paths, files=None):
    return open_directories(files or SystemFiles(), paths, cluster_id="c", node_id=1)


def test_a_failing_disk_leaves_the_others_working(tmp_path):
    good, bad = formatted(tmp_path, "good", "bad")
    directories = opened([bad, good], OneBadDisk())
    assert [directory.path for directory in directories] == [good]
    assert list(directories.offline) == [bad]
    directories.close()


def test_a_disk_that_fails_later_leaves_the_others_working(tmp_path):
    one, two = formatted(tmp_path, "one", "two")
    directories = opened([one, two])
    directories.opened[0].take_offline("it caught fire")
    assert [directory.path for directory in directories] == [two]
    assert directories.offline == {one: "it caught fire"}
    directories.close()


def test_without_any_directory_the_node_does_not_start(tmp_path):
    (bad,) = formatted(tmp_path, "bad")
    with pytest.raises(DirectoryRefusedError, match=r"no directory can be used: .*input/output"):
        opened([bad], OneBadDisk())


def test_one_foreign_directory_refuses_all_and_unlocks_them(tmp_path):
    (mine,) = formatted(tmp_path, "mine")
    with pytest.raises(DirectoryRefusedError, match="create and format it"):
        opened([mine, str(tmp_path / "missing")])
    opened([mine]).close()


def test_a_copied_disk_is_refused(tmp_path):
    one, two = formatted(tmp_path, "one", "two", directory_id=b"0123456789abcdef")
    with pytest.raises(DirectoryRefusedError, match=f"same directory.id as {one}"):
        opened([one, two])
