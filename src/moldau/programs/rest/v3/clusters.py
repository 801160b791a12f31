"""Clusters, of which a proxy serves one, and their brokers."""

from __future__ import annotations

from typing import Final

from moldau.client.admin import ClusterNode, ClusterView
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import number_in_path, reply
from moldau.programs.rest.links import Json, Links, collection, related
from moldau.programs.rest.refusals import absent
from moldau.programs.rest.scope import Scope

__all__ = ["CLUSTER", "ClusterRoutes", "broker_of", "replica_json"]

CLUSTERS: Final = "/v3/clusters"
CLUSTER: Final = "/v3/clusters/{cluster_id}"


class ClusterRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def routes(self) -> list[Route]:
        return [
            Route("GET", CLUSTERS, self.list_all),
            Route("GET", CLUSTER, self.get),
            Route("GET", f"{CLUSTER}/brokers", self.list_brokers),
            Route("GET", f"{CLUSTER}/brokers/{{broker_id}}", self.get_broker),
            Route("GET", f"{CLUSTER}/brokers/{{broker_id}}/partition-replicas", self.replicas),
        ]

    async def list_all(self, request: Request) -> Response:
        links = await self._scope.links(request)
        view = await self._scope.admin.describe_cluster()
        return reply(collection("KafkaClusterList", links.base, [_cluster(links, view)]))

    async def get(self, request: Request) -> Response:
        links = await self._scope.links(request)
        return reply(_cluster(links, await self._scope.admin.describe_cluster()))

    async def list_brokers(self, request: Request) -> Response:
        links = await self._scope.links(request)
        view = await self._scope.admin.describe_cluster()
        items = [_broker(links, node) for node in view.nodes]
        return reply(collection("KafkaBrokerList", links.to("brokers"), items))

    async def get_broker(self, request: Request) -> Response:
        links = await self._scope.links(request)
        return reply(_broker(links, await broker_of(self._scope, request)))

    async def replicas(self, request: Request) -> Response:
        """All that a broker holds."""
        links = await self._scope.links(request)
        node = (await broker_of(self._scope, request)).node_id
        names = list(await self._scope.admin.list_topics(internal=True))
        topics = await self._scope.admin.describe_topics(names)
        items = [
            replica_json(links, topic.name, part.partition, node, part.leader, part.isr)
            for topic in topics.values.values()
            for part in topic.partitions
            if node in part.replicas
        ]
        url = links.to("brokers", node, "partition-replicas")
        return reply(collection("KafkaReplicaList", url, items))


async def broker_of(scope: Scope, request: Request) -> ClusterNode:
    """The broker that the path names."""
    wanted = number_in_path(request, "broker_id", "Broker")
    for node in (await scope.admin.describe_cluster()).nodes:
        if node.node_id == wanted:
            return node
    raise absent(f"Broker {wanted}")


def replica_json(
    links: Links,
    topic: str,
    partition: int,
    broker: int,
    leader: int | None,
    in_sync: tuple[int, ...],
) -> Json:
    """A replica of a partition."""
    return links.resource(
        "KafkaReplica",
        ("topics", topic, "partitions", partition, "replicas", broker),
        {"topic": topic, "partition": partition, "replica": broker},
        topic_name=topic,
        partition_id=partition,
        broker_id=broker,
        is_leader=broker == leader,
        is_in_sync=broker in in_sync,
        broker=related(links.to("brokers", broker)),
    )


def _cluster(links: Links, view: ClusterView) -> Json:
    controller = view.controller_id
    below = {
        "acls": "acls",
        "brokers": "brokers",
        "broker_configs": "broker-configs",
        "consumer_groups": "consumer-groups",
        "topics": "topics",
    }
    return links.resource(
        "KafkaCluster",
        (),
        {},
        controller=None if controller is None else related(links.to("brokers", controller)),
        **{name: related(links.to(word)) for name, word in below.items()},
        partition_reassignments=related(links.to("topics", "-", "partitions", "-", "reassignment")),
    )


def _broker(links: Links, node: ClusterNode) -> Json:
    here = ("brokers", node.node_id)
    return links.resource(
        "KafkaBroker",
        here,
        {"broker": node.node_id},
        broker_id=node.node_id,
        host=node.host,
        port=node.port,
        rack=node.rack,
        configs=related(links.to(*here, "configs")),
        partition_replicas=related(links.to(*here, "partition-replicas")),
    )
