"""Data keys: made, wrapped, found again.

A key manager keeps key-encryption keys, each under a name and in versions, and never gives them
away: it wraps data keys and unwraps them. A data key is of one topic and one run of one node. It is
made when that node first writes to the topic, and made anew when the manager has another version
of the key, or when `BATCHES_MAX` were encrypted. Its bare form stays in memory.

A nonce must never meet the same key twice: it is a number that counts up, and the key is forgotten
with the count. So a disk that goes back in time, or a copy of a machine, repeats nothing, as long
as `random` does not.
"""

from __future__ import annotations

import logging
from itertools import count
from typing import Final, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from moldau.broker.log.encryption.encrypted_batch import (
    KEY_ID_BYTES_MAX,
    NONCE_SIZE,
    WRAPPED_BYTES_MAX,
    Envelope,
    batch_of,
    covered,
    envelope_head,
    marked,
    read_envelope,
    unmarked,
)
from moldau.broker.log.encryption_port import KeyUnavailableError
from moldau.errors import CorruptRecordError, MoldauError
from moldau.platform.buffers import Buffer
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.randomness import Random
from moldau.protocol.records.batch import (
    HEADER_SIZE,
    BatchHeader,
    checksum_of,
    read_whole_header,
)

__all__ = ["KeyManager", "Keyring"]

DATA_KEY_BYTES: Final = 32
BATCHES_MAX: Final = 1 << 32
"""With one data key: what NIST SP 800-38D allows an invocation count, with room to spare."""
MARKER_BYTES_MAX: Final = 128
"""A transaction's marker has 78, and a batch that was encrypted 133 or more: 61 of header, 33 of
names, sizes, nonce and tag, 32 of a wrapped key, 7 of a record. So records passed off as a marker,
which consumers leave out in silence, are refused."""
OPENED_MAX: Final = 4096
"""Data keys that are kept for reading; a log that was written for years has many."""
NOTED_MAX: Final = 100
"""Sentences that are remembered, so that each is logged once."""
LOOK_NS: Final = 1_000_000_000
"""Between two questions to the manager which version is the current one."""

_logger: Final = logging.getLogger(__name__)


class KeyManager(Protocol):
    """Keeps key-encryption keys: a file, or a service.

    Called on the loop, where an answer is waited for, once for each data key; `current` once a
    second for each key that is written with. What goes wrong is a `MoldauError` of one sentence.
    """

    def current(self, name: str) -> str:
        """The id of the version of the key `name` that wraps from now on."""
        ...

    def wrap(self, key_id: str, data_key: bytes, context: bytes) -> bytes:
        """The data key encrypted; `context` must be given again to get it back."""
        ...

    def unwrap(self, key_id: str, wrapped: bytes, context: bytes) -> bytes:
        """The data key again."""
        ...


class _DataKey:
    """One that this node encrypts with."""

    __slots__ = ("cipher", "head", "key_id", "looked_ns", "numbers")

    def __init__(self, key_id: str, bare: bytes, head: bytes, looked_ns: int) -> None:
        self.key_id = key_id
        self.cipher = AESGCM(bare)
        self.head = head
        self.looked_ns = looked_ns
        self.numbers = count()

    def __repr__(self) -> str:
        return f"_DataKey(under {self.key_id}, hidden)"


class Keyring:
    """Encryption with the keys of a manager; threads may decrypt beside the loop."""

    def __init__(self, manager: KeyManager, clock: Clock, random: Random) -> None:
        self._manager = manager
        self._clock = clock
        self._random = random
        self._writing: dict[tuple[str, str], _DataKey] = {}
        self._opened: dict[tuple[str, bytes], AESGCM] = {}
        self._noted: set[str] = set()

    def __repr__(self) -> str:
        return f"Keyring({len(self._writing)} topics written, {len(self._opened)} keys read)"

    def encrypt(
        self, partition: str, key_name: str, batch: Buffer, header: BatchHeader
    ) -> bytearray:
        """The batch as it goes to the disk."""
        placed = marked(header)
        records = memoryview(batch)[HEADER_SIZE : header.size]
        if header.is_control:
            return batch_of(placed, records)
        key, number = self._number(_topic_of(partition), key_name)
        nonce = number.to_bytes(NONCE_SIZE, "big")
        ciphertext = key.cipher.encrypt(nonce, records, covered(partition, placed))
        return batch_of(placed, key.head, nonce, ciphertext)

    def decrypt(self, partition: str, batch: Buffer) -> bytes:
        """The batch as its producer made it."""
        header = read_whole_header(batch)
        if header.is_control:
            if header.size > MARKER_BYTES_MAX:
                raise self._changed(partition, header)
            return bytes(batch_of(unmarked(header), memoryview(batch)[HEADER_SIZE : header.size]))
        envelope = read_envelope(batch, header)
        cipher = self._cipher_of(partition, envelope, batch, header)
        try:
            records = cipher.decrypt(
                envelope.nonce, envelope.ciphertext, covered(partition, header)
            )
        except InvalidTag:
            raise self._changed(partition, header) from None
        return bytes(batch_of(unmarked(header), records))

    def _number(self, topic: str, key_name: str) -> tuple[_DataKey, int]:
        """The data key of a topic, and a number that it has not seen."""
        key = self._writing.get((topic, key_name))
        now_ns = self._clock.monotonic_ns()
        if key is None or now_ns - key.looked_ns >= LOOK_NS:
            key = self._current(topic, key_name, key, now_ns)
        number = next(key.numbers)
        if number < BATCHES_MAX:
            return key, number
        key = self._writing[topic, key_name] = self._make(topic, key.key_id, now_ns)
        return key, next(key.numbers)

    def _current(self, topic: str, key_name: str, known: _DataKey | None, now_ns: int) -> _DataKey:
        """The one that is known, unless the manager has another version by now."""
        try:
            key_id = self._manager.current(key_name)
            if known is None or known.key_id != key_id:
                known = self._writing[topic, key_name] = self._make(topic, key_id, now_ns)
        except MoldauError as error:
            raise self._unavailable(f"{topic} cannot be encrypted: {error}") from error
        known.looked_ns = now_ns
        return known

    def _make(self, topic: str, key_id: str, now_ns: int) -> _DataKey:
        bare = self._random.randbytes(DATA_KEY_BYTES)
        wrapped = self._manager.wrap(key_id, bare, topic.encode())
        if not 0 < len(key_id.encode()) <= KEY_ID_BYTES_MAX:
            raise KeyUnavailableError(f"a key's id has 1 to {KEY_ID_BYTES_MAX} bytes: {key_id!r}")
        if not 0 < len(wrapped) <= WRAPPED_BYTES_MAX:
            raise KeyUnavailableError(
                f"a wrapped data key has 1 to {WRAPPED_BYTES_MAX} bytes, and {key_id} gave "
                f"{len(wrapped)}"
            )
        return _DataKey(key_id, bare, envelope_head(key_id, wrapped), now_ns)

    def _cipher_of(
        self, partition: str, envelope: Envelope, batch: Buffer, header: BatchHeader
    ) -> AESGCM:
        topic = _topic_of(partition)
        cipher = self._opened.get((topic, envelope.wrapped))
        if cipher is None:
            if checksum_of(batch, header) != header.crc:
                raise self._changed(partition, header)
            cipher = AESGCM(self._unwrapped(partition, envelope, header))
            while len(self._opened) >= OPENED_MAX:
                self._opened.pop(next(iter(self._opened)), None)
            self._opened[topic, envelope.wrapped] = cipher
        return cipher

    def _unwrapped(self, partition: str, envelope: Envelope, header: BatchHeader) -> bytes:
        key_id, wrapped = envelope.key_id, envelope.wrapped
        try:
            bare = self._manager.unwrap(key_id, wrapped, _topic_of(partition).encode())
        except CorruptRecordError:
            raise self._changed(partition, header) from None
        except MoldauError as error:
            raise self._unavailable(
                f"{partition}: the batch at offset {header.base_offset} cannot be decrypted: "
                f"{error}"
            ) from error
        if len(bare) != DATA_KEY_BYTES:
            raise self._changed(partition, header)
        return bare

    def _changed(self, partition: str, header: BatchHeader) -> CorruptRecordError:
        text = (
            f"{partition}: the batch at offset {header.base_offset} is not as it was encrypted; it "
            f"was changed or damaged on the disk, or belongs elsewhere"
        )
        self._note(text)
        return CorruptRecordError(text)

    def _unavailable(self, text: str) -> KeyUnavailableError:
        self._note(text)
        return KeyUnavailableError(text)

    def _note(self, text: str) -> None:
        """Log it once: clients come again and again."""
        if text not in self._noted and len(self._noted) < NOTED_MAX:
            self._noted.add(text)
            _logger.warning("%s", text)


def _topic_of(partition: str) -> str:
    return partition.rpartition("-")[0]
