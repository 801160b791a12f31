"""What a stopped process left behind in a partition's directory, and what becomes of it.

    .deleted   removed: it had left the log
    .cleaned   removed: compaction had not finished it
    .swap      compaction had finished it: takes its place, and segments that begin inside of its
               range of offsets go. But where a `.cleaned` file with the same or a smaller offset
               is there too, the switch had only begun and the `.swap` is removed
    indexes    without their `.log` are removed

`.tmp` files belong to checkpoints, which replace them on their own.
"""

from __future__ import annotations

from moldau.broker.log.segment.file_names import (
    CLEANED,
    DELETED,
    LOG,
    SEGMENT_KINDS,
    SNAPSHOT,
    SWAP,
    TRANSACTION_INDEX,
    kind_of,
    offset_in_name,
)
from moldau.broker.log.segment.segment import Segment
from moldau.broker.log.settings import LogSettings
from moldau.errors import WrongKindError
from moldau.platform.ports.files import Files

_INDEXES = tuple(kind for kind in SEGMENT_KINDS if kind != LOG)


def tidy_up(
    files: Files, directory: str, settings: LogSettings, names: list[str] | None = None
) -> list[str]:
    """Finish or undo what was under way; the names that are left, sorted.

    A caller that has just listed the directory gives its names.
    """
    names = files.list(directory) if names is None else names
    if not any(name.endswith((DELETED, CLEANED, SWAP)) for name in names):
        return _without_orphans(files, directory, names)
    _remove(files, directory, [name for name in names if name.endswith(DELETED)])
    _undo_half_switched(files, directory, names)
    _complete_swaps(files, directory, settings)
    files.sync_directory(directory)
    return _without_orphans(files, directory, files.list(directory))


def refuse_directories(files: Files, directory: str) -> None:
    """`WrongKindError` where a directory has the name of a segment's file: records may be missing.

    Reported before anything is opened, since indexes are opened only when they are read.
    """
    for name in files.list_directories(directory):
        if offset_in_name(name) is not None:
            raise WrongKindError(
                f"{directory}/{name}",
                "it is a directory where a file of the log is needed; put the file in its place, "
                "or move the directory away",
            )


def _undo_half_switched(files: Files, directory: str, names: list[str]) -> None:
    """A switch that had only begun is taken back, last file first as it would have gone on."""
    cleaned = [name for name in names if name.endswith(CLEANED)]
    first_cleaned = min(map(_offset, cleaned), default=None)
    if first_cleaned is None:
        return
    swaps = [name for name in names if name.endswith(SWAP) and _offset(name) >= first_cleaned]
    _remove(files, directory, [name for name in swaps if kind_of(name, SWAP) == LOG])
    files.sync_directory(directory)
    _remove(files, directory, [name for name in swaps if kind_of(name, SWAP) != LOG] + cleaned)


def _complete_swaps(files: Files, directory: str, settings: LogSettings) -> None:
    swaps = [name for name in files.list(directory) if name.endswith(SWAP)]
    for name in swaps:
        if kind_of(name, SWAP) == LOG:
            _remove_replaced(files, directory, name, settings)
    for name in sorted(swaps, key=lambda name: kind_of(name, SWAP) == LOG):
        files.rename(f"{directory}/{name}", f"{directory}/{name.removesuffix(SWAP)}")


def _remove_replaced(files: Files, directory: str, name: str, settings: LogSettings) -> None:
    """Remove the segments that begin within the range of a `.swap`, and the old one of its name."""
    base_offset, path = _offset(name), f"{directory}/{name}"
    status = files.status(path)
    size = 0 if status is None else status.size
    segment = Segment(files, directory, base_offset, settings, size=size, now_ms=0, suffix=SWAP)
    end_offset = max(segment.next_offset(), base_offset + 1)
    segment.close()
    for other in files.list(directory):
        kind, offset = kind_of(other), _offset(other)
        if kind == TRANSACTION_INDEX and offset == base_offset:
            continue  # The new one, or about to be replaced by it: see replacement.py.
        if kind not in (None, SNAPSHOT) and base_offset <= offset < end_offset:
            files.remove(f"{directory}/{other}")


def orphans_among(names: list[str]) -> list[str]:
    """Indexes without their `.log`."""
    # hot: six names for each segment, at every start; 3 ms for 1,000 segments (CPython 3.11).
    present = {name.removesuffix(LOG) for name in names if name.endswith(LOG)}
    indexes = [name for name in names if name.endswith(_INDEXES)]
    return [
        name
        for name in indexes
        if name.partition(".")[0] not in present and kind_of(name) is not None
    ]


def _without_orphans(files: Files, directory: str, names: list[str]) -> list[str]:
    orphans = orphans_among(names)
    _remove(files, directory, orphans)
    return [name for name in names if name not in orphans] if orphans else names


def _offset(name: str) -> int:
    offset = offset_in_name(name)
    return -1 if offset is None else offset


def _remove(files: Files, directory: str, names: list[str]) -> None:
    for name in names:
        files.remove(f"{directory}/{name}")
