"""A piece of a segment that an answer carries: from the disk to the socket without passing us."""

from __future__ import annotations

from moldau.platform.ports.files import File


class FileSlice:
    """`size` bytes of a file; the last batch in it may be cut off, which readers expect."""

    __slots__ = ("file", "position", "size")

    def __init__(self, file: File, position: int, size: int) -> None:
        self.file = file
        self.position = position
        self.size = size

    def __repr__(self) -> str:
        return f"FileSlice({self.file.path}, {self.size} bytes at {self.position})"

    def __len__(self) -> int:
        return self.size

    def read(self) -> bytes:
        """The bytes themselves, for readers that cannot use `sendfile`."""
        return self.file.read_at(self.position, self.size)
