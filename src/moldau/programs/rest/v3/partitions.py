"""Partitions, their replicas, and those that move to other brokers."""

from __future__ import annotations

from typing import Final

from moldau.client import TopicPartition
from moldau.client.admin import OffsetPlace, PartitionView, Reassignment
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import number_in_path, reply
from moldau.programs.rest.links import Json, Links, collection, related
from moldau.programs.rest.refusals import Refusal, absent, bad_request, refuse
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v3.clusters import CLUSTER, replica_json
from moldau.programs.rest.v3.topics import TOPIC

__all__ = ["PartitionRoutes"]

PARTITIONS: Final = f"{TOPIC}/partitions"
PARTITION: Final = f"{TOPIC}/partitions/{{partition_id}}"
EVERY: Final = "-"
EARLIEST_AND_LATEST: Final = "earliest_and_latest"
"""What kafka-rest has of `offset_type`, too."""


class PartitionRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def routes(self) -> list[Route]:
        return [
            Route("GET", PARTITIONS, self.list_all),
            Route("GET", PARTITION, self.get),
            Route("GET", f"{PARTITION}/offset", self.get_offsets),
            Route("GET", f"{PARTITION}/replicas", self.list_replicas),
            Route("GET", f"{PARTITION}/replicas/{{broker_id}}", self.get_replica),
            Route("GET", f"{PARTITION}/reassignment", self.get_move),
            Route("GET", f"{PARTITIONS}/-/reassignment", self.list_moves),
            Route("GET", f"{CLUSTER}/topics/-/partitions/-/reassignment", self.list_moves),
        ]

    async def list_all(self, request: Request) -> Response:
        links = await self._scope.links(request)
        name = request.parameters["topic_name"]
        parts = (await self._scope.topic(name)).partitions
        items = [_partition(links, name, part) for part in parts]
        url = links.to("topics", name, "partitions")
        return reply(collection("KafkaPartitionList", url, items))

    async def get(self, request: Request) -> Response:
        links = await self._scope.links(request)
        name, part = await self._part(request)
        return reply(_partition(links, name, part))

    async def get_offsets(self, request: Request) -> Response:
        """The first one, and the one behind the last."""
        links = await self._scope.links(request)
        kind = request.one("offset_type") or EARLIEST_AND_LATEST
        if kind != EARLIEST_AND_LATEST:
            raise bad_request(f"offset_type:{kind} is invalid")
        missing = refuse(Refusal.PARTITION_NOT_FOUND, "Partition not found.")
        name, part = await self._part(request, missing)
        here = TopicPartition(name, part.partition)
        admin = self._scope.admin
        first, last = [
            (await admin.list_offsets({here: place}))[here]
            for place in (OffsetPlace.EARLIEST, OffsetPlace.LATEST)
        ]
        found = links.resource(
            "KafkaPartitionWithOffsets",
            ("topics", name, "partitions", part.partition, "offset"),
            {"topic": name, "partition": part.partition, "offset_type": kind},
            topic_name=name,
            partition_id=part.partition,
            earliest_offset=first.offset,
            latest_offset=last.offset,
        )
        return reply(found)

    async def list_replicas(self, request: Request) -> Response:
        links = await self._scope.links(request)
        name, part = await self._part(request)
        items = [_replica(links, name, part, broker) for broker in part.replicas]
        url = links.to("topics", name, "partitions", part.partition, "replicas")
        return reply(collection("KafkaReplicaList", url, items))

    async def get_replica(self, request: Request) -> Response:
        links = await self._scope.links(request)
        name, part = await self._part(request)
        broker = number_in_path(request, "broker_id", "Replica")
        if broker not in part.replicas:
            raise absent(f"Replica {broker}")
        return reply(_replica(links, name, part, broker))

    async def get_move(self, request: Request) -> Response:
        links = await self._scope.links(request)
        name, part = await self._part(request)
        moves = await self._scope.admin.list_partition_reassignments([(name, part.partition)])
        for move in moves.values():
            return reply(_move(links, name, part.partition, move))
        raise absent(f"Reassignment of partition {name}-{part.partition}")

    async def list_moves(self, request: Request) -> Response:
        """Of one topic, or of all."""
        links = await self._scope.links(request)
        name = request.parameters.get("topic_name")
        if name is not None:
            await self._scope.topic(name)
        moves = await self._scope.admin.list_partition_reassignments()
        items = [
            _move(links, part.topic, part.partition, move)
            for part, move in moves.items()
            if name in (None, part.topic)
        ]
        url = links.to("topics", name or EVERY, "partitions", EVERY, "reassignment")
        return reply(collection("KafkaReassignmentList", url, items))

    async def _part(
        self, request: Request, missing: HttpError | None = None
    ) -> tuple[str, PartitionView]:
        name = request.parameters["topic_name"]
        number = number_in_path(request, "partition_id", "Partition")
        for part in (await self._scope.topic(name)).partitions:
            if part.partition == number:
                return name, part
        raise missing or absent(f"Partition {number}")


def _replica(links: Links, topic: str, part: PartitionView, broker: int) -> Json:
    return replica_json(links, topic, part.partition, broker, part.leader, part.isr)


def _partition(links: Links, topic: str, part: PartitionView) -> Json:
    here = ("topics", topic, "partitions", part.partition)
    leader = part.leader
    return links.resource(
        "KafkaPartition",
        here,
        {"topic": topic, "partition": part.partition},
        topic_name=topic,
        partition_id=part.partition,
        leader=None if leader is None else related(links.to(*here, "replicas", leader)),
        replicas=related(links.to(*here, "replicas")),
        reassignment=related(links.to(*here, "reassignment")),
    )


def _move(links: Links, topic: str, partition: int, move: Reassignment) -> Json:
    here = ("topics", topic, "partitions", partition)
    return links.resource(
        "KafkaReassignment",
        (*here, "reassignment"),
        {"topic": topic, "partition": partition, "reassignment": ""},
        topic_name=topic,
        partition_id=partition,
        adding_replicas=list(move.adding),
        removing_replicas=list(move.removing),
        replicas=related(links.to(*here, "replicas")),
    )
