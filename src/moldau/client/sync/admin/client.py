"""The blocking admin client, of all its subjects."""

from __future__ import annotations

from moldau.client.sync.admin.cluster import ClusterCalls
from moldau.client.sync.admin.configs import ConfigCalls
from moldau.client.sync.admin.groups import GroupCalls
from moldau.client.sync.admin.security import SecurityCalls
from moldau.client.sync.admin.topics import TopicCalls
from moldau.client.sync.admin.transactions import TransactionCalls

__all__ = ["Admin"]


class Admin(
    TopicCalls,
    ConfigCalls,
    GroupCalls,
    ClusterCalls,
    SecurityCalls,
    TransactionCalls,
):
    """Administers a cluster: every call of Java's Admin.

        with Admin("localhost:9092") as admin:
            outcomes = admin.create_topics([NewTopic("orders", partitions=3)])
            print(outcomes["orders"].topic_id)

    Settings are given as to the other clients, `bootstrap_controllers` among them. A call for
    several things returns `Outcomes`, which have a value or an error for each; a call for one thing
    raises its error. `admin.within(5.0)` is the same client with another limit to its calls.
    """
