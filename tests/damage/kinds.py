"""Kinds of damage to one partition's directory, each a change of its files while the node is down.

The directory has three segments, `FIRST`, `SECOND` and `LAST`; the last one is the active one. A
kind's name says what is changed, and where.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from moldau.protocol.records.batch import read_header
from tests.damage.contents import END_OFFSET, next_batch

FIRST, SECOND, LAST = 0, 1, 2
BEGINNING, MIDDLE, END = 0, 15, -1
"""Which batch of a segment."""
BASE_OFFSET, LENGTH_HIGH, LENGTH, EPOCH, MAGIC, DELTA_HIGH, DELTA, PAYLOAD = (
    7, 8, 11, 15, 16, 23, 26, -1,
)  # fmt: skip
"""Bytes of a batch."""
PAGE = 512

Change = Callable[[Path], None]


def files_of(directory: Path, kind: str) -> list[Path]:
    return sorted(directory.glob(f"*{kind}"))


def segment(directory: Path, place: int, kind: str = ".log") -> Path:
    """A file of one of the three segments, whether it is there or not."""
    return files_of(directory, ".log")[place].with_suffix(kind)


def batches(path: Path) -> Iterator[tuple[int, int]]:
    """Position and size of each batch."""
    contents, position = path.read_bytes(), 0
    while position < len(contents):
        size = read_header(contents, position).size
        yield position, size
        position += size


def append(tail: bytes, directory: Path) -> None:
    path = segment(directory, LAST)
    path.write_bytes(path.read_bytes() + tail)


def flip(place: int, batch: int, byte: int, mask: int, directory: Path) -> None:
    path = segment(directory, place)
    contents = bytearray(path.read_bytes())
    position, size = list(batches(path))[batch]
    contents[position + (byte % size)] ^= mask
    path.write_bytes(contents)


def shorten(place: int, batch: int, more: int, directory: Path) -> None:
    """Cut a segment so many bytes into a batch."""
    path = segment(directory, place)
    position, _ = list(batches(path))[batch]
    path.write_bytes(path.read_bytes()[: position + more])


def zero_page(place: int, directory: Path) -> None:
    path = segment(directory, place)
    contents = path.read_bytes()
    at = len(contents) // 2
    path.write_bytes(contents[:at] + bytes(PAGE) + contents[at + PAGE :])


def remove(place: int, kinds: tuple[str, ...], directory: Path) -> None:
    for path in [segment(directory, place, kind) for kind in kinds]:
        path.unlink(missing_ok=True)


def overwrite(place: int, kind: str, contents: bytes, directory: Path) -> None:
    segment(directory, place, kind).write_bytes(contents)


def remove_all(pattern: str, directory: Path) -> None:
    for path in directory.glob(pattern):
        path.unlink()


def put(name: str, contents: bytes, directory: Path) -> None:
    (directory / name).write_bytes(contents)


def put_folder(name: str, directory: Path) -> None:
    (directory / name).mkdir()
    (directory / name / "notes").write_bytes(b"notes")


def copy(source: str, target: str, directory: Path) -> None:
    shutil.copy(directory / source, directory / target)


def newest_snapshot(contents: bytes | None, directory: Path) -> None:
    path = files_of(directory, ".snapshot")[-1]
    if contents is None:
        path.unlink()
    else:
        path.write_bytes(contents)


def tear(pattern: str, directory: Path) -> None:
    """Leave half of the last file of this name."""
    path = files_of(directory, pattern)[-1]
    contents = path.read_bytes()
    path.write_bytes(contents[: len(contents) // 2])


WHOLE_SEGMENT = (".log", ".index", ".timeindex", ".txnindex")
BATCH = next_batch()
DAMAGED_BATCH = BATCH[:-1] + bytes([BATCH[-1] ^ 1])
NO_INDEX = b"\1" * 24
EPOCHS = "leader-epoch-checkpoint"
FIRST_NAME = f"{0:020d}"

KINDS: dict[str, Change] = {
    "nothing": lambda directory: None,
    # Behind the end.
    "behind the end: other bytes": partial(append, b"x" * 30),
    "behind the end: many other bytes": partial(append, b"x" * 300),
    "behind the end: zeros": partial(append, bytes(200)),
    "behind the end: half a header": partial(append, BATCH[:40]),
    "behind the end: most of a batch": partial(append, BATCH[:-1]),
    "behind the end: a batch with a wrong checksum": partial(append, DAMAGED_BATCH),
    "behind the end: a batch of old offsets": partial(append, next_batch(3)),
    # Shorter.
    "last: cut in the last batch": partial(shorten, LAST, END, 30),
    "last: without the last batch": partial(shorten, LAST, END, 0),
    "last: cut in the middle": partial(shorten, LAST, MIDDLE, 30),
    "last: cut behind a batch in the middle": partial(shorten, LAST, MIDDLE, 0),
    "last: empty": partial(overwrite, LAST, ".log", b""),
    "last: no .log": partial(remove, LAST, (".log",)),
    "last: no file": partial(remove, LAST, WHOLE_SEGMENT),
    "second: cut in the middle": partial(shorten, SECOND, MIDDLE, 30),
    "second: cut behind a batch in the middle": partial(shorten, SECOND, MIDDLE, 0),
    "second: empty": partial(overwrite, SECOND, ".log", b""),
    "second: no .log": partial(remove, SECOND, (".log",)),
    "second: no file": partial(remove, SECOND, WHOLE_SEGMENT),
    "first: cut in the middle": partial(shorten, FIRST, MIDDLE, 30),
    "first: empty": partial(overwrite, FIRST, ".log", b""),
    "first: no .log": partial(remove, FIRST, (".log",)),
    "first: no file": partial(remove, FIRST, WHOLE_SEGMENT),
    "no .log at all": partial(remove_all, "*.log"),
    "no file but partition.metadata": partial(remove_all, "[0l]*"),
    "no directory": shutil.rmtree,
    # A bit.
    "last: a bit of the last payload": partial(flip, LAST, END, PAYLOAD, 1),
    "last: a bit of a payload in the middle": partial(flip, LAST, MIDDLE, PAYLOAD, 1),
    "last: a bit of the first payload": partial(flip, LAST, BEGINNING, PAYLOAD, 1),
    "last: a small bit of the last length": partial(flip, LAST, END, LENGTH, 1),
    "last: a small bit of a length in the middle": partial(flip, LAST, MIDDLE, LENGTH, 1),
    "last: a large bit of a length in the middle": partial(flip, LAST, MIDDLE, LENGTH_HIGH, 64),
    "last: the sign of a length in the middle": partial(flip, LAST, MIDDLE, LENGTH_HIGH, 128),
    "last: a bit of a format in the middle": partial(flip, LAST, MIDDLE, MAGIC, 64),
    "last: a base offset in the middle": partial(flip, LAST, MIDDLE, BASE_OFFSET, 64),
    "last: the last base offset": partial(flip, LAST, END, BASE_OFFSET, 64),
    "last: a leader epoch in the middle": partial(flip, LAST, MIDDLE, EPOCH, 64),
    "last: the last offset delta": partial(flip, LAST, END, DELTA, 4),
    "last: the last offset delta, high": partial(flip, LAST, END, DELTA_HIGH, 64),
    "last: zeros for a page": partial(zero_page, LAST),
    "second: a bit of a payload in the middle": partial(flip, SECOND, MIDDLE, PAYLOAD, 1),
    "second: a large bit of a length": partial(flip, SECOND, MIDDLE, LENGTH_HIGH, 64),
    "second: zeros for a page": partial(zero_page, SECOND),
    "first: a bit of a payload in the middle": partial(flip, FIRST, MIDDLE, PAYLOAD, 1),
    "first: a large bit of a length": partial(flip, FIRST, MIDDLE, LENGTH_HIGH, 64),
    # Indexes.
    "last: no .index": partial(remove, LAST, (".index",)),
    "last: an .index of no whole entries": partial(overwrite, LAST, ".index", b"\1" * 13),
    "last: an .index that leads astray": partial(overwrite, LAST, ".index", NO_INDEX),
    "last: an empty .index": partial(overwrite, LAST, ".index", b""),
    "last: no .timeindex": partial(remove, LAST, (".timeindex",)),
    "last: a .timeindex of no whole entries": partial(overwrite, LAST, ".timeindex", b"\1" * 13),
    "last: a .timeindex that leads astray": partial(overwrite, LAST, ".timeindex", NO_INDEX),
    "last: no .txnindex": partial(remove, LAST, (".txnindex",)),
    "last: a .txnindex without sense": partial(overwrite, LAST, ".txnindex", b"\1" * 34),
    "first: no .index": partial(remove, FIRST, (".index",)),
    "first: an .index that leads astray": partial(overwrite, FIRST, ".index", NO_INDEX),
    "first: a .timeindex that leads astray": partial(overwrite, FIRST, ".timeindex", NO_INDEX),
    "first: no .txnindex": partial(remove, FIRST, (".txnindex",)),
    "first: a .txnindex without sense": partial(overwrite, FIRST, ".txnindex", b"\1" * 34),
    # What is written beside.
    "no newest snapshot": partial(newest_snapshot, None),
    "a newest snapshot without sense": partial(newest_snapshot, b"\1" * 60),
    "half of the newest snapshot": partial(tear, ".snapshot"),
    "no snapshot": partial(remove_all, "*.snapshot"),
    "no leader epochs": partial(remove_all, EPOCHS),
    "leader epochs without sense": partial(put, EPOCHS, b"\1\2\3\n"),
    "half of the leader epochs": partial(tear, EPOCHS),
    "no partition.metadata": partial(remove_all, "partition.metadata"),
    # What was under way.
    "a segment that was leaving": partial(
        copy, f"{FIRST_NAME}.log", f"{END_OFFSET:020d}.log.deleted"
    ),
    "a segment that was being cleaned": partial(
        copy, f"{FIRST_NAME}.log", f"{FIRST_NAME}.log.cleaned"
    ),
    "a segment that was to be swapped": partial(
        copy, f"{FIRST_NAME}.log", f"{FIRST_NAME}.log.swap"
    ),
    # What is foreign.
    "a foreign file": partial(put, "notes.txt", b"notes"),
    "a foreign folder": partial(put_folder, "notes"),
    "a .cut file": partial(put, f"{FIRST_NAME}-0000000100.cut", BATCH),
}
