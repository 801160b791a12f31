"""Who wrote what: the idempotent and transactional producers of one partition (KIP-98).

Owns the judgement over sequences and epochs, the transactions that are open, and the `.snapshot`
files from which both come back. It appends nothing: it checks before, and is updated after.

Reading order: end_marker, entry, refusals, transaction_verification, rules, open_transactions,
states, java_hash_map, snapshot, snapshot_files, replay.
"""
