"""The asynchronous admin client, of all its subjects."""

from __future__ import annotations

from moldau.client.aio.admin.cluster import AsyncClusterCalls
from moldau.client.aio.admin.configs import AsyncConfigCalls
from moldau.client.aio.admin.groups import AsyncGroupCalls
from moldau.client.aio.admin.security import AsyncSecurityCalls
from moldau.client.aio.admin.topics import AsyncTopicCalls
from moldau.client.aio.admin.transactions import AsyncTransactionCalls

__all__ = ["AsyncAdmin"]


class AsyncAdmin(
    AsyncTopicCalls,
    AsyncConfigCalls,
    AsyncGroupCalls,
    AsyncClusterCalls,
    AsyncSecurityCalls,
    AsyncTransactionCalls,
):
    """Administers a cluster: every call of Java's Admin, on the program's own loop.

        async with AsyncAdmin("localhost:9092") as admin:
            outcomes = await admin.create_topics([NewTopic("orders", partitions=3)])
            print(outcomes["orders"].topic_id)

    Settings are given as to the other clients, `bootstrap_controllers` among them. A call for
    several things returns `Outcomes`, which have a value or an error for each; a call for one thing
    raises its error. `admin.within(5.0)` is the same client with another limit to its calls.
    """
