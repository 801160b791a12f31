"""A piece of a segment that an answer carries: from the disk to the socket without passing us."""

from __future__ import annotations

from moldau.platform.ports.files import File
from moldau.platform.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FileSlice:
    """`size` bytes of a file; the last batch in it may be cut off, which readers expect."""

    file: File
    position: int
    size: int

    def __len__(self) -> int:
        return self.size

    def read(self) -> bytes:
        """The bytes themselves, for readers that cannot use `sendfile`."""
        return self.file.read_at(self.position, self.size)
