"""Reading partitions: which broker is sent which fetch, and what the answers mean.

Reading order: contents, chunk, session, reading, events, answers, broker_fetch, fetcher.
"""
