"""Drives `client.core` over the ports: sends its requests, and gives it what came.

Programs with a loop begin with `connect`:

    async with moldau.client.aio.connect("localhost:9092") as connection:
        table = await connection.read_table("orders")

Reading order: world, pool, replies, first_reached, silence, driver, telemetry, fetching,
connection, own_world, connecting, awaiting, transacting, sender_runner, producing, producer,
membership, under_way, committing, topic_watch, consuming, consumer, sharing, share_consumer,
transactions, admin.
"""

from typing import TYPE_CHECKING

from moldau.platform.lazy_names import lazy_names

if TYPE_CHECKING:
    from moldau.client.aio.connecting import connect
    from moldau.client.aio.connection import AsyncConnection
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "client.aio.connecting": "connect",
            "client.aio.connection": "AsyncConnection",
        },
    )

__all__ = ["AsyncConnection", "connect"]
