"""Files in memory: the same port, the same errors, and a disk that can be cut off at any moment.

`SimulatedFiles` is deterministic: the same calls give the same bytes and errors, and time stands
still unless a clock is given. Its `disk` holds the tree; see `disk_nodes` for what is durable and
`disk_crash` for what a crash may leave.
"""

from __future__ import annotations

from moldau.buffers import Buffer
from moldau.errors import FileInUseError, FileMissingError, StorageError
from moldau.ports.clock import Clock
from moldau.ports.files import FileStatus
from moldau.simulated.disk import Disk
from moldau.simulated.disk_nodes import DirectoryNode, FileNode, Node

DISK_SIZE = 1 << 40
"""Bytes of a disk that is not told otherwise: more than any test writes."""


class SimulatedFile:
    """One open file of the virtual disk."""

    __slots__ = ("_files", "_is_closed", "_node", "_path", "_read_only")

    def __init__(self, files: SimulatedFiles, path: str, node: FileNode, read_only: bool) -> None:
        self._files = files
        self._path = path
        self._node = node
        self._read_only = read_only
        self._is_closed = False

    def __repr__(self) -> str:
        return f"<SimulatedFile {self._path} {self._node.contents.size} bytes>"

    @property
    def path(self) -> str:
        return self._path

    def size(self) -> int:
        return self._node.contents.size

    def read_at(self, position: int, size: int) -> bytes:
        assert not self._is_closed, f"{self._path} is used closed"
        return self._node.contents.read(position, size)

    def append(self, data: Buffer) -> None:
        self.write_at(self._node.contents.size, data)

    def write_at(self, position: int, data: Buffer) -> None:
        self._assert_writable()
        self._node.write(self._files.disk.next_moment(), position, data)
        self._node.modified_ms = self._files.now_ms()

    def truncate(self, size: int) -> None:
        self._assert_writable()
        self._node.resize(self._files.disk.next_moment(), size)
        self._node.modified_ms = self._files.now_ms()

    def sync(self) -> None:
        assert not self._is_closed, f"{self._path} is used closed"
        self._files.disk.next_moment()
        self._node.sync()

    def descriptor(self) -> int | None:
        return None

    def close(self) -> None:
        self._is_closed = True

    def _assert_writable(self) -> None:
        assert not self._is_closed, f"{self._path} is used closed"
        assert not self._read_only, f"{self._path} is written to though read-only"


class SimulatedFileLock:
    """A lock that lasts until it is released or the machine stops."""

    __slots__ = ("_locked", "_node")

    def __init__(self, locked: set[Node], node: Node) -> None:
        self._locked = locked
        self._node = node

    def release(self) -> None:
        self._locked.discard(self._node)


class SimulatedFiles:
    """The file system of one virtual machine."""

    def __init__(self, clock: Clock | None = None, disk: Disk | None = None) -> None:
        self.disk = disk or Disk()
        self._clock = clock
        self._locked: set[Node] = set()

    def __repr__(self) -> str:
        return f"<SimulatedFiles {self.disk!r}>"

    def now_ms(self) -> int:
        return self._clock.now_ms() if self._clock else 0

    def open(self, path: str, *, create: bool = False, read_only: bool = False) -> SimulatedFile:
        node = self.disk.find(path)
        if node is None and create:
            node = self.disk.add_file(path, self.now_ms())
        if node is None:
            raise FileMissingError(path, "there is no such file or directory")
        if isinstance(node, DirectoryNode):
            raise StorageError(path, "it is a directory where a file is needed")
        return SimulatedFile(self, path, node, read_only)

    def status(self, path: str) -> FileStatus | None:
        node = self.disk.find(path)
        if node is None:
            return None
        size = node.contents.size if isinstance(node, FileNode) else 0
        return FileStatus(size, node.modified_ms, isinstance(node, DirectoryNode))

    def list(self, directory: str) -> list[str]:
        return sorted(self.disk.directory(directory).entries)

    def make_directory(self, path: str) -> None:
        node = self.disk.find(path)
        if isinstance(node, FileNode):
            raise StorageError(path, "something of another kind has that name; move it away")
        if node is None:
            self.make_directory(path.rstrip("/").rpartition("/")[0])
            self.disk.add_directory(path, self.now_ms())

    def rename(self, source: str, target: str) -> None:
        node = self.disk.find(source)
        if node is None:
            raise FileMissingError(source, "there is no such file or directory")
        replaced = self.disk.find(target)
        if isinstance(replaced, DirectoryNode) and not isinstance(node, DirectoryNode):
            raise StorageError(source, "it is a directory where a file is needed")
        if isinstance(replaced, FileNode) and not isinstance(node, FileNode):
            raise FileMissingError(source, "a part of the path is a file")
        self.disk.refuse_if_full_directory(target)
        if replaced is not node:
            self.disk.rename(source, target)

    def remove(self, path: str) -> None:
        node = self.disk.find(path)
        if isinstance(node, DirectoryNode):
            raise StorageError(path, "it is a directory where a file is needed")
        if node is not None:
            self.disk.take_away(path)

    def remove_tree(self, path: str) -> None:
        node = self.disk.find(path)
        if isinstance(node, FileNode):
            raise FileMissingError(path, "a part of the path is a file")
        if node is None:
            return
        for name, child in sorted(node.entries.items()):
            if isinstance(child, DirectoryNode):
                self.remove_tree(f"{path}/{name}")
            else:
                self.remove(f"{path}/{name}")
        self.disk.take_away(path)

    def set_modified(self, path: str, modified_ms: int) -> None:
        node = self.disk.find(path)
        if node is None:
            raise FileMissingError(path, "there is no such file or directory")
        node.modified_ms = modified_ms

    def sync_directory(self, path: str) -> None:
        self.disk.next_moment()
        self.disk.sync_names(self.disk.directory(path))

    def lock(self, path: str) -> SimulatedFileLock:
        self.open(path, create=True)
        node = self.disk.find(path)
        assert node is not None, "it was just opened"
        if node in self._locked:
            raise FileInUseError(path, "another process uses this directory; stop it first")
        self._locked.add(node)
        return SimulatedFileLock(self._locked, node)

    def free_bytes(self, path: str) -> int:
        self.disk.directory(path)
        return DISK_SIZE
