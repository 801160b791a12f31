"""The virtual disk: a tree of nodes, a count of moments, and the names that are not durable yet.

It holds paths, names and moments. What may fail is in `disk_faults`, what a crash may leave is in
`disk_crash`, and `files` dresses it as the Files port.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from moldau.errors import FileMissingError, StorageError
from moldau.platform.simulated.disk_contents import Contents
from moldau.platform.simulated.disk_nodes import (
    CHANGES_MAX,
    DirectoryNode,
    Entry,
    FileNode,
    NameChange,
    Node,
    put_entry,
)


class Disk:
    """Nodes under one root, and the changes of names since they were last made durable."""

    def __init__(self) -> None:
        self.root = DirectoryNode(0, 0)
        self.name_changes: list[NameChange] = []
        self.moment = 0
        self.before_barrier: Callable[[], None] | None = None
        """Called before a sync takes effect: the last chance to see what a crash would leave."""
        self._nodes_made = 0

    def __repr__(self) -> str:
        return f"<Disk at moment {self.moment}, {len(self.name_changes)} unsynced names>"

    # Finding.

    def find(self, path: str) -> Node | None:
        node: Node = self.root
        for name in _names(path):
            if not isinstance(node, DirectoryNode) or name not in node.entries:
                return None
            node = node.entries[name]
        return node

    def directory(self, path: str) -> DirectoryNode:
        """The directory at `path`, or the error that a system would give."""
        node = self.find(path)
        if node is None:
            raise FileMissingError(path, "there is no such file or directory")
        if not isinstance(node, DirectoryNode):
            raise FileMissingError(path, "a part of the path is a file")
        return node

    def place(self, path: str) -> tuple[DirectoryNode, str]:
        """The directory that holds, or would hold, the last name of `path`."""
        parent, _, name = path.rstrip("/").rpartition("/")
        assert name, "the root has no name"
        return self.directory(parent), name

    def files(self) -> Iterator[tuple[str, FileNode]]:
        """Every file with its path, in the order of the paths."""
        yield from _files_below(self.root, "")

    # Changing.

    def next_moment(self) -> int:
        self.moment += 1
        return self.moment

    def begin_barrier(self) -> None:
        if self.before_barrier is not None:
            self.before_barrier()
        self.next_moment()

    def add_file(self, path: str, now_ms: int) -> FileNode:
        directory, name = self.place(path)
        node = FileNode(self._next_number(), Contents(), now_ms)
        self._change(f"create {path}", node, Entry(directory, name, node))
        return node

    def add_directory(self, path: str, now_ms: int) -> None:
        directory, name = self.place(path)
        node = DirectoryNode(self._next_number(), now_ms)
        self._change(f"make {path}", node, Entry(directory, name, node))

    def take_away(self, path: str) -> None:
        directory, name = self.place(path)
        self._change(f"remove {path}", directory.entries[name], Entry(directory, name, None))

    def rename(self, source: str, target: str) -> None:
        directory, name = self.place(source)
        node = directory.entries[name]
        gone, come = Entry(directory, name, None), Entry(*self.place(target), node)
        self._change(f"rename {source} to {target}", node, gone, come)

    def _change(self, verb: str, subject: Node, *entries: Entry) -> None:
        for entry in entries:
            put_entry(entry.directory.entries, entry)
        self.name_changes.append(NameChange(self.next_moment(), verb, entries, subject))
        if len(self.name_changes) > CHANGES_MAX:
            make_durable(self.name_changes.pop(0))

    def _next_number(self) -> int:
        self._nodes_made += 1
        return self._nodes_made

    def sync_names(self, directory: DirectoryNode) -> None:
        """Make durable every change of this directory, and those that they follow."""
        wanted: list[NameChange] = []
        for change in reversed(self.name_changes):
            if change.touches(directory) or any(later.follows(change) for later in wanted):
                wanted.append(change)
        for change in reversed(wanted):
            make_durable(change)
        self.name_changes = [change for change in self.name_changes if change not in wanted]

    def refuse_if_full_directory(self, path: str) -> None:
        node = self.find(path)
        if isinstance(node, DirectoryNode) and node.entries:
            raise StorageError(path, "the directory is not empty")


def make_durable(change: NameChange) -> None:
    for entry in change.entries:
        put_entry(entry.directory.durable, entry)


def _names(path: str) -> list[str]:
    names = [name for name in path.split("/") if name not in ("", ".")]
    assert ".." not in names, f"{path}: this disk has no way up"
    return names


def _files_below(directory: DirectoryNode, path: str) -> Iterator[tuple[str, FileNode]]:
    for name, node in sorted(directory.entries.items()):
        if isinstance(node, FileNode):
            yield f"{path}/{name}", node
        else:
            yield from _files_below(node, f"{path}/{name}")
