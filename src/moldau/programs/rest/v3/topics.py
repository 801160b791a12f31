"""Topics: list, get, create, widen, delete."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from moldau.client.admin import NewTopic, TopicView
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import (
    ensure_known,
    field_of,
    maybe_field,
    nothing,
    object_body,
    objects_of,
    reply,
)
from moldau.programs.rest.links import Json, Links, collection, related
from moldau.programs.rest.refusals import bad_request
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v3.clusters import CLUSTER

__all__ = ["TOPIC", "TopicRoutes"]

TOPICS: Final = f"{CLUSTER}/topics"
FIELDS: Final = frozenset(
    (
        "topic_name",
        "partitions_count",
        "replication_factor",
        "replicas_assignments",
        "configs",
        "validate_only",
    )
)
TOPIC: Final = f"{CLUSTER}/topics/{{topic_name}}"


class TopicRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def routes(self) -> list[Route]:
        return [
            Route("GET", TOPICS, self.list_all),
            Route("POST", TOPICS, self.create),
            Route("GET", TOPIC, self.get),
            Route("PATCH", TOPIC, self.widen),
            Route("DELETE", TOPIC, self.delete),
        ]

    async def list_all(self, request: Request) -> Response:
        links = await self._scope.links(request)
        names = list(await self._scope.admin.list_topics(internal=True))
        views = await self._scope.admin.describe_topics(names)  # those deleted meanwhile are errors
        items = [_topic(links, view) for view in views.values.values()]
        return reply(collection("KafkaTopicList", links.to("topics"), items))

    async def get(self, request: Request) -> Response:
        links = await self._scope.links(request)
        view = (
            await self._scope.admin.describe_topics(
                request.parameters["topic_name"],
                operations=request.flag("include_authorized_operations"),
            )
        )[request.parameters["topic_name"]]
        return reply(_topic(links, view))

    async def create(self, request: Request) -> Response:
        links = await self._scope.links(request)
        body = object_body(request)
        ensure_known(body, FIELDS)
        topic = _new_topic(body)
        only_checks = maybe_field(body, "validate_only", bool) or False
        outcomes = await self._scope.admin.create_topics(topic, validate_only=only_checks)
        made = outcomes[topic.name]
        found = _json(
            links,
            topic.name,
            is_internal=False,
            partitions=made.partitions or topic.partitions or len(topic.assignments),
            replicas=made.replication_factor or topic.replication_factor or 0,
        )
        response = reply(found, 200 if only_checks else 201)
        if not only_checks:
            response.headers = {"Location": found["metadata"]["self"]}
        return response

    async def widen(self, request: Request) -> Response:
        """More partitions; fewer are refused by the cluster."""
        links = await self._scope.links(request)
        name = request.parameters["topic_name"]
        count = field_of(object_body(request), "partitions_count", int)
        view = await self._scope.topic(name)
        if count != len(view.partitions):
            (await self._scope.admin.create_partitions({name: _count(count)})).all()
        replicas = len(view.partitions[0].replicas)
        made = _json(links, name, is_internal=view.is_internal, partitions=count, replicas=replicas)
        return reply(made)

    async def delete(self, request: Request) -> Response:
        await self._scope.links(request)
        (await self._scope.admin.delete_topics(request.parameters["topic_name"])).all()
        return nothing()


def _new_topic(body: Mapping[str, Any]) -> NewTopic:
    count, factor = (
        maybe_field(body, "partitions_count", int),
        maybe_field(body, "replication_factor", int),
    )
    assignments = {
        field_of(one, "partition_id", int): _brokers(field_of(one, "broker_ids", list))
        for one in objects_of(body, "replicas_assignments", may_lack=True)
    }
    configs = {
        field_of(one, "name", str): _config_value(one)
        for one in objects_of(body, "configs", may_lack=True)
    }
    return NewTopic(
        field_of(body, "topic_name", str),
        None if count is None else _count(count),
        None if factor is None else _factor(factor),
        {name: value for name, value in configs.items() if value is not None},
        assignments,
    )


def _config_value(one: Mapping[str, Any]) -> str | None:
    value = one.get("value")
    return value if value is None or isinstance(value, str) else str(value).lower()


def _brokers(given: Iterable[object]) -> list[int]:
    found = list(given)
    if not all(isinstance(one, int) and -(2**31) <= one < 2**31 for one in found):
        raise bad_request("broker_ids has to be a list of numbers")
    return [int(str(one)) for one in found]


def _count(given: int) -> int:
    if not -1 <= given < 2**31:
        raise bad_request(f"partitions_count is out of range: {given}")
    return given


def _factor(given: int) -> int:
    if not -1 <= given < 2**15:
        raise bad_request(f"replication_factor is out of range: {given}")
    return given


def _topic(links: Links, view: TopicView) -> Json:
    replicas = len(view.partitions[0].replicas) if view.partitions else 0
    found = _json(
        links,
        view.name,
        is_internal=view.is_internal,
        partitions=len(view.partitions),
        replicas=replicas,
    )
    found["authorized_operations"] = sorted(one.name for one in view.operations or ())
    return found


def _json(links: Links, name: str, *, is_internal: bool, partitions: int, replicas: int) -> Json:
    here = ("topics", name)
    return links.resource(
        "KafkaTopic",
        here,
        {"topic": name},
        topic_name=name,
        is_internal=is_internal,
        replication_factor=replicas,
        partitions_count=partitions,
        partitions=related(links.to(*here, "partitions")),
        configs=related(links.to(*here, "configs")),
        partition_reassignments=related(links.to(*here, "partitions", "-", "reassignment")),
    )
