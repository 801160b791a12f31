"""What can go wrong, as one tree.

    MoldauError
    ├── DecodeError          bytes that are no message: truncated, absurd counts, wrong values
    ├── EncodeError          a value that its type or version cannot carry
    ├── CorruptRecordError   a record batch or index that fails its checksum or its rules
    ├── InvalidRecordError   well-formed records that the broker's rules refuse
    ├── KafkaError           a request is refused with one of Kafka's error codes
    ├── KerberosError        the library of Kerberos refuses
    ├── MissingExtraError    a package of an optional extra is not installed
    ├── NetworkError         no way to that address, or no room to listen on it
    │   ├── AddressRefusesError  the host answers, and no process listens on that port
    │   └── HostUnknownError     the name of the host stands for no address
    └── StorageError         the disk failed or refused
        ├── FileMissingError
        ├── PermissionDeniedError
        ├── DiskFullError
        ├── FileInUseError   another process holds the lock
        ├── WrongKindError   a directory where a file is needed, a link that loops; the disk is well
        └── DiskFailedError  EIO and its kin: never retried, the directory goes offline

These are the world's errors. Ours are assertions. Every message is one sentence that names the
thing, the cause and, where there is one, the remedy: it is shown to people as it is.
"""

from __future__ import annotations


class MoldauError(Exception):
    """The root: whatever we raise on purpose."""


class DecodeError(MoldauError):
    """The bytes are not a message of the expected kind and version."""


class EncodeError(MoldauError):
    """The value cannot be written: out of range, or set in a version that lacks the field."""


class CorruptRecordError(MoldauError):
    """Stored or received records fail a checksum or contradict themselves."""


class InvalidRecordError(MoldauError):
    """The records are whole, but the rules of the topic or of the producer refuse them."""


class MissingExtraError(MoldauError, ImportError):
    """A part of Moldau needs packages that the bare install leaves out."""


class StorageError(MoldauError):
    """The disk refused; `path` names the file."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class FileMissingError(StorageError):
    """No such file or directory."""


class PermissionDeniedError(StorageError):
    """The process may not do this, or the file system is read-only."""


class DiskFullError(StorageError):
    """No room left on the device, or the quota is used up."""


class FileInUseError(StorageError):
    """Another process holds the lock on this file."""


class WrongKindError(StorageError):
    """What has that name is of another kind, or a link that loops; the disk itself is well."""


class DiskFailedError(StorageError):
    """The device failed; what was written may or may not be there."""


class NetworkError(MoldauError):
    """The network refused; `address` is where."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(f"{address}: {reason}")
        self.address = address
        self.reason = reason


class AddressRefusesError(NetworkError):
    """The host refuses the connection: no process listens on that port."""


class HostUnknownError(NetworkError):
    """The name of the host stands for no address."""


class KerberosError(MoldauError):
    """The library of Kerberos refuses; its words, which hold no secret."""


class KafkaError(MoldauError):
    """A request, or a piece of one, is refused with one of Kafka's error codes."""

    def __init__(self, code: int, message: str | None = None) -> None:
        super().__init__(message or f"refused with error code {code}")
        self.code = code
        self.message = message
