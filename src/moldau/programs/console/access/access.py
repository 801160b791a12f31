"""Who may do what, and how much: access rules, quotas and users with passwords (SCRAM)."""

from __future__ import annotations

from typing import Any

from moldau.client.admin import AclRule
from moldau.programs.console.api.operations import Operation
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import Request, Response
from moldau.programs.rest.bodies import reply

__all__ = ["AccessPages", "shown_rule"]


class AccessPages:
    """See the head of the file."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def operations(self) -> list[Operation]:
        return [
            Operation("GET", "/api/acls", self.acls, "Access rules"),
            Operation("GET", "/api/quotas", self.quotas, "Quotas of users, clients, addresses"),
            Operation("GET", "/api/users", self.users, "Users with passwords (SCRAM)"),
        ]

    async def acls(self, request: Request) -> Response:
        rules = await self._reach.admin.describe_acls()
        shown = [shown_rule(rule) for rule in rules]
        return reply(
            sorted(shown, key=lambda rule: (rule["kind"], rule["name"], rule["principal"]))
        )

    async def quotas(self, request: Request) -> Response:
        found = await self._reach.admin.describe_client_quotas()
        return reply(
            [
                {"entity": [list(part) for part in entity.parts], "values": values}
                for entity, values in sorted(found.items(), key=lambda one: str(one[0]))
            ]
        )

    async def users(self, request: Request) -> Response:
        found = await self._reach.admin.describe_user_scram_credentials()
        return reply(
            [
                {
                    "user": user,
                    "credentials": [
                        {"mechanism": one.mechanism.name.lower(), "iterations": one.iterations}
                        for one in infos
                    ],
                }
                for user, infos in sorted(found.values.items())
            ]
        )


def shown_rule(rule: AclRule) -> dict[str, Any]:
    return {
        "principal": rule.principal,
        "permission": rule.permission.name.lower(),
        "operation": rule.operation.name.lower(),
        "kind": rule.kind.name.lower(),
        "name": rule.name,
        "pattern": rule.pattern.name.lower(),
        "host": rule.host,
    }
