"""Topics, partitions and brokers, in short."""

from __future__ import annotations

from typing import Final

from moldau.client import TopicPartition
from moldau.client.admin import ConfigResource, OffsetPlace, PartitionView, TopicView
from moldau.client.errors import RefusedError
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.links import Json
from moldau.programs.rest.refusals import Refusal, refuse
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v2.media import answer
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["PARTITION", "TOPIC", "TopicRoutes", "partition_number"]

TOPIC: Final = "/topics/{topic_name}"
PARTITION: Final = f"{TOPIC}/partitions/{{partition_id}}"
NOT_FOUND: Final = "Partition not found."
DIGITS_MAX: Final = 9


class TopicRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/", self.root),
            Route("GET", "/brokers", self.brokers),
            Route("GET", "/topics", self.list_all),
            Route("GET", TOPIC, self.get),
            Route("GET", f"{TOPIC}/partitions", self.partitions),
            Route("GET", PARTITION, self.partition),
            Route("GET", f"{PARTITION}/offsets", self.offsets),
        ]

    async def root(self, request: Request) -> Response:
        """An empty object: balancers and clients ask for it to see whether the proxy serves."""
        return answer({})

    async def brokers(self, request: Request) -> Response:
        view = await self._scope.admin.describe_cluster()
        return answer({"brokers": [node.node_id for node in view.nodes]})

    async def list_all(self, request: Request) -> Response:
        return answer(list(await self._scope.admin.list_topics(internal=True)))

    async def get(self, request: Request) -> Response:
        view = await self._topic(request)
        resource = ConfigResource.topic(view.name)
        entries = (await self._scope.admin.describe_configs(resource))[resource]
        configs = {name: entry.value for name, entry in entries.items()}
        parts = [_partition(part) for part in view.partitions]
        return answer({"name": view.name, "configs": configs, "partitions": parts})

    async def partitions(self, request: Request) -> Response:
        view = await self._topic(request)
        return answer([_partition(part) for part in view.partitions])

    async def partition(self, request: Request) -> Response:
        return answer(_partition((await self._part(request))[1]))

    async def offsets(self, request: Request) -> Response:
        topic, view = await self._part(request)
        part = TopicPartition(topic, view.partition)
        first, last = [
            (await self._scope.admin.list_offsets({part: place}))[part].offset or 0
            for place in (OffsetPlace.EARLIEST, OffsetPlace.LATEST)
        ]
        return answer({"beginning_offset": first, "end_offset": last})

    async def _topic(self, request: Request) -> TopicView:
        try:
            return await self._scope.topic(request.parameters["topic_name"])
        except RefusedError as error:
            if error.error is not ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
                raise
            raise refuse(Refusal.TOPIC_NOT_FOUND, "Topic not found.") from None

    async def _part(self, request: Request) -> tuple[str, PartitionView]:
        view, number = await self._topic(request), partition_number(request)
        if number >= len(view.partitions):
            raise refuse(Refusal.PARTITION_NOT_FOUND, NOT_FOUND)
        return view.name, view.partitions[number]


def partition_number(request: Request) -> int:
    text = request.parameters["partition_id"]
    if not (text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX):
        raise refuse(Refusal.PARTITION_NOT_FOUND, NOT_FOUND)
    return int(text)


def _partition(part: PartitionView) -> Json:
    replicas = [
        {"broker": node, "leader": node == part.leader, "in_sync": node in part.isr}
        for node in part.replicas
    ]
    leader = -1 if part.leader is None else part.leader
    return {"partition": part.partition, "leader": leader, "replicas": replicas}
