"""Fetch: sessions, and reading within the limits a client sets.

Reading order: reader (a consumer's request, from its bytes), fetched (a partition of a fetch, and
its response), due_partitions (which of a session to look at), session, session_shard,
sessions (KIP-227), topics (their names and refusals), kept_reads (for others who read the same),
answers (as a message, or flat), reading (the partitions), fetching (now, or when enough is
there), handler.
"""
