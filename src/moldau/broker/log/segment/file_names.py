"""Names of the files of a partition: twenty digits of an offset and what the file is.

A suffix after the name marks what is being done with the file: `.deleted` waits to be removed,
`.cleaned` is still being written by compaction, `.swap` is complete and waits for its place.
"""

from __future__ import annotations

LOG = ".log"
OFFSET_INDEX = ".index"
TIME_INDEX = ".timeindex"
TRANSACTION_INDEX = ".txnindex"
SNAPSHOT = ".snapshot"
SEGMENT_KINDS = (LOG, OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX)

DELETED = ".deleted"
CLEANED = ".cleaned"
SWAP = ".swap"

_OFFSET_DIGITS = 20


def file_name(offset: int, kind: str, suffix: str = "") -> str:
    """The name of the file of this kind whose first (or, of snapshots, next) offset this is."""
    return f"{offset:020d}{kind}{suffix}"


def offset_in_name(name: str) -> int | None:
    """The offset that a name begins with; None where it begins otherwise."""
    digits = name[:_OFFSET_DIGITS]
    if len(digits) == _OFFSET_DIGITS and digits.isascii() and digits.isdigit():
        return int(digits)
    return None


def kind_of(name: str, suffix: str = "") -> str | None:
    """Which kind of segment file (or snapshot) the name with this suffix is; None for others."""
    if offset_in_name(name) is None or not name.endswith(suffix):
        return None
    kind = name[_OFFSET_DIGITS : len(name) - len(suffix)]
    return kind if kind in SEGMENT_KINDS or kind == SNAPSHOT else None
