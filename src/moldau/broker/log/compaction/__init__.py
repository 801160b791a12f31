"""Keeping the last record of each key: what compaction reads, drops, writes and puts in place.

Owns one round over one log. `plan` decides when a round is worth it; what runs it, and when, is the
caller's business, and so is the checkpoint of how far it came.

Reading order: plan, key_offsets, transactions, filter, replacement, run.
"""
