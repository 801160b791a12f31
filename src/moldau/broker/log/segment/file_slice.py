"""A piece of a segment that an answer carries: from the disk to the socket without passing us."""

from __future__ import annotations

from moldau.broker.log.encryption_port import Encryption, decrypt_batches
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


class EncryptedSlice(FileSlice):
    """The same of encrypted batches, for a reader who is to see what is in them.

    They come up into memory, and a batch that is cut off is left out: nothing can be made of it.
    """

    __slots__ = ("encryption", "partition")

    def __init__(self, found: FileSlice, encryption: Encryption, partition: str) -> None:
        super().__init__(found.file, found.position, found.size)
        self.encryption = encryption
        self.partition = partition

    def read(self) -> bytes:
        """The batches as their producers made them; `KeyUnavailableError` without the key."""
        return decrypt_batches(self.encryption, self.partition, super().read())
