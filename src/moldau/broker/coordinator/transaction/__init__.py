"""The transaction coordinator: who may write as which producer, and how transactions end.

A shard per partition of `__transaction_state`. It is pure: producer ids come from a function, the
markers that are to be written leave as effects, and the runtime reports when they are there.

Reading order: states, transaction, partition_set, context, book, then the deciders
init_producer_id, add_partitions, end_txn, markers, expiry, describe; shard brings them together.
"""
