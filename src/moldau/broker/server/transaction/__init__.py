"""Transactions: their coordinator, their markers, and what tools ask.

Reading order: asking (of a coordinator), coordinators (elsewhere), markers, other_leaders, changes
(as lines of the log); init_producer_id, add_partitions_to_txn, add_offsets_to_txn,
txn_offset_commit, end_txn, write_txn_markers; list_transactions, describe_transactions,
describe_producers.
"""
