"""Reading partitions: who is asked for what, and what the answers mean.

Reading order: contents, chunk, session, reading, events, answers, broker_fetch, fetcher.
"""
