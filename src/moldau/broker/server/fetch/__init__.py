"""Fetch: sessions, and reading within the limits a client sets.

Reading order: fetched (a partition in a session), attention (which partitions of a session to look
at), session_shard, sessions (KIP-227), answers (how a partition's answer is put together), reading
(now, or when enough is there), handler, shortcut and shortcut_bytes (the commonest requests, read
in place).
"""
