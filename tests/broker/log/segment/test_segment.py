"""One segment: its log and its indexes as one thing."""

from __future__ import annotations

import pytest

from moldau.broker.log.segment.batch_walk import UnsoundBatchError
from moldau.broker.log.segment.segment import Segment
from moldau.broker.log.settings import LogSettings
from moldau.platform.system.files import SystemFiles
from tests.broker.log.batches import batch, headers_of

SETTINGS = LogSettings(index_interval_bytes=100, segment_index_bytes=1200)
FILES = SystemFiles()


def filled(directory, count: int = 40, base: int = 100) -> Segment:
    segment = Segment.create(FILES, str(directory), base, SETTINGS, now_ms=0)
    for number in range(count):
        data = batch(base + number, (b"v%03d" % number,), 1000 + number)
        segment.append(data, headers_of(data))
    return segment


def reopened(directory, size: int, base: int = 100) -> Segment:
    return Segment(FILES, str(directory), base, SETTINGS, size=size, now_ms=0)


def test_every_offset_is_found_where_its_batch_begins(tmp_path):
    segment = filled(tmp_path)
    positions = {header.base_offset: position for position, header in segment.batches()}
    for offset, position in positions.items():
        found = segment.locate(offset)
        assert found is not None
        assert found[0] == position
    assert segment.locate(140) is None


def test_an_entry_is_made_for_the_first_batch_after_the_interval(tmp_path):
    segment = filled(tmp_path, 6)
    size = segment.size // 6
    assert segment.offset_index.raw_entries() == [(2, 2 * size), (4, 4 * size)]
    assert segment.time_index.raw_entries() == [(1002, 2), (1004, 4)]


def test_sealing_forces_the_last_timestamp_and_trims(tmp_path):
    segment = filled(tmp_path, 6)
    assert (tmp_path / "00000000000000000100.timeindex").stat().st_size == 1200
    segment.seal()
    assert segment.time_index.raw_entries()[-1] == (1005, 5)
    assert (tmp_path / "00000000000000000100.timeindex").stat().st_size == 36
    assert (tmp_path / "00000000000000000100.index").stat().st_size == 16


def test_an_unsealed_segment_opens_with_the_zeros_behind_its_entries_left_out(tmp_path):
    segment = filled(tmp_path)
    segment.close()
    again = reopened(tmp_path, segment.size)
    assert again.offset_index.raw_entries() == filled(tmp_path / ".").offset_index.raw_entries()
    assert again.next_offset() == 140


def test_missing_misshapen_and_misleading_indexes_are_rebuilt(tmp_path):
    segment = filled(tmp_path)
    segment.seal()
    entries, times = segment.offset_index.raw_entries(), segment.time_index.raw_entries()
    segment.close()
    index = tmp_path / "00000000000000000100.index"
    for damage in (index.unlink, lambda: index.write_bytes(b"x" * 9), lambda: astray(index)):
        damage()
        again = reopened(tmp_path, segment.size)
        assert [header.base_offset for _, header in filter(None, [again.locate(130)])] == [130]
        assert again.offset_index.raw_entries() == entries
        assert again.time_index.raw_entries() == times
        again.close()


def astray(index) -> None:
    contents = bytearray(index.read_bytes())
    for entry in range(0, len(contents), 8):
        contents[entry + 7] ^= 1
    index.write_bytes(contents)


def test_truncation_drops_the_batch_of_the_offset_and_what_indexes_say_of_it(tmp_path):
    segment = filled(tmp_path)
    size = segment.size // 40
    assert segment.truncate_to(110) == 30 * size
    assert segment.next_offset() == 110
    assert segment.largest.timestamp == 1009
    assert segment.offset_index.last.offset == 108
    assert segment.locate(110) is None


def test_a_read_holds_at_least_one_batch_if_asked_to(tmp_path):
    segment = filled(tmp_path)
    size = segment.size // 40
    whole = segment.read(105, 1, segment.size, min_one=True)
    part = segment.read(105, 1, segment.size, min_one=False)
    assert whole is not None
    assert part is not None
    assert (whole[0].position, whole[0].size) == (5 * size, size)
    assert headers_of(whole[0].read())[0].base_offset == 105
    assert part[0].size == 1


def test_a_read_ends_where_it_must(tmp_path):
    segment = filled(tmp_path)
    found = segment.read(105, 10_000, 300, min_one=True)
    assert found is not None
    assert found[0].size == max(0, 300 - found[0].position)


def test_a_deleted_segment_leaves_nothing(tmp_path):
    segment = filled(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    segment.change_suffix(".deleted")
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.deleted" for name in names}
    segment.delete()
    assert list(tmp_path.iterdir()) == []


def test_a_last_timestamp_that_its_batch_does_not_have_is_not_accepted(tmp_path):
    segment = filled(tmp_path)
    segment.seal()
    segment.close()
    index = tmp_path / "00000000000000000100.timeindex"
    whole = index.read_bytes()
    index.write_bytes(whole[:-12] + (7).to_bytes(8, "big") + whole[-4:])
    assert reopened(tmp_path, segment.size).largest_timestamp == 1039
    assert index.read_bytes() == whole


def test_an_index_is_rebuilt_up_to_a_batch_whose_offset_cannot_be_in_the_segment(tmp_path):
    segment = filled(tmp_path)
    segment.seal()
    found = segment.locate(130)
    assert found is not None
    segment.log.write_at(found[0], (1 << 40).to_bytes(8, "big"))
    segment.rebuild_indexes()
    assert segment.largest_timestamp == 1029


def test_a_segment_with_more_entries_than_a_new_setting_allows_can_be_sealed(tmp_path):
    segment = filled(tmp_path)
    entries = segment.offset_index.raw_entries()
    segment.close()
    small = LogSettings(index_interval_bytes=100, segment_index_bytes=24)
    again = Segment(FILES, str(tmp_path), 100, small, size=segment.size, now_ms=0)
    again.activate()
    assert again.has_full_index
    data = batch(140, (b"late",), 5_000)
    again.append(data, headers_of(data))
    again.seal()
    assert again.offset_index.raw_entries()[: len(entries)] == entries
    assert again.time_index.last == (5_000, 140)


@pytest.mark.parametrize("has_index", [True, False])
def test_whole_batches_behind_damage_are_found_and_only_the_lost_one_is_refused(
    tmp_path, has_index
):
    segment = filled(tmp_path)
    positions = [position for position, _ in segment.batches()]
    segment.seal()
    segment.close()
    path = tmp_path / f"{100:020d}.log"
    contents = bytearray(path.read_bytes())
    damaged = 17
    contents[positions[damaged] + 8] ^= 64  # the length
    path.write_bytes(contents)
    if not has_index:
        (tmp_path / f"{100:020d}.index").unlink()
    again = reopened(tmp_path, len(contents))
    for number, position in enumerate(positions):
        if number == damaged:
            with pytest.raises(UnsoundBatchError, match=f"at byte {position} a batch claims"):
                again.locate(100 + number)
        else:
            found = again.locate(100 + number)
            assert found is not None
            assert found[0] == position
