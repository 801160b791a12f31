"""When the active segment ends and a new one begins.

A segment rolls before an append that would make it larger than `segment.bytes`, that comes later
than `segment.ms` after its first batch (by the timestamps of records; by the clock where they have
none), that would need an index entry where an index is full, or whose last offset is more than
2³¹-1 above its base; and where encryption at rest begins or ends, so that the first batch that a
reader meets shows how to read those behind it.

The new segment is named by the log's end. The state of producers is written down under the same
number, so that recovery can begin there. Nothing is synced here: `flush_due` notes that the segment
before waits for it. There are two exceptions. A segment whose records are all synced takes its
indexes along, for no recovery would visit it again. And a log that is compacted syncs all of it:
only there are gaps between segments legal, so recovery could not see that a tail was lost.
"""

from __future__ import annotations

from moldau.broker.log.log_state import LogState
from moldau.broker.log.segment.segment import MAX_SEGMENT_BYTES, Segment


# hot: once for each append; 0.4 µs (CPython 3.11).
def must_roll(
    state: LogState,
    incoming_bytes: int,
    last_offset: int,
    max_timestamp: int,
    now_ms: int,
    is_encrypted: bool = False,
) -> bool:
    """Whether a batch of this size, last offset and timestamp needs a new segment."""
    segment = state.active
    size = segment.size + incoming_bytes
    if size > state.segment_bytes or size > MAX_SEGMENT_BYTES:
        return True
    if segment.size:
        first_timestamp = segment.first_timestamp
        if segment.is_encrypted is not is_encrypted:
            return True
        age_ms = now_ms - segment.created_ms
        if first_timestamp >= 0:
            age_ms = max_timestamp - first_timestamp
        if age_ms > state.segment_ms - state.jitter_ms:
            return True
    return segment.has_full_index or not segment.has_room_for_offset(last_offset)


def roll(state: LogState, now_ms: int, base_offset: int | None = None) -> Segment:
    """Begin a new segment at the end of the log, or later where offsets leave a gap."""
    base_offset = state.log_end_offset if base_offset is None else base_offset
    assert base_offset >= state.log_end_offset, f"{state.directory}: {base_offset} is in the log"
    previous = state.active
    if previous.base_offset == base_offset:
        assert previous.size == 0, f"{previous} would be rolled onto itself"
        return previous
    previous.seal()
    _secure(state, previous)
    state.producers.map_end_offset = base_offset
    snapshot = state.producers.take_snapshot(sync=False)
    if snapshot is not None:
        state.unsynced_snapshots.append(snapshot)
    return begin_segment(state, base_offset, now_ms)


def begin_segment(state: LogState, base_offset: int, now_ms: int) -> Segment:
    """Make an empty segment and append to it from now on."""
    state.name_changes += 1
    segment = Segment.create(
        state.files, state.directory, base_offset, state.settings, now_ms=now_ms
    )
    state.segments.add(segment)
    state.active = segment
    draw_jitter(state)
    return segment


def draw_jitter(state: LogState) -> None:
    """Choose how much earlier the active segment rolls."""
    bound = min(state.settings.segment_jitter_ms, state.settings.segment_ms)
    state.jitter_ms = state.random.randrange(0, bound) if bound > 0 else 0


def _secure(state: LogState, previous: Segment) -> None:
    if state.settings.compacts and state.recovery_point < state.log_end_offset:
        previous.sync()
        if not state.names_synced:
            state.sync_names()
    elif state.recovery_point >= state.log_end_offset:
        previous.sync_indexes()
