"""Encrypted batches in a dump: opened with the keys that the command was given.

What an encrypted batch belongs to is covered by its tag, so the partition's name is needed beside
the key. It is that of the directory, where the file still lies in it.
"""

from __future__ import annotations

from moldau.broker.log.directory.names import parse_directory_name
from moldau.broker.log.dump.found import FoundBatch
from moldau.broker.log.encryption.encrypted_batch import read_envelope
from moldau.broker.log.encryption_port import Encryption
from moldau.errors import CorruptRecordError, MoldauError
from moldau.platform.quick_dataclass import dataclass

__all__ = ["NoKeysError", "Opening", "PartitionUnknownError", "key_of", "partition_of"]


class NoKeysError(MoldauError):
    """Records are to be shown that are encrypted, and no keys are there."""


class PartitionUnknownError(MoldauError):
    """An encrypted file that lies in no partition's directory."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Decrypts encrypted batches for a dump."""

    encryption: Encryption | None = None
    """None where the command was given no keys."""
    partition: str | None = None
    """Of which partition the files are; None: of the one that their directory names."""
    directory: str = ""
    """Where files lie that are named without one."""

    def opened(self, path: str, found: FoundBatch) -> bytes:
        """The batch as its producer made it, if it is encrypted."""
        if not found.header.is_encrypted or found.header.is_control:
            return found.contents
        if self.encryption is None:
            raise NoKeysError(
                f"{path}: the batch at offset {found.header.base_offset} is encrypted"
            )
        return self.encryption.decrypt(self.partition or self._partition(path), found.contents)

    def _partition(self, path: str) -> str:
        return partition_of(path if "/" in path else f"{self.directory}/{path}")


def key_of(found: FoundBatch) -> str:
    """The id of the key that an encrypted batch needs, or `damaged`."""
    try:
        return read_envelope(found.contents, found.header).key_id
    except CorruptRecordError:
        return "damaged"


def partition_of(path: str) -> str:
    """`orders-0` of `data/orders-0/00000000000000000000.log`."""
    place = parse_directory_name(path.rpartition("/")[0].rpartition("/")[2])
    if place is None:
        raise PartitionUnknownError(f"{path} is encrypted, and lies in no partition's directory")
    return str(place.partition)
