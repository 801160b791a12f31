"""The page cache is filled with a file that takes no disk, and no further than memory is free."""

from __future__ import annotations

from bench.versus.page_cache import LEFT_FREE_BYTES, STEP_BYTES, fill


def test_what_is_free_is_filled_by_a_file_without_blocks(tmp_path):
    path = tmp_path / "empty"
    assert fill(path, lambda: LEFT_FREE_BYTES + 2 * STEP_BYTES) == 2 * STEP_BYTES
    assert (path.stat().st_size, path.stat().st_blocks) == (2 * STEP_BYTES, 0)


def test_it_ends_as_soon_as_little_is_free(tmp_path):
    free_bytes = iter([LEFT_FREE_BYTES + 9 * STEP_BYTES, LEFT_FREE_BYTES + 1, LEFT_FREE_BYTES])
    assert fill(tmp_path / "empty", lambda: next(free_bytes)) == STEP_BYTES


def test_nothing_is_filled_where_nothing_is_free_or_no_time_is_left(tmp_path):
    assert fill(tmp_path / "empty", lambda: 0) == 0
    assert fill(tmp_path / "empty", lambda: 10 * LEFT_FREE_BYTES, longest_s=0) == 0
