"""What a transaction shard is given, and cannot know by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from moldau.platform.quick_dataclass import dataclass


class TransactionSettings(Protocol):
    """The broker's settings that are read here, by Kafka's names."""

    @property
    def transaction_max_timeout_ms(self) -> int: ...
    @property
    def transactional_id_expiration_ms(self) -> int: ...
    @property
    def transaction_abort_timed_out_transaction_cleanup_interval_ms(self) -> int: ...
    @property
    def transaction_remove_expired_transaction_cleanup_interval_ms(self) -> int: ...
    @property
    def transaction_two_phase_commit_enable(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class TransactionContext:
    """The answers of the functions change over time."""

    settings: TransactionSettings
    take_producer_id: Callable[[], int]
    """An id that was never given out; COORDINATOR_LOAD_IN_PROGRESS while there is none."""
    transaction_version: Callable[[], int]
    """The level of the feature transaction.version."""
    offsets_partition: Callable[[str], int]
    """The partition of `__consumer_offsets` that a group's offsets are in."""
