"""How a log reaches encryption; a node without keys has `NoKeys`."""

from __future__ import annotations

from typing import ClassVar, Final, Protocol

from moldau.errors import MoldauError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import BatchHeader, iterate_batches, read_header
from moldau.protocol.wire.error_codes import ErrorCode


class KeyUnavailableError(MoldauError):
    """A key that is needed cannot be had now; nothing is lost, and nothing is stored without it."""

    code: ClassVar[int] = ErrorCode.KAFKA_STORAGE_ERROR


class Encryption(Protocol):
    """Whole batches in, whole batches out; `partition` is its name, as `orders-0`."""

    def encrypt(
        self, partition: str, key_name: str, batch: Buffer, header: BatchHeader
    ) -> bytearray:
        """The batch as it goes to the disk, or `KeyUnavailableError`."""
        ...

    def decrypt(self, partition: str, batch: Buffer) -> bytes:
        """The batch as its producer made it.

        `KeyUnavailableError` where the key is not there, `CorruptRecordError` where the bytes are
        not those that were written.
        """
        ...


class NoKeys:
    """The keys of a node that was given none."""

    def encrypt(
        self, partition: str, key_name: str, batch: Buffer, header: BatchHeader
    ) -> bytearray:
        raise KeyUnavailableError(
            f"{partition} is to be encrypted with key {key_name!r}, and this node has no keys: "
            f"give it moldau.encryption.at.rest.key.file"
        )

    def decrypt(self, partition: str, batch: Buffer) -> bytes:
        raise KeyUnavailableError(
            f"{partition} is encrypted from offset {read_header(batch).base_offset} on, and this "
            f"node has no keys: give it moldau.encryption.at.rest.key.file"
        )


NO_KEYS: Final = NoKeys()


def decrypt_batches(encryption: Encryption, partition: str, records: Buffer) -> bytes:
    """All whole batches; those that are not encrypted as they are, one that is cut off left out."""
    return b"".join(
        encryption.decrypt(partition, batch) if read_header(batch).is_encrypted else batch
        for batch in iterate_batches(records)
    )
