"""Logs with `encryption.at.rest` on a simulated disk."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, replace

from moldau.broker.log.encryption.key_file import KeyFile
from moldau.broker.log.encryption.keyring import Keyring
from moldau.broker.log.encryption_port import NO_KEYS, Encryption
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.reading import Isolation
from moldau.broker.log.world import World
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.records.record import iterate_records
from tests.broker.log.logs import CLEAN, DIRECTORY, SMALL, Bench, batches_of

KEYS = "keys"
SECRET = b"the customer's secret"
ENCRYPTED = replace(SMALL, segment_bytes=4000, encryption_at_rest="orders")


def key_line(version: int, name: str = "orders") -> str:
    return f"{name}.{version} = {b64encode(bytes([version]) * 32).decode()}\n"


@dataclass
class EncryptedBench(Bench):
    """A partition directory, and a file of keys beside it."""

    run: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.settings = ENCRYPTED
        self.set_keys(key_line(1))

    def set_keys(self, text: str) -> None:
        self.clock.advance_ms(2_000)
        file = self.files.open(KEYS, create=True)
        file.truncate(0)
        file.append(text.encode())
        file.close()
        self.files.set_modified(KEYS, self.clock.now_ms())

    def keyring(self) -> Keyring:
        self.run += 1
        random = SeededRandom(self.run)
        return Keyring(KeyFile(self.files, KEYS, random), self.clock, random)

    def open(
        self, remembered: Remembered = CLEAN, encryption: Encryption | None = None
    ) -> PartitionLog:
        used = self.keyring() if encryption is None else encryption
        world = World(self.files, self.clock, SeededRandom(1), used)
        return PartitionLog.open(world, DIRECTORY, self.settings, remembered)

    def open_without_keys(self, remembered: Remembered = CLEAN) -> PartitionLog:
        return self.open(remembered, NO_KEYS)

    def on_disk(self) -> bytes:
        """Every file of the partition, one behind the other."""
        return b"".join(self.contents(name) for name in self.names())


def values_of(log: PartitionLog) -> list[bytes | None]:
    """As a consumer reads them."""
    log.high_watermark = log.log_end_offset
    return [
        record.value
        for _, batch in batches_of(log, Isolation.HIGH_WATERMARK)
        for record in iterate_records(batch)
    ]
