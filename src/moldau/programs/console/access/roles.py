"""Who has which role, on what, and what each role allows.

A binding is kept as an access rule with `role:NAME` in the place of its host (decision 18), so any
cluster that lists rules lists bindings; only nodes of Moldau obey them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.broker.security.access import Operation as AccessWord
from moldau.broker.security.access import Resource
from moldau.broker.security.roles import CLUSTER_ROLES, RESOURCE_ROLES, is_binding, role_of
from moldau.client.admin import AclRule, PatternType, ResourceKind
from moldau.programs.console.api.operations import Operation
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import Request, Response
from moldau.programs.rest.bodies import reply

__all__ = ["RolePages", "explained_roles", "sentence_of_binding", "shown_binding"]

ROLES: Final[Mapping[str, Mapping[Resource, tuple[AccessWord, ...]]]] = {
    **CLUSTER_ROLES,
    **RESOURCE_ROLES,
}


class RolePages:
    """See the head of the file."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def operations(self) -> list[Operation]:
        return [
            Operation("GET", "/api/roles", self.explained, "What each role allows"),
            Operation("GET", "/api/role-bindings", self.bindings, "Who has which role"),
        ]

    def explained(self, request: Request) -> Response:
        return reply(explained_roles())

    async def bindings(self, request: Request) -> Response:
        rules = await self._reach.admin.describe_acls()
        shown = [shown_binding(rule) for rule in rules if is_binding(rule.host)]
        return reply(sorted(shown, key=lambda one: tuple(one.values())))


def explained_roles() -> list[dict[str, Any]]:
    """A role that is granted on resources names the kinds it can be granted on."""
    return [
        {
            "role": role,
            "on": ["cluster"] if role in CLUSTER_ROLES else _kinds(granted),
            "allows": {
                kind.name.lower(): sorted(one.name.lower() for one in operations)
                for kind, operations in granted.items()
            },
        }
        for role, granted in ROLES.items()
    ]


def _kinds(granted: Mapping[Resource, object]) -> list[str]:
    grantable = (Resource.TOPIC, Resource.GROUP, Resource.TRANSACTIONAL_ID)
    return [kind.name.lower() for kind in grantable if kind in granted]


def shown_binding(rule: AclRule) -> dict[str, str]:
    """As `grant-role` and `revoke-role` take it."""
    return {
        "principal": rule.principal,
        "role": role_of(rule.host),
        "kind": rule.kind.name.lower(),
        "name": rule.name,
        "pattern": rule.pattern.name.lower(),
    }


def sentence_of_binding(rule: AclRule) -> str:
    who = f"{rule.principal} is {role_of(rule.host)}"
    if rule.kind is ResourceKind.CLUSTER:
        return f"{who} on the cluster"
    more = "…" if rule.pattern is PatternType.PREFIXED else ""
    return f"{who} on {rule.kind.name.lower().replace('_', ' ')} {rule.name}{more}"
