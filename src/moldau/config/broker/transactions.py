"""Transactions and their coordinator."""

from __future__ import annotations

from moldau.config.key import Rank, Scope, flag, integer, short
from moldau.config.settings import Settings
from moldau.config.units import MIB


class TransactionKeys(Settings):
    """Declared by theme; see BrokerSettings."""

    transaction_max_timeout_ms = integer(
        900_000, "The longest timeout that a producer may ask for.", least=1, rank=Rank.HIGH
    )
    transaction_abort_timed_out_transaction_cleanup_interval_ms = integer(
        10_000, "How often overdue transactions are looked for.", least=1, rank=Rank.LOW
    )
    transactional_id_expiration_ms = integer(
        604_800_000,
        "A transactional id that was not used for so long is forgotten.",
        least=1,
        rank=Rank.HIGH,
    )
    transaction_remove_expired_transaction_cleanup_interval_ms = integer(
        3_600_000,
        "How often transactional ids are looked for that may be forgotten.",
        least=1,
        rank=Rank.LOW,
    )
    transaction_partition_verification_enable = flag(
        True,
        "Whether the coordinator is asked before a partition takes part.",
        scope=Scope.CLUSTER,
        rank=Rank.LOW,
    )
    transaction_two_phase_commit_enable = flag(
        False, "Whether producers may prepare a transaction and decide later.", rank=Rank.LOW
    )
    transaction_state_log_num_partitions = integer(
        50,
        "The partitions of the transactions topic; never to be changed later.",
        least=1,
        rank=Rank.HIGH,
    )
    transaction_state_log_replication_factor = short(
        3, "The copies of the transactions topic.", least=1, rank=Rank.HIGH
    )
    transaction_state_log_min_isr = integer(
        2, "How many copies of the transactions topic must be in sync.", least=1, rank=Rank.HIGH
    )
    transaction_state_log_segment_bytes = integer(
        100 * MIB, "The size of the transactions topic's segments.", least=1, rank=Rank.HIGH
    )
    transaction_state_log_load_buffer_size = integer(
        5 * MIB,
        "How much of the transactions topic is read at a time when it is loaded.",
        least=1,
        rank=Rank.HIGH,
    )
    add_partitions_to_txn_retry_backoff_ms = integer(
        20, "The pause before a partition is verified again.", least=1, rank=Rank.HIGH
    )
    add_partitions_to_txn_retry_backoff_max_ms = integer(
        100, "The longest pause before a partition is verified again.", least=0, rank=Rank.HIGH
    )
