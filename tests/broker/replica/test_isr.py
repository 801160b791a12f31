"""The arithmetic of followers."""

from __future__ import annotations

import pytest

from moldau.broker.replica.isr import (
    FollowerProgress,
    effective_min_isr,
    lagging,
    may_join,
    replicated_up_to,
)

LAG_MAX_MS = 30_000


def at(end: int, caught_up_ms: int = 0) -> FollowerProgress:
    return FollowerProgress(log_end_offset=end, caught_up_ms=caught_up_ms)


@pytest.mark.parametrize(
    ("isr", "joining", "expected"), [((1, 2, 3), (), 4), ((1, 2), (), 7), ((1, 2), (3,), 4)]
)
def test_the_slowest_that_counts_decides(isr, joining, expected):
    assert replicated_up_to(9, {2: at(7), 3: at(4)}, isr, joining) == expected


def test_nothing_is_replicated_beyond_the_leader():
    assert replicated_up_to(9, {2: at(12)}, (1, 2)) == 9


def test_who_is_behind_for_long_lags_and_who_has_all_never_does():
    followers = {2: at(9), 3: at(5, caught_up_ms=60_000), 4: at(5, caught_up_ms=10_000)}
    assert lagging((1, 2, 3, 4), followers, 9, 61_000, LAG_MAX_MS) == [4]


def test_a_fetch_at_the_end_of_the_fetch_before_was_caught_up_then():
    progress = FollowerProgress()
    progress.note_fetch(0, 0, 5, 1_000, 7)
    progress.note_fetch(5, 0, 9, 2_000, 7)
    assert progress.caught_up_ms == 1_000
    progress.note_fetch(9, 0, 9, 3_000, 7)
    assert progress.caught_up_ms == 3_000


@pytest.mark.parametrize(("end", "fits"), [(4, False), (5, False), (6, True)])
def test_joining_needs_what_is_committed_and_what_the_leader_began_with(end, fits):
    assert may_join(at(end), high_watermark=5, epoch_start_offset=6) is fits


@pytest.mark.parametrize(("wanted", "replicas", "least"), [(2, 3, 2), (2, 1, 1), (0, 3, 1)])
def test_a_minimum_fits_the_number_of_replicas(wanted, replicas, least):
    assert effective_min_isr(wanted, replicas) == least
