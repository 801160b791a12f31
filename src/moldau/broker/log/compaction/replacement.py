"""Compaction's last step: new segments take the place of old ones, whatever crashes in between.

    1  the new files are complete and synced under `.cleaned`      crash: they are removed
    2  they are renamed to `.swap`, from the last to the first     crash: a `.cleaned` left over
                                                                   marks this as half done
    3  the old files are renamed to `.deleted`                     crash: the swap is completed
    4  `.swap` is taken off                                        crash: the swap is completed

`Segment.change_suffix` syncs the directory where the order matters. Leftovers are tidied up by
`leftovers.py` before the log is opened. The state of producers and the leader epochs stay as they
are: compaction changes no offset.

Between compacted segments there may be gaps, and recovery takes a gap for a lost file in logs that
are not compacted. So the caller compacts only below the recovery point of the last checkpoint.
"""

from __future__ import annotations

from collections.abc import Sequence

from moldau.broker.log.log_state import LogState
from moldau.broker.log.segment.file_names import DELETED, SWAP, TRANSACTION_INDEX
from moldau.broker.log.segment.segment import Segment
from moldau.broker.log.truncation import Removal


def _claim_transaction_index(state: LogState, segment: Segment) -> None:
    """Where the old one has a transaction index the new one has too, be it empty.

    So, when the switch is completed, a `.txnindex` without its `.swap` is the new one.
    """
    replaced = state.segments.get(segment.base_offset)
    if replaced is not None and len(replaced.transaction_index):
        path = segment.path(TRANSACTION_INDEX)
        state.files.open(path, create=True).close()


def replace_segments(state: LogState, new: Sequence[Segment], old: Sequence[Segment]) -> Removal:
    """Put `new`, sealed `.cleaned` segments in order, where `old` are."""
    assert state.active not in old, "the active segment is never compacted"
    for segment in new:
        _claim_transaction_index(state, segment)
        segment.sync()
    state.sync_names()
    for segment in reversed(new):
        segment.change_suffix(SWAP)
        state.sync_names()
    for segment in old:
        state.segments.remove(segment)
    for segment in new:
        state.segments.add(segment)
    for segment in old:
        segment.change_suffix(DELETED)
    for segment in new:
        segment.change_suffix("")
    state.sync_names()
    state.high_watermark_place = None
    bases = {segment.base_offset for segment in new}
    gone = [segment for segment in old if segment.base_offset not in bases]
    marked = (state.producers.snapshots.mark_deleted(segment.base_offset) for segment in gone)
    return Removal(state.files, tuple(old), tuple(path for path in marked if path is not None))
