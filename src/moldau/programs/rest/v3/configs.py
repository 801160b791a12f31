"""Settings of topics, of brokers, and of all brokers: three places with the same five routes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from moldau.client.admin import ConfigChange, ConfigEntry, ConfigResource, ConfigSource
from moldau.errors import MoldauError
from moldau.programs.http.messages import Handler, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import (
    field_of,
    maybe_field,
    nothing,
    number_in_path,
    object_body,
    objects_of,
    reply,
)
from moldau.programs.rest.links import Json, Links, collection
from moldau.programs.rest.refusals import Refusal, absent, bad_request, refuse, refused
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v3.clusters import CLUSTER, broker_of

__all__ = ["ConfigRoutes"]

SOURCES: Final[Mapping[ConfigSource, str]] = {
    ConfigSource.TOPIC: "DYNAMIC_TOPIC_CONFIG",
    ConfigSource.BROKER: "DYNAMIC_BROKER_CONFIG",
    ConfigSource.ALL_BROKERS: "DYNAMIC_DEFAULT_BROKER_CONFIG",
    ConfigSource.FILE: "STATIC_BROKER_CONFIG",
    ConfigSource.DEFAULT: "DEFAULT_CONFIG",
    ConfigSource.BROKER_LOGGER: "DYNAMIC_BROKER_LOGGER_CONFIG",
    ConfigSource.CLIENT_METRICS: "DYNAMIC_CLIENT_METRICS_CONFIG",
    ConfigSource.GROUP: "DYNAMIC_GROUP_CONFIG",
}
SET: Final = "SET"
MULTI_STATUS: Final = 207


class _Owner(NamedTuple):
    """What has the settings, as resources name it."""

    resource: ConfigResource
    kind: str
    segments: tuple[object, ...]
    names: Mapping[str, object]
    fields: Mapping[str, object]


class _Place(NamedTuple):
    """Where in the tree of paths, and whose settings a request there is about."""

    path: str
    owner: Callable[[Request], _Owner]


class ConfigRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def routes(self) -> list[Route]:
        found = [
            Route("GET", f"{CLUSTER}/topics/-/configs", self.of_all_topics),
            Route("POST", f"{CLUSTER}/topics/-/configs:alter", self.alter_topics),
            Route("GET", f"{CLUSTER}/brokers/-/configs", self.of_every_broker),
        ]
        for path, owner in PLACES:
            found += [
                Route("GET", path, self._with(self.list_all, owner)),
                Route("POST", f"{path}:alter", self._with(self.alter, owner)),
                Route("GET", f"{path}/{{name}}", self._with(self.get, owner)),
                Route("PUT", f"{path}/{{name}}", self._with(self.put, owner)),
                Route("DELETE", f"{path}/{{name}}", self._with(self.reset, owner)),
            ]
        return found

    def _with(
        self, answer: Callable[[Request, Links, _Owner], Any], owner: Callable[[Request], _Owner]
    ) -> Handler:
        async def handler(request: Request) -> Response:
            links = await self._scope.links(request)
            if "broker_id" in request.parameters:
                await broker_of(self._scope, request)  # one that is gone would be waited for
            found: Response = await answer(request, links, owner(request))
            return found

        return handler

    async def list_all(self, request: Request, links: Links, owner: _Owner) -> Response:
        entries = await self._entries(owner)
        items = [_config(links, owner, entry) for entry in entries.values()]
        url = links.to(*_path_of(owner))
        return reply(collection(f"{owner.kind}List", url, items))

    async def get(self, request: Request, links: Links, owner: _Owner) -> Response:
        name = request.parameters["name"]
        entry = (await self._entries(owner)).get(name)
        if entry is None:
            raise absent(f"Config {name}")
        return reply(_config(links, owner, entry))

    async def put(self, request: Request, links: Links, owner: _Owner) -> Response:
        value = object_body(request).get("value")
        if value is not None and not isinstance(value, str):
            raise bad_request("value has to be text")
        name = request.parameters["name"]
        if owner is not ALL_BROKERS:
            _ensure_there((name,), await self._entries(owner))
        return await self._changed(owner, {name: _change({"value": value})})

    async def reset(self, request: Request, links: Links, owner: _Owner) -> Response:
        name = request.parameters["name"]
        _ensure_there((name,), await self._entries(owner))
        return await self._changed(owner, {name: ConfigChange.delete()})

    async def alter(self, request: Request, links: Links, owner: _Owner) -> Response:
        """Several at once: all of them, or none."""
        body = object_body(request)
        changes = _changes(body, "data")
        if owner is not ALL_BROKERS:
            _ensure_there(changes, await self._entries(owner))
        return await self._changed(owner, changes, only_checks=_only_checks(body))

    async def alter_topics(self, request: Request) -> Response:
        """Each topic as a whole; 207 names those that refuse theirs."""
        await self._scope.links(request)
        body = object_body(request)
        wanted = {
            ConfigResource.topic(field_of(one, "topic_name", str)): _changes(one, "configs")
            for one in objects_of(body, "data")
        }
        if not wanted:
            return nothing()
        known = (await self._scope.admin.describe_configs(list(wanted))).all()
        for resource, changes in wanted.items():
            _ensure_there(changes, known[resource])
        outcomes = await self._scope.admin.incremental_alter_configs(
            wanted, validate_only=_only_checks(body)
        )
        failures = [_failure(resource.name, error) for resource, error in outcomes.errors.items()]
        return reply({"failures": failures}, MULTI_STATUS) if failures else nothing()

    async def of_all_topics(self, request: Request) -> Response:
        links = await self._scope.links(request)
        names = await self._scope.admin.list_topics(internal=True)
        url = links.to("topics", "-", "configs")
        return await self._of_many([_topic(name) for name in names], links, url)

    async def of_every_broker(self, request: Request) -> Response:
        links = await self._scope.links(request)
        nodes = (await self._scope.admin.describe_cluster()).nodes
        url = links.to("brokers", "-", "configs")
        return await self._of_many([_broker(node.node_id) for node in nodes], links, url)

    async def _of_many(self, owners: list[_Owner], links: Links, url: str) -> Response:
        """One question for all of them."""
        by_resource = {owner.resource: owner for owner in owners}
        found = await self._scope.admin.describe_configs(list(by_resource), synonyms=True)
        items = [
            _config(links, by_resource[resource], entry)
            for resource, entries in found.values.items()
            for entry in entries.values()
        ]
        kind = "KafkaBrokerConfigList" if "brokers" in url else "KafkaTopicConfigList"
        return reply(collection(kind, url, items))

    async def _entries(self, owner: _Owner) -> dict[str, ConfigEntry]:
        found = await self._scope.admin.describe_configs(owner.resource, synonyms=True)
        return found[owner.resource]

    async def _changed(
        self, owner: _Owner, changes: Mapping[str, ConfigChange], *, only_checks: bool = False
    ) -> Response:
        admin = self._scope.admin
        outcomes = await admin.incremental_alter_configs(
            {owner.resource: changes}, validate_only=only_checks
        )
        outcomes.all()
        return nothing()


def _ensure_there(names: Iterable[str], known: Collection[str]) -> None:
    """404 for the first that there is not. Of all brokers there is what is set for them."""
    for name in names:
        if name not in known:
            raise absent(f"Config {name}")


def _failure(topic: str, error: MoldauError) -> Json:
    refusal = refused(error)
    return {"topic_name": topic, "error_code": refusal.code, "message": str(refusal)}


def _only_checks(body: Mapping[str, Any]) -> bool:
    return maybe_field(body, "validate_only", bool) or False


def _changes(body: Mapping[str, Any], field: str) -> dict[str, ConfigChange]:
    given = objects_of(body, field)
    changes = {field_of(one, "name", str): _change(one) for one in given}
    if len(changes) < len(given):  # a broker refuses it, too
        raise refuse(Refusal.BAD_REQUEST, f"each name of {field} may be there once")
    return changes


def _change(one: Mapping[str, Any]) -> ConfigChange:
    operation = (maybe_field(one, "operation", str) or SET).upper()
    value = one.get("value")
    if isinstance(value, (dict, list)):
        raise bad_request("value has to be text")
    if value is None and operation in (SET, "APPEND", "SUBTRACT"):  # a broker refuses it, too
        raise refuse(Refusal.BAD_REQUEST, f"{operation} needs a value")
    if operation == SET:
        return ConfigChange.set(value)
    if operation == "DELETE":
        return ConfigChange.delete()
    if operation == "APPEND":
        return ConfigChange.append(str(value))
    if operation == "SUBTRACT":
        return ConfigChange.subtract(str(value))
    raise bad_request(f"operation is SET, DELETE, APPEND or SUBTRACT, and not {operation}")


def _topic_name(request: Request) -> str:
    return request.parameters["topic_name"]


def _broker_id(request: Request) -> int:
    return number_in_path(request, "broker_id", "Broker")


def _topic(name: str) -> _Owner:
    resource = ConfigResource.topic(name)
    return _Owner(
        resource, "KafkaTopicConfig", ("topics", name), {"topic": name}, {"topic_name": name}
    )


def _broker(node: int) -> _Owner:
    resource = ConfigResource.broker(node)
    return _Owner(
        resource, "KafkaBrokerConfig", ("brokers", node), {"broker": node}, {"broker_id": node}
    )


ALL_BROKERS: Final = _Owner(
    ConfigResource.broker(), "KafkaClusterConfig", (), {}, {"config_type": "BROKER"}
)


PLACES: Final = (
    _Place(
        f"{CLUSTER}/topics/{{topic_name}}/configs", lambda request: _topic(_topic_name(request))
    ),
    _Place(
        f"{CLUSTER}/brokers/{{broker_id}}/configs", lambda request: _broker(_broker_id(request))
    ),
    _Place(f"{CLUSTER}/broker-configs", lambda request: ALL_BROKERS),
)


def _path_of(owner: _Owner) -> tuple[object, ...]:
    return (*owner.segments, "configs") if owner.segments else ("broker-configs",)


def _config(links: Links, owner: _Owner, entry: ConfigEntry) -> Json:
    names = owner.names if owner.names else {"broker-config": entry.name}
    return links.resource(
        owner.kind,
        (*_path_of(owner), entry.name),
        {**owner.names, "config": entry.name} if owner.names else names,
        **owner.fields,
        name=entry.name,
        value=entry.value,
        is_read_only=entry.is_read_only,
        is_sensitive=entry.is_sensitive,
        source=SOURCES.get(entry.source, "UNKNOWN"),
        synonyms=[
            {"name": one.name, "value": one.value, "source": SOURCES.get(one.source, "UNKNOWN")}
            for one in entry.synonyms
        ],
        is_default=entry.is_default,
    )
