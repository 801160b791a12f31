"""Files and directories of the virtual disk, each with what it is and what would survive.

A node is what POSIX calls an inode: a name in a directory leads to it, and an open file keeps it.
Beside its present state it carries its durable state (what the last sync put down) and the changes
in between, in order, each with the moment at which it was made. Durable state plus all changes is
the present state; what a crash may leave of the changes is decided in `disk_crash`.

CHANGES_MAX bounds that memory: the oldest changes become durable by themselves, as the kernel's
own writing-back makes them on a real machine.
"""

from __future__ import annotations

from typing import NamedTuple

from moldau.platform.buffers import Buffer
from moldau.platform.simulated.disk_contents import Contents

CHANGES_MAX = 4096
"""Unsynced changes remembered per file and for all names; far above what a test does between two
barriers, so that only long simulations ever meet it."""


class DataChange(NamedTuple):
    """One write or resize of one file."""

    moment: int
    size: int
    """Of the file afterwards."""
    cut_from: int | None
    """The first page that a shrinking freed; None where nothing was freed."""
    pages: dict[int, bytes]
    """The pages that it rewrote, whole, as they were afterwards."""

    def apply_to(self, contents: Contents) -> None:
        if self.cut_from is not None:
            contents.drop_pages(self.cut_from)
        contents.pages.update(self.pages)
        contents.size = self.size


class FileNode:
    """A file: its present contents, its durable contents, and the changes between them."""

    __slots__ = ("changes", "contents", "durable", "has_failed", "modified_ms", "number")

    def __init__(self, number: int, contents: Contents, modified_ms: int) -> None:
        self.number = number
        self.contents = contents
        self.durable = contents.copy()
        self.changes: list[DataChange] = []
        self.modified_ms = modified_ms
        self.has_failed = False
        """A sync failed: no later one makes anything durable, whatever it returns."""

    def __repr__(self) -> str:
        return f"<file {self.number}: {self.contents.size} bytes, {len(self.changes)} unsynced>"

    def write(self, moment: int, position: int, data: Buffer) -> None:
        pages = self.contents.write(position, data)
        self._remember(DataChange(moment, self.contents.size, None, pages))

    def resize(self, moment: int, size: int) -> None:
        cut_from = self.contents.page_after(size) if size < self.contents.size else None
        pages = self.contents.resize(size)
        self._remember(DataChange(moment, size, cut_from, pages))

    def _remember(self, change: DataChange) -> None:
        self.changes.append(change)
        if len(self.changes) > CHANGES_MAX:
            self.changes.pop(0).apply_to(self.durable)

    def sync(self) -> None:
        if self.has_failed:
            return
        for change in self.changes:
            change.apply_to(self.durable)
        self.changes.clear()


class DirectoryNode:
    """A directory: its names now, and the names that would be found after a crash."""

    __slots__ = ("durable", "entries", "modified_ms", "number")

    def __init__(self, number: int, modified_ms: int) -> None:
        self.number = number
        self.entries: dict[str, Node] = {}
        self.durable: dict[str, Node] = {}
        self.modified_ms = modified_ms

    def __repr__(self) -> str:
        return f"<directory {self.number}: {len(self.entries)} names>"


Node = FileNode | DirectoryNode


class Entry(NamedTuple):
    """One name of one directory, and the node behind it; None when the name goes."""

    directory: DirectoryNode
    name: str
    node: Node | None


class NameChange(NamedTuple):
    """Names that came, went or moved together: all of it survives a crash, or nothing."""

    moment: int
    verb: str
    entries: tuple[Entry, ...]
    subject: Node
    """What got, lost or changed its name."""

    def follows(self, earlier: NameChange) -> bool:
        """Whether this one cannot have happened without the other."""
        return self.subject is earlier.subject or any(
            mine.directory is theirs.directory and mine.name == theirs.name
            for mine in self.entries
            for theirs in earlier.entries
        )

    def touches(self, directory: DirectoryNode) -> bool:
        return any(entry.directory is directory for entry in self.entries)


def put_entry(entries: dict[str, Node], entry: Entry) -> None:
    if entry.node is None:
        entries.pop(entry.name, None)
    else:
        entries[entry.name] = entry.node
