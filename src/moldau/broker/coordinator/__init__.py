"""Coordinators: what a broker decides for groups, transactions and share partitions.

Each is a shard: the owner of one partition of an internal topic, which is its only memory. A shard
is pure. It never waits, opens nothing and has no clock; the runtime appends what it
decides, applies it, and answers once it is committed.

Reading order: shard, encoded_decision, record_codec, placement, timers, xxh3, then group,
transaction and share.
"""
