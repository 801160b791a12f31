"""Key-encryption keys in a file of the node: a line for each version of a key.

    # name.version = 32 random bytes in base64
    orders.1 = k2F1…
    orders.2 = 0b9c…

The version with the highest number wraps; the others unwrap what they have wrapped before. A line
that is added counts within a second, for the file is looked at again when its time or size has
changed. Where it has become unreadable or wrong, the keys that are known stay.
"""

from __future__ import annotations

import binascii
import logging
import re
from collections.abc import Mapping
from typing import ClassVar, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from moldau.broker.log.encryption.encrypted_batch import NONCE_SIZE, TAG_SIZE
from moldau.broker.log.encryption_port import KeyUnavailableError
from moldau.errors import CorruptRecordError, MoldauError
from moldau.platform.ports.files import Files, FileStatus, read_whole
from moldau.platform.ports.randomness import Random
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["KeyFile", "KeyFileError"]

KEY_BYTES: Final = 32
_LINE: Final = re.compile(r"([A-Za-z0-9_-]{1,100})\.([1-9][0-9]{0,8})\s*=\s*(\S+)")

_logger: Final = logging.getLogger(__name__)


class KeyFileError(MoldauError):
    """The file has something else than keys."""

    code: ClassVar[int] = ErrorCode.KAFKA_STORAGE_ERROR


class KeyFile:
    """A key manager; see `keyring.KeyManager`."""

    def __init__(self, files: Files, path: str, random: Random) -> None:
        self._files = files
        self._path = path
        self._random = random
        self._status = files.status(path)
        self._keys = self._read()

    def __repr__(self) -> str:
        return f"KeyFile({self._path}, {len(self._keys)} keys, hidden)"

    def current(self, name: str) -> str:
        """The version with the highest number."""
        self._look_again()
        versions = [version for known, version in self._keys if known == name]
        if not versions:
            raise KeyUnavailableError(f"{self._path} has no key {name!r}; add a line {name}.1 = …")
        return f"{name}.{max(versions)}"

    def wrap(self, key_id: str, data_key: bytes, context: bytes) -> bytes:
        nonce = self._random.randbytes(NONCE_SIZE)
        return nonce + self._cipher(key_id).encrypt(nonce, data_key, context)

    def unwrap(self, key_id: str, wrapped: bytes, context: bytes) -> bytes:
        if len(wrapped) < NONCE_SIZE + TAG_SIZE:
            raise CorruptRecordError(f"no wrapped key has {len(wrapped)} bytes")
        cipher = self._cipher(key_id)
        try:
            return cipher.decrypt(wrapped[:NONCE_SIZE], wrapped[NONCE_SIZE:], context)
        except InvalidTag:
            raise KeyUnavailableError(
                f"{self._path} has another key as {key_id} than the one it was encrypted with, or "
                f"the batch was changed"
            ) from None

    def _cipher(self, key_id: str) -> AESGCM:
        key = self._find(key_id)
        if key is None:
            self._look_again()
            key = self._find(key_id)
        if key is None:
            raise KeyUnavailableError(f"{self._path} has no key {key_id!r}")
        return AESGCM(key)

    def _find(self, key_id: str) -> bytes | None:
        name, _, version = key_id.rpartition(".")
        is_number = version.isascii() and version.isdigit()
        return self._keys.get((name, int(version))) if is_number else None

    def _look_again(self) -> None:
        """Take over what was added; a file that is wrong now changes nothing."""
        status: FileStatus | None = None
        try:
            status = self._files.status(self._path)
            if status == self._status:
                return
            self._keys = self._read()
        except MoldauError as error:
            _logger.warning("%s; the keys that were read before stay", error)
        self._status = status

    def _read(self) -> Mapping[tuple[str, int], bytes]:
        text = read_whole(self._files, self._path).decode("utf-8", "replace")
        keys: dict[tuple[str, int], bytes] = {}
        for number, line in enumerate(text.splitlines(), start=1):
            stripped = line.strip()
            if not stripped or stripped.startswith("#"):
                continue
            name, version, key = self._parsed(number, stripped)
            if keys.setdefault((name, version), key) != key:
                raise self._wrong(number, f"gives {name}.{version} a second time")
        return keys

    def _parsed(self, number: int, line: str) -> tuple[str, int, bytes]:
        match = _LINE.fullmatch(line)
        if match is None:
            raise self._wrong(number, "is no key; write name.version = key in base64")
        name, version, text = match.groups()
        try:
            key = binascii.a2b_base64(text, strict_mode=True)
        except ValueError:
            raise self._wrong(number, f"gives {name}.{version} a key that is not base64") from None
        if len(key) != KEY_BYTES:
            raise self._wrong(number, f"gives {name}.{version} {len(key)} bytes, not {KEY_BYTES}")
        return name, int(version), key

    def _wrong(self, number: int, what: str) -> KeyFileError:
        return KeyFileError(f"{self._path}: line {number} {what}")
