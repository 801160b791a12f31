"""Covers moldau.platform.system.class_archive; Java's side of it is in tests/spark."""

from __future__ import annotations

from pathlib import Path

import pytest

from moldau.platform.system.class_archive import ClassArchive


@pytest.fixture
def archive(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return ClassArchive.of("spark", "/usr/bin/java", "/opt/spark/jars")


def written_by(flags):
    return Path(flags[0].removeprefix("-XX:ArchiveClassesAtExit="))


def test_it_is_in_the_users_folder_of_caches(archive, tmp_path, monkeypatch):
    assert Path(archive.path).parent == tmp_path / "moldau"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    found = ClassArchive.of("spark", "/usr/bin/java", "/opt/spark/jars")
    assert Path(found.path).parent == tmp_path / "home" / ".cache" / "moldau"


@pytest.mark.parametrize(
    "other", [("spark", "/usr/bin/java", "/opt/other"), ("spark", "/opt/java", "/opt/spark/jars")]
)
def test_another_java_or_other_jars_have_another_archive(archive, other):
    assert ClassArchive.of(*other) != archive
    assert ClassArchive.of("spark", "/usr/bin/java", "/opt/spark/jars") == archive


def test_a_java_that_was_updated_has_another_archive(tmp_path):
    java = tmp_path / "java"
    java.write_text("17.0.14")
    before = ClassArchive.of("spark", str(java), "/opt/spark/jars")
    java.unlink()
    assert ClassArchive.of("spark", str(java), "/opt/spark/jars") != before


def test_where_there_is_none_java_starts_as_ever(archive):
    assert not archive.is_there
    assert archive.flags == ()


def test_it_is_used_from_when_the_program_has_ended(archive):
    with archive.being_made() as flags:
        written_by(flags).write_text("classes")
        assert archive.flags == ()
    assert Path(archive.path).read_text() == "classes"
    assert archive.flags[0] == f"-XX:SharedArchiveFile={archive.path}"


def fail_while_making(archive):
    with archive.being_made() as flags:
        written_by(flags).write_text("torn")
        raise RuntimeError


def test_one_that_is_not_finished_is_removed_and_the_old_one_stays(archive):
    with archive.being_made() as flags:
        written_by(flags).write_text("old")
    with pytest.raises(RuntimeError):
        fail_while_making(archive)
    path = Path(archive.path)
    assert path.read_text() == "old"
    assert list(path.parent.iterdir()) == [path]


def test_a_program_that_wrote_none_leaves_none(archive):
    with archive.being_made():
        pass
    assert not archive.is_there
