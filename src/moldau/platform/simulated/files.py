"""Files in memory: the same port, the same errors, and a disk that can be cut off at any moment.

`SimulatedFiles` is deterministic: the same calls give the same bytes and errors, and time stands
still unless a clock is given. Its `disk` holds the tree; see `disk_nodes` for what is durable,
`disk_faults` for planned failures and `disk_crash` for what a crash may leave.
"""

from __future__ import annotations

from moldau.errors import (
    DiskFailedError,
    FileInUseError,
    FileMissingError,
    StorageError,
    WrongKindError,
)
from moldau.platform.buffers import Buffer
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import FileStatus
from moldau.platform.simulated.disk import Disk
from moldau.platform.simulated.disk_faults import FaultPlan
from moldau.platform.simulated.disk_nodes import DirectoryNode, FileNode, Node
from moldau.platform.system.seldom_file import SeldomHandle, SeldomHandles

DISK_SIZE = 1 << 40
"""Bytes of a disk by default: more than any test writes."""


class SimulatedFile:
    """One open file of the virtual disk."""

    __slots__ = ("_files", "_is_closed", "_node", "_path", "_read_only", "_sync_failure")

    def __init__(self, files: SimulatedFiles, path: str, node: FileNode, read_only: bool) -> None:
        self._files = files
        self._path = path
        self._node = node
        self._read_only = read_only
        self._is_closed = False
        self._sync_failure: str | None = None

    def __repr__(self) -> str:
        return f"<SimulatedFile {self._path} {self._node.contents.size} bytes>"

    @property
    def path(self) -> str:
        return self._path

    def size(self) -> int:
        return self._node.contents.size

    def read_at(self, position: int, size: int) -> bytes:
        assert not self._is_closed, f"{self._path} is used closed"
        self._files.faults.check("read_at", self._path)
        return self._node.contents.read(position, size)

    def is_cached(self, position: int, size: int) -> bool:
        return not self._files.is_cold

    def append(self, data: Buffer) -> None:
        self._write("append", self._node.contents.size, data)

    def write_at(self, position: int, data: Buffer) -> None:
        self._write("write_at", position, data)

    def _write(self, operation: str, position: int, data: Buffer) -> None:
        self._assert_writable()
        failure = self._files.faults.check_write(operation, self._path, len(data))
        size = self._node.contents.size
        written = data if failure is None else data[: failure[0]]
        if len(written):
            self._node.write(self._files.disk.next_moment(), position, written)
            self._node.modified_ms = self._files.now_ms()
        if failure is not None:
            if self._node.contents.size > size:
                self._node.resize(self._files.disk.next_moment(), size)
            raise failure[1]

    def truncate(self, size: int) -> None:
        self._assert_writable()
        self._files.faults.check("truncate", self._path)
        self._node.resize(self._files.disk.next_moment(), size)
        self._node.modified_ms = self._files.now_ms()

    def sync(self) -> None:
        assert not self._is_closed, f"{self._path} is used closed"
        if self._sync_failure is not None:
            raise DiskFailedError(self._path, self._sync_failure)
        self._files.disk.begin_barrier()
        try:
            self._files.faults.check("sync", self._path)
        except StorageError as error:
            self._node.has_failed = True
            self._sync_failure = error.reason
            raise DiskFailedError(self._path, error.reason) from error
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
        self.faults = FaultPlan()
        self.is_cold = False
        """Whether every read would wait for the disk."""
        self._clock = clock
        self._locked: set[Node] = set()
        self._seldom = SeldomHandles(self.open, open_max=1)
        """As crowded as can be: a rename of a file that is still in use is found."""

    def __repr__(self) -> str:
        return f"<SimulatedFiles {self.disk!r}>"

    def now_ms(self) -> int:
        return self._clock.now_ms() if self._clock else 0

    def open(self, path: str, *, create: bool = False, read_only: bool = False) -> SimulatedFile:
        self.faults.check("open", path)
        node = self.disk.find(path)
        if node is None and create:
            self.faults.check("create", path)
            node = self.disk.add_file(path, self.now_ms())
        if node is None:
            raise FileMissingError(path, "there is no such file or directory")
        if isinstance(node, DirectoryNode):
            raise WrongKindError(path, "it is a directory where a file is needed; move it away")
        return SimulatedFile(self, path, node, read_only)

    def open_seldom(self, path: str, *, create: bool = False) -> SeldomHandle:
        return self._seldom.open(path, create=create)

    def status(self, path: str) -> FileStatus | None:
        node = self.disk.find(path)
        if node is None:
            return None
        size = node.contents.size if isinstance(node, FileNode) else 0
        return FileStatus(size, node.modified_ms, isinstance(node, DirectoryNode))

    def list_directories(self, directory: str) -> list[str]:
        self.faults.check("list", directory)
        entries = self.disk.directory(directory).entries
        return sorted(name for name, node in entries.items() if isinstance(node, DirectoryNode))

    def list(self, directory: str) -> list[str]:
        self.faults.check("list", directory)
        return sorted(self.disk.directory(directory).entries)

    def make_directory(self, path: str) -> None:
        node = self.disk.find(path)
        if isinstance(node, FileNode):
            raise WrongKindError(path, "something of another kind has that name; move it away")
        if node is None:
            self.faults.check("make_directory", path)
            self.make_directory(path.rstrip("/").rpartition("/")[0])
            self.disk.add_directory(path, self.now_ms())

    def rename(self, source: str, target: str) -> None:
        self.faults.check("rename", source)
        node = self.disk.find(source)
        if node is None:
            raise FileMissingError(source, "there is no such file or directory")
        replaced = self.disk.find(target)
        if isinstance(replaced, DirectoryNode) and not isinstance(node, DirectoryNode):
            raise WrongKindError(source, "it is a directory where a file is needed; move it away")
        if isinstance(replaced, FileNode) and not isinstance(node, FileNode):
            raise FileMissingError(source, "a part of the path is a file")
        self.disk.refuse_if_full_directory(target)
        if replaced is not node:
            self.disk.rename(source, target)

    def remove(self, path: str) -> None:
        node = self.disk.find(path)
        if isinstance(node, DirectoryNode):
            raise WrongKindError(path, "it is a directory where a file is needed; move it away")
        if node is not None:
            self.faults.check("remove", path)
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
        self.faults.check("remove", path)
        self.disk.take_away(path)

    def set_modified(self, path: str, modified_ms: int) -> None:
        node = self.disk.find(path)
        if node is None:
            raise FileMissingError(path, "there is no such file or directory")
        node.modified_ms = modified_ms

    def make_private(self, path: str) -> None:
        if self.disk.find(path) is None:
            raise FileMissingError(path, "there is no such file or directory")

    def make_executable(self, path: str) -> None:
        if self.disk.find(path) is None:
            raise FileMissingError(path, "there is no such file or directory")

    def sync_directory(self, path: str) -> None:
        self.faults.check("sync_directory", path)
        self.disk.begin_barrier()
        self.disk.sync_names(self.disk.directory(path))

    def lock(self, path: str) -> SimulatedFileLock:
        self.faults.check("lock", path)
        self.open(path, create=True)
        node = self.disk.find(path)
        assert node is not None, "it was just opened"
        if node in self._locked:
            raise FileInUseError(path, "another process uses this directory; stop it first")
        self._locked.add(node)
        return SimulatedFileLock(self._locked, node)

    def free_bytes(self, path: str) -> int:
        self.disk.directory(path)
        return DISK_SIZE if self.faults.room is None else self.faults.room

    def total_bytes(self, path: str) -> int:
        self.disk.directory(path)
        return DISK_SIZE
