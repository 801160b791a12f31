"""The judge of crash states is judged: mistakes that people really make must be found by it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from moldau.errors import FileMissingError
from moldau.platform.ports.files import read_whole, replace_whole
from moldau.platform.simulated.disk_crash import crash_states, fingerprint
from moldau.platform.simulated.files import SimulatedFiles

OLD = b"old " * 3000
NEW = b"new!" * 4000


def a_disk_with_the_old_file() -> SimulatedFiles:
    files = SimulatedFiles()
    files.make_directory("/d")
    files.sync_directory("/")
    replace_whole(files, "/d/file", OLD)
    return files


def survivors(files: SimulatedFiles, count: int = 200) -> list[SimulatedFiles]:
    states = crash_states(files.disk, random.Random(1), count)
    return [SimulatedFiles(disk=state.disk) for state in states]


def contents(files: SimulatedFiles, path: str = "/d/file") -> bytes | None:
    try:
        return read_whole(files, path)
    except FileMissingError:
        return None


def put(files: SimulatedFiles, path: str, data: bytes, *, sync: bool) -> None:
    file = files.open(path, create=True)
    file.append(data)
    if sync:
        file.sync()


def replace_well(files: SimulatedFiles) -> None:
    put(files, "/d/file.tmp", NEW, sync=True)
    files.rename("/d/file.tmp", "/d/file")


def replace_without_sync(files: SimulatedFiles) -> None:
    put(files, "/d/file.tmp", NEW, sync=False)
    files.rename("/d/file.tmp", "/d/file")


def replace_with_a_late_sync(files: SimulatedFiles) -> None:
    file = files.open("/d/file.tmp", create=True)
    file.append(NEW)
    files.rename("/d/file.tmp", "/d/file")
    assert all(contents(state) in (OLD, NEW) for state in survivors(files))
    file.sync()


def replace_in_place(files: SimulatedFiles) -> None:
    files.open("/d/file").truncate(0)
    put(files, "/d/file", NEW, sync=True)


def replace_by_removing_first(files: SimulatedFiles) -> None:
    put(files, "/d/file.tmp", NEW, sync=True)
    files.remove("/d/file")
    files.rename("/d/file.tmp", "/d/file")


def unsound(replace: Callable[[SimulatedFiles], None]) -> bool:
    """Whether a crash anywhere inside shows neither the old nor the new file."""
    files = a_disk_with_the_old_file()
    try:
        replace(files)
    except AssertionError:
        return True
    return any(contents(state) not in (OLD, NEW) for state in survivors(files))


def test_a_sound_replacement_survives_every_crash():
    assert not unsound(replace_well)
    assert not unsound(lambda files: replace_whole(files, "/d/file", NEW))


@pytest.mark.parametrize(
    "mistake", [replace_without_sync, replace_with_a_late_sync, replace_by_removing_first]
)
def test_a_planted_mistake_is_found(mistake):
    assert unsound(mistake)


def test_replacing_in_place_is_found_before_its_sync():
    files = a_disk_with_the_old_file()
    files.open("/d/file").truncate(0)
    put(files, "/d/file", NEW, sync=False)
    assert any(contents(state) not in (OLD, NEW) for state in survivors(files))


def test_a_forgotten_directory_sync_loses_what_was_acknowledged():
    files = a_disk_with_the_old_file()
    replace_well(files)
    assert {contents(state) for state in survivors(files)} == {OLD, NEW}
    files.sync_directory("/d")
    assert {contents(state) for state in survivors(files)} == {NEW}


def test_a_synced_file_whose_name_was_not_synced_may_be_gone():
    files = a_disk_with_the_old_file()
    put(files, "/d/other", NEW, sync=True)
    assert {contents(state, "/d/other") for state in survivors(files)} == {None, NEW}


def test_an_unsynced_append_may_be_torn_reordered_zero_or_lost():
    files = a_disk_with_the_old_file()
    put(files, "/d/file", NEW, sync=False)
    found = {contents(state) for state in survivors(files)}
    assert {OLD, OLD + NEW, OLD + bytes(len(NEW))} <= found
    assert len(found) > 50
    assert all(data is not None and data.startswith(OLD) for data in found)


def test_a_write_to_one_file_may_arrive_before_an_earlier_one_to_another():
    files = a_disk_with_the_old_file()
    put(files, "/d/file", b"first", sync=False)
    put(files, "/d/second", b"second", sync=False)
    pairs = {(contents(state), contents(state, "/d/second")) for state in survivors(files)}
    assert (OLD, b"second") in pairs


def test_a_cut_may_be_lost_and_a_removal_too():
    files = a_disk_with_the_old_file()
    files.open("/d/file").truncate(10)
    assert {contents(state) for state in survivors(files)} >= {OLD, OLD[:10]}
    files.remove("/d/file")
    assert None in {contents(state) for state in survivors(files)}
    assert OLD in {contents(state) for state in survivors(files)}


def test_two_renames_may_survive_without_each_other_but_one_file_has_one_name():
    files = a_disk_with_the_old_file()
    put(files, "/d/other", NEW, sync=True)
    files.sync_directory("/d")
    files.rename("/d/file", "/d/file.1")
    files.rename("/d/file.1", "/d/file.2")
    files.rename("/d/other", "/d/other.1")
    listings = {tuple(state.list("/d")) for state in survivors(files)}
    assert ("file", "other.1") in listings
    assert ("file.2", "other") in listings
    assert all(len(listing) == 2 for listing in listings)


def test_a_seed_gives_the_same_states_again_all_different():
    runs = []
    for _ in range(2):
        files = a_disk_with_the_old_file()
        put(files, "/d/file", NEW, sync=False)
        states = list(crash_states(files.disk, random.Random(7), 100))
        runs.append([(state.origin, fingerprint(state.disk)) for state in states])
    assert runs[0] == runs[1]
    assert len({mark for _, mark in runs[0]}) == 100


def test_a_disk_without_unsynced_changes_has_one_state():
    files = a_disk_with_the_old_file()
    assert len(survivors(files)) == 1


def test_a_surviving_disk_has_everything_durable_and_is_no_part_of_the_old_one():
    files = a_disk_with_the_old_file()
    put(files, "/d/file", b"more", sync=False)
    before = fingerprint(files.disk)
    for state in survivors(files):
        assert len(survivors(state)) == 1
        state.open("/d/file").append(b"changed")
    assert fingerprint(files.disk) == before
