"""Pages about topics and their records: the table, one topic, its messages, and a live tail.

Reading order: topics, sizes, places (offsets as text), unseen (what consumers of committed
records do not see), records (a page at a time), tail.
"""
