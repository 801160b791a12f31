"""Committed offsets, the same for every kind of group that has them.

Reading order: store, records, encoding, offset_commit, commit, fetch, delete, expiry.
"""
