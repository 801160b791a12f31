"""Key-encryption keys in a file of the node: a line for each version of a key.

    # name.version = 32 random bytes in base64
    orders.1 = k2F1…
    orders.2 = 0b9c…

The version with the highest number wraps; the others unwrap what they have wrapped before. A line
that is added counts within a second, for the file is looked at again when its time or size has
changed. Where it has become unreadable or wrong, the keys that are known stay.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from moldau.broker.log.encryption.encrypted_batch import NONCE_SIZE, TAG_SIZE
from moldau.broker.log.encryption.key_lines import KeyFileError, find_key_lines
from moldau.broker.log.encryption_port import KeyUnavailableError
from moldau.errors import CorruptRecordError, MoldauError
from moldau.platform.ports.files import Files, FileStatus
from moldau.platform.ports.randomness import Random

__all__ = ["KeyFile", "KeyFileError"]

_logger: Final = logging.getLogger(__name__)


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
        lines = find_key_lines(self._files, self._path)
        return {(line.name, line.version): line.key for line in lines}
