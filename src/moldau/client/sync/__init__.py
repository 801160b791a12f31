"""The blocking face of the client, for programs without a loop.

It decides nothing: each call is forwarded to `aio`, which runs in one thread in the background.

Reading order: connection, own_loop, producer, consumer, share_consumer, admin, transactions.
"""

from moldau.client.sync.connection import Connection, connect

__all__ = ["Connection", "connect"]
