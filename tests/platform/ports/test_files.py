"""The promises of the Files port, kept by the system and by the simulation alike."""

from __future__ import annotations

import pytest

from moldau.errors import FileInUseError, FileMissingError, StorageError, WrongKindError
from moldau.platform.ports.files import read_whole, replace_whole
from tests.platform.ports.both_files import Place, place

__all__ = ["place"]


def test_what_was_appended_is_read_back(place: Place) -> None:
    file = place.files.open(place.at("a"), create=True)
    file.append(b"one")
    file.append(memoryview(b"-two-")[1:4])
    file.append(bytearray(b"three"))
    assert file.size() == 11
    assert file.read_at(0, 100) == b"onetwothree"


def test_a_file_that_is_seldom_needed_is_a_file_like_others(place: Place) -> None:
    file = place.files.open_seldom(place.at("a"), create=True)
    file.append(b"0123")
    file.write_at(1, b"xy")
    file.truncate(3)
    file.sync()
    assert (file.size(), file.read_at(0, 9), place.get("a")) == (3, b"0xy", b"0xy")
    file.close()
    with pytest.raises(FileMissingError):
        place.files.open_seldom(place.at("b"))


def test_a_read_ends_where_the_file_ends(place: Place) -> None:
    file = place.files.open(place.put("a", b"0123456789"))
    assert file.read_at(7, 100) == b"789"
    assert file.read_at(10, 1) == b""
    assert file.read_at(4000, 1) == b""


def test_an_append_goes_to_the_end_of_a_file_that_was_there_before(place: Place) -> None:
    file = place.files.open(place.put("a", b"old"), create=True)
    file.append(b"-new")
    assert place.get("a") == b"old-new"


def test_a_write_inside_keeps_the_rest_and_one_behind_the_end_leaves_zeros(place: Place) -> None:
    file = place.files.open(place.put("a", b"0123456789"))
    file.write_at(2, b"xy")
    file.write_at(12, b"z")
    assert file.size() == 13
    assert place.get("a") == b"01xy456789\0\0z"


def test_writes_over_page_borders_are_whole(place: Place) -> None:
    file = place.files.open(place.at("a"), create=True)
    contents = bytes(range(256)) * 50
    file.append(contents)
    file.write_at(4090, b"#" * 4100)
    expected = contents[:4090] + b"#" * 4100 + contents[8190:]
    assert file.read_at(0, 20_000) == expected
    assert file.read_at(4000, 5000) == expected[4000:9000]


def test_a_cut_file_forgets_what_was_behind_the_cut(place: Place) -> None:
    file = place.files.open(place.put("a", b"x" * 10_000))
    file.truncate(5000)
    file.truncate(9000)
    assert file.read_at(0, 10_000) == b"x" * 5000 + bytes(4000)
    file.truncate(3)
    file.append(b"y")
    assert place.get("a") == b"xxxy"


def test_a_grown_file_reads_as_zeros(place: Place) -> None:
    file = place.files.open(place.at("a"), create=True)
    file.truncate(10 << 20)
    assert file.size() == 10 << 20
    assert file.read_at((10 << 20) - 3, 10) == b"\0\0\0"


def test_the_port_does_not_care_how_often_a_file_is_synced_or_closed(place: Place) -> None:
    file = place.files.open(place.at("a"), create=True)
    file.append(b"a")
    file.sync()
    file.sync()
    place.files.sync_directory(place.directory)
    file.close()
    file.close()


def test_a_file_stays_usable_under_a_new_name(place: Place) -> None:
    file = place.files.open(place.at("a"), create=True)
    place.files.rename(place.at("a"), place.at("b"))
    file.append(b"still")
    assert place.get("b") == b"still"
    assert place.files.status(place.at("a")) is None


def test_a_removed_file_lives_while_it_is_open(place: Place) -> None:
    file = place.files.open(place.put("a", b"contents"))
    place.files.remove(place.at("a"))
    assert file.read_at(0, 100) == b"contents"
    assert place.files.list(place.directory) == []


def test_opening_nothing_says_that_it_is_missing(place: Place) -> None:
    with pytest.raises(FileMissingError, match=r"absent: .*no such file"):
        place.files.open(place.at("absent"))
    with pytest.raises(FileMissingError):
        place.files.open(place.at("absent/inside"), create=True)


def test_a_directory_is_no_file_and_a_file_no_directory(place: Place) -> None:
    place.put("file", b"")
    place.files.make_directory(place.at("directory"))
    with pytest.raises(WrongKindError, match="directory"):
        place.files.open(place.at("directory"))
    with pytest.raises(WrongKindError):
        place.files.remove(place.at("directory"))
    with pytest.raises(WrongKindError):
        place.files.make_directory(place.at("file"))
    with pytest.raises(FileMissingError):
        place.files.list(place.at("file"))


def test_status_knows_size_time_and_kind_or_says_none(place: Place) -> None:
    path = place.put("a", b"12345")
    place.files.set_modified(path, 1_700_000_000_123)
    status = place.files.status(path)
    assert status is not None
    assert (status.size, status.modified_ms) == (5, 1_700_000_000_123)
    assert not status.is_directory
    directory = place.files.status(place.directory)
    assert directory is not None
    assert directory.is_directory
    assert place.files.status(place.at("absent")) is None
    assert place.files.status(place.at("a/below")) is None


def test_names_come_sorted(place: Place) -> None:
    for name in ("c", "a", "B", "b"):
        place.put(name, b"")
    assert place.files.list(place.directory) == ["B", "a", "b", "c"]
    with pytest.raises(FileMissingError):
        place.files.list(place.at("absent"))


def test_directories_are_not_taken_for_files(place: Place) -> None:
    for name in ("c", "a"):
        place.files.make_directory(place.at(f"{name}/inside"))
        place.put(f"{name}.file", b"")
    assert place.files.list_directories(place.directory) == ["a", "c"]
    for absent in ("absent", "a.file"):
        with pytest.raises(FileMissingError):
            place.files.list_directories(place.at(absent))


def test_directories_are_made_with_their_parents_and_twice(place: Place) -> None:
    place.files.make_directory(place.at("x/y/z"))
    place.files.make_directory(place.at("x/y/z"))
    assert place.files.list(place.at("x/y")) == ["z"]


def test_a_rename_replaces_a_file(place: Place) -> None:
    place.put("new", b"new")
    place.put("old", b"old")
    place.files.rename(place.at("new"), place.at("old"))
    assert place.get("old") == b"new"
    assert place.files.list(place.directory) == ["old"]


def test_a_directory_is_renamed_with_all_it_holds(place: Place) -> None:
    place.files.make_directory(place.at("t-0"))
    place.put("t-0/a", b"1")
    place.files.rename(place.at("t-0"), place.at("t-0.delete"))
    assert place.get("t-0.delete/a") == b"1"


def test_a_rename_refuses_what_cannot_be(place: Place) -> None:
    place.files.make_directory(place.at("full/inside"))
    place.files.make_directory(place.at("empty"))
    place.put("file", b"")
    for source, target in (
        ("absent", "b"),
        ("file", "empty"),
        ("empty", "file"),
        ("empty", "full"),
    ):
        with pytest.raises(StorageError):
            place.files.rename(place.at(source), place.at(target))
    assert place.files.list(place.directory) == ["empty", "file", "full"]


def test_removing_a_missing_file_or_tree_is_fine(place: Place) -> None:
    place.files.remove(place.at("absent"))
    place.files.remove_tree(place.at("absent"))


def test_a_tree_goes_with_all_it_holds(place: Place) -> None:
    place.files.make_directory(place.at("t/sub"))
    place.put("t/a", b"1")
    place.put("t/sub/b", b"2")
    place.files.remove_tree(place.at("t"))
    assert place.files.list(place.directory) == []


def test_what_was_just_written_is_cached(place: Place) -> None:
    file = place.files.open(place.at("a"), create=True)
    file.append(bytes(100_000))
    assert file.is_cached(0, 100_000)
    assert file.is_cached(99_999, 1)
    file.close()


def test_a_lock_is_held_once_and_again_after_its_release(place: Place) -> None:
    lock = place.files.lock(place.at(".lock"))
    with pytest.raises(FileInUseError, match="another process"):
        place.files.lock(place.at(".lock"))
    lock.release()
    lock.release()
    place.files.lock(place.at(".lock")).release()


def test_there_is_room_and_it_is_asked_of_a_directory_that_exists(place: Place) -> None:
    assert 0 < place.files.free_bytes(place.directory) <= place.files.total_bytes(place.directory)
    with pytest.raises(FileMissingError):
        place.files.free_bytes(place.at("absent"))


def test_a_replaced_file_has_the_new_contents_and_leaves_nothing_beside(place: Place) -> None:
    replace_whole(place.files, place.at("a"), b"first")
    place.put("a.tmp", b"left over from a crash, and longer")
    replace_whole(place.files, place.at("a"), b"2nd")
    assert read_whole(place.files, place.at("a")) == b"2nd"
    assert place.files.list(place.directory) == ["a"]
