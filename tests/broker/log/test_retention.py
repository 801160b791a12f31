"""What may be deleted, on logs of plain numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.retention import DelayedRemovals, LogExtent, RetentionReason, find_expired
from moldau.broker.log.settings import UNLIMITED, LogSettings
from tests.broker.log.logs import SMALL, Bench, fill

START, SIZE, AGE = RetentionReason.START_OFFSET, RetentionReason.SIZE, RetentionReason.AGE


@dataclass
class Piece:
    """A segment as retention sees it."""

    base_offset: int
    size: int = 10
    largest_timestamp: int = 0


def log(*sizes, timestamps=None):
    """Segments of ten offsets each."""
    times = timestamps or [0] * len(sizes)
    return [
        Piece(10 * index, size, time)
        for index, (size, time) in enumerate(zip(sizes, times, strict=True))
    ]


def expired(pieces, *, start=0, high_watermark=None, now=0, **settings):
    end = 10 * len(pieces)
    extent = LogExtent(start, end if high_watermark is None else high_watermark, end)
    keep = {"retention_ms": -1, "retention_bytes": -1}
    found = find_expired(pieces, LogSettings(**(keep | settings)), extent, now)
    return [(piece.base_offset, reason) for piece, reason in found]


def test_without_limits_nothing_goes():
    assert expired(log(10, 10, 10), now=2**60) == []


def test_the_oldest_go_while_the_rest_is_large_enough():
    assert expired(log(10, 10, 10), retention_bytes=20) == [(0, SIZE)]
    assert expired(log(10, 10, 10), retention_bytes=11) == [(0, SIZE)]
    assert expired(log(10, 10, 10), retention_bytes=10) == [(0, SIZE), (10, SIZE)]
    assert expired(log(10, 10, 10), retention_bytes=30) == []


def test_a_limit_of_0_bytes_takes_the_active_segment_too():
    assert [base for base, _ in expired(log(10, 10), retention_bytes=0)] == [0, 10]


def test_segments_go_when_their_newest_record_is_too_old():
    pieces = log(10, 10, 10, timestamps=[100, 200, 300])
    assert expired(pieces, retention_ms=50, now=150) == []
    assert expired(pieces, retention_ms=50, now=151) == [(0, AGE)]
    assert expired(pieces, retention_ms=50, now=351) == [(0, AGE), (10, AGE), (20, AGE)]


def test_a_record_from_the_future_keeps_all_behind_it():
    assert expired(log(10, 10, timestamps=[10**9, 0]), retention_ms=50, now=1_000) == []


def test_an_empty_active_segment_stays():
    assert expired(log(10, 0), retention_ms=0, now=1) == [(0, AGE)]


def test_nothing_at_or_above_the_high_watermark_goes():
    assert expired(log(10, 10, 10), high_watermark=19, retention_bytes=0) == [(0, SIZE)]
    assert expired(log(10, 10), high_watermark=19, retention_bytes=0) == [(0, SIZE)]


def test_what_lies_below_the_log_start_goes_whatever_the_policy():
    compacted = frozenset({"compact"})
    pieces = log(10, 10, 10)
    assert expired(pieces, start=19, cleanup_policy=compacted) == [(0, START)]
    assert expired(pieces, start=20, cleanup_policy=compacted) == [(0, START), (10, START)]
    assert expired(pieces, start=30, cleanup_policy=compacted) == [(0, START), (10, START)]


def test_a_compacted_log_keeps_its_age_and_size_unless_it_deletes_too():
    pieces = log(10, 10)
    limits = {"retention_ms": 0, "retention_bytes": 0, "now": 5}
    assert expired(pieces, cleanup_policy=frozenset({"compact"}), **limits) == []
    both = frozenset({"compact", "delete"})
    assert len(expired(pieces, cleanup_policy=both, **limits)) == 2


@given(
    sizes=st.lists(st.integers(1, 30), min_size=1, max_size=8),
    times=st.lists(st.integers(0, 100), min_size=8, max_size=8),
    start=st.integers(0, 80),
    high_watermark=st.integers(0, 80),
    retention=st.tuples(st.integers(-1, 120), st.integers(-1, 100)),
)
def test_it_agrees_with_deleting_one_segment_after_another(
    sizes, times, start, high_watermark, retention
):
    pieces = log(*sizes, timestamps=times[: len(sizes)])
    found = expired(
        pieces, start=start, high_watermark=high_watermark, now=100,
        retention_bytes=retention[0], retention_ms=retention[1],
    )  # fmt: skip
    assert [base for base, _ in found] == _one_by_one(pieces, start, high_watermark, retention)


def _one_by_one(pieces, start, high_watermark, retention):
    gone = []
    rest = list(pieces)
    end = 10 * len(pieces)
    for pass_ in ("start", "size", "age"):
        while rest:
            following = rest[1].base_offset if len(rest) > 1 else end
            total = sum(piece.size for piece in rest)
            goes = {
                "start": len(rest) > 1 and following <= start,
                "size": 0 <= retention[0] <= total - rest[0].size,
                "age": 0 <= retention[1] < 100 - rest[0].largest_timestamp,
            }[pass_]
            if following > high_watermark or not goes:
                break
            gone.append(rest.pop(0).base_offset)
    return gone


class Recorded:
    """A removal that notes when it is carried out."""

    def __init__(self, name: str, removed: list[str]) -> None:
        self.name = name
        self.removed = removed

    def remove(self) -> None:
        self.removed.append(self.name)


def test_removals_wait_for_their_time():
    removed: list[str] = []
    waiting = DelayedRemovals()
    waiting.add(Recorded("a", removed), now_ms=0, delay_ms=60)
    waiting.add(Recorded("b", removed), now_ms=10, delay_ms=20)
    assert (waiting.run_due(29), removed) == (0, [])
    assert (waiting.run_due(30), removed) == (1, ["b"])
    assert (waiting.run_due(60), removed) == (1, ["b", "a"])
    assert len(waiting) == 0


def test_what_has_expired_leaves_the_log_and_reports_why():
    bench = Bench(replace(SMALL, retention_bytes=1_000, retention_ms=UNLIMITED))
    log = bench.open()
    fill(log, 30)
    log.high_watermark = log.log_end_offset
    expired = log.delete_expired()
    assert expired is not None
    assert set(expired.reasons) == {RetentionReason.SIZE}
    assert log.log_start_offset == log.segments.first.base_offset > 0
    expired.removal.remove()
    assert not bench.names(".deleted")
    assert log.delete_expired() is None
