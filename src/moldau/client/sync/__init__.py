"""The blocking face of the client, for programs without a loop.

It decides nothing: each call is forwarded to `aio`, which runs in one thread in the background.

Reading order: own_loop, connection, producer, consumer, share_consumer, admin, transactions.
"""

from typing import TYPE_CHECKING

from moldau.platform.lazy_names import lazy_names

if TYPE_CHECKING:
    from moldau.client.sync.connection import Connection, connect
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "client.sync.connection": "Connection connect",
        },
    )

__all__ = ["Connection", "connect"]
