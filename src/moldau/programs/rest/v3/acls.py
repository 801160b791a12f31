"""Access rules: search, create, delete.

In a path there is nothing that names a rule, so a rule is meant by its seven parts in the query.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from moldau.client.admin import (
    AccessOperation,
    AclFilter,
    AclRule,
    PatternType,
    Permission,
    ResourceKind,
)
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import created, field_of, object_body, objects_of, reply
from moldau.programs.rest.links import Json, Links, collection
from moldau.programs.rest.refusals import bad_request
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v3.clusters import CLUSTER

__all__ = ["AclRoutes"]

ACLS: Final = f"{CLUSTER}/acls"
Choice = TypeVar("Choice", bound=IntEnum)
FOR_FILTERS: Final = ("UNKNOWN", "ANY", "MATCH")
PARTS: Final = (
    "resource_type",
    "resource_name",
    "pattern_type",
    "principal",
    "host",
    "operation",
    "permission",
)


class AclRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def routes(self) -> list[Route]:
        return [
            Route("GET", ACLS, self.search),
            Route("POST", ACLS, self.create),
            Route("POST", f"{ACLS}:batch", self.create_all),
            Route("DELETE", ACLS, self.delete),
        ]

    async def search(self, request: Request) -> Response:
        links = await self._scope.links(request)
        rules = await self._scope.admin.describe_acls(_filter(request))
        query = {name: values[-1] for name, values in request.query.items()}
        url = links.to("acls") + (f"?{urlencode(query)}" if query else "")
        return reply(collection("KafkaAclList", url, [_acl(links, rule) for rule in rules]))

    async def create(self, request: Request) -> Response:
        links = await self._scope.links(request)
        rule = _rule(object_body(request))
        (await self._scope.admin.create_acls([rule])).all()
        return created(_url(links, rule))

    async def create_all(self, request: Request) -> Response:
        links = await self._scope.links(request)
        rules = [_rule(one) for one in objects_of(object_body(request), "data")]
        (await self._scope.admin.create_acls(rules)).all()
        items = [_acl(links, rule) for rule in rules]
        return reply(collection("KafkaAclList", links.to("acls"), items), 201)

    async def delete(self, request: Request) -> Response:
        """Those that match; all of them have to be asked for in so many words."""
        links = await self._scope.links(request)
        if not any(name in request.query for name in PARTS):
            raise bad_request(f"say which rules are to be deleted, by {', '.join(PARTS)}")
        wanted = _filter(request)
        deleted = (await self._scope.admin.delete_acls([wanted]))[wanted].all()
        return reply({"data": [_acl(links, rule) for rule in deleted]})


def _filter(request: Request) -> AclFilter:
    return AclFilter(
        request.one("principal"),
        _chosen(AccessOperation, "operation", request.one("operation") or "ANY"),
        _chosen(ResourceKind, "resource_type", request.one("resource_type") or "ANY"),
        request.one("resource_name"),
        _chosen(PatternType, "pattern_type", request.one("pattern_type") or "ANY"),
        _chosen(Permission, "permission", request.one("permission") or "ANY"),
        request.one("host"),
    )


def _rule(body: Mapping[str, Any]) -> AclRule:
    def one(kind: type[Choice], name: str) -> Choice:
        text = field_of(body, name, str)
        if text.upper() in FOR_FILTERS:
            raise bad_request(f"{name} of a rule cannot be {text}")
        return _chosen(kind, name, text)

    return AclRule(
        field_of(body, "principal", str),
        one(AccessOperation, "operation"),
        one(ResourceKind, "resource_type"),
        field_of(body, "resource_name", str),
        one(PatternType, "pattern_type"),
        one(Permission, "permission"),
        field_of(body, "host", str),
    )


def _chosen(kind: type[Choice], name: str, text: str) -> Choice:
    if text.upper() not in kind.__members__ or text.upper() == "UNKNOWN":
        choices = ", ".join(one for one in kind.__members__ if one != "UNKNOWN")
        raise bad_request(f"{name} is one of {choices}, and not {text!r}")
    return kind[text.upper()]


def _parts(rule: AclRule) -> dict[str, str]:
    return {
        "resource_type": rule.kind.name,
        "resource_name": rule.name,
        "pattern_type": rule.pattern.name,
        "principal": rule.principal,
        "host": rule.host,
        "operation": rule.operation.name,
        "permission": rule.permission.name,
    }


def _url(links: Links, rule: AclRule) -> str:
    return f"{links.to('acls')}?{urlencode(_parts(rule))}"


def _acl(links: Links, rule: AclRule) -> Json:
    return {
        "kind": "KafkaAcl",
        "metadata": {"self": _url(links, rule)},
        "cluster_id": links.cluster_id,
        **_parts(rule),
    }
