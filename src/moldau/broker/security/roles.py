"""Roles: what a person or program with that task needs, on the cluster or on resources.

The names and what they are for are those of Confluent's role-based access control. A binding is an
access rule that allows ALL and has `role:NAME` in the place of a host (decision 18): a client's
host never is one, so that a node which knows no roles makes nothing of it. What a binding allows
is compiled into rules, which are judged with all others; a rule that denies wins over any role.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from moldau.broker.security.access import CLUSTER_NAME, OPERATIONS, Operation, Resource

__all__ = [
    "CLUSTER_ROLES",
    "RESOURCE_ROLES",
    "ROLE_HOST",
    "RoleRule",
    "compiled",
    "complaint",
    "is_binding",
    "role_of",
]

ROLE_HOST = "role:"
LITERAL = 3
ALLOW = 3
EVERY = "*"

Granted = Mapping[Resource, tuple[Operation, ...]]

SEES_SETTINGS = (Operation.DESCRIBE, Operation.DESCRIBE_CONFIGS)
MANAGES = (
    Operation.CREATE,
    Operation.DELETE,
    Operation.ALTER,
    Operation.ALTER_CONFIGS,
    *SEES_SETTINGS,
)
CLUSTER_ROLES: Mapping[str, Granted] = {
    "SystemAdmin": OPERATIONS,
    "ClusterAdmin": {
        Resource.CLUSTER: (
            Operation.CREATE,
            Operation.ALTER,
            Operation.ALTER_CONFIGS,
            Operation.CLUSTER_ACTION,
            *SEES_SETTINGS,
        ),
        Resource.TOPIC: MANAGES,
        Resource.GROUP: (Operation.DELETE, Operation.ALTER_CONFIGS, *SEES_SETTINGS),
        Resource.TRANSACTIONAL_ID: (Operation.DESCRIBE,),
    },
    "UserAdmin": {
        Resource.CLUSTER: (Operation.ALTER, Operation.DESCRIBE),
        Resource.USER: OPERATIONS[Resource.USER],
        Resource.DELEGATION_TOKEN: OPERATIONS[Resource.DELEGATION_TOKEN],
    },
    "SecurityAdmin": {
        Resource.CLUSTER: (Operation.ALTER_CONFIGS, *SEES_SETTINGS),
        Resource.TOPIC: SEES_SETTINGS,
    },
    "AuditAdmin": {Resource.CLUSTER: (Operation.ALTER_CONFIGS, *SEES_SETTINGS)},
    "Operator": {
        Resource.CLUSTER: SEES_SETTINGS,
        Resource.TOPIC: SEES_SETTINGS,
        Resource.GROUP: SEES_SETTINGS,
        Resource.TRANSACTIONAL_ID: (Operation.DESCRIBE,),
    },
}
"""Granted on the cluster; what they allow on topics and groups is for all of them."""
RESOURCE_ROLES: Mapping[str, Granted] = {
    "ResourceOwner": {
        kind: allowed for kind, allowed in OPERATIONS.items() if kind != Resource.CLUSTER
    },
    "DeveloperRead": {
        Resource.TOPIC: (Operation.READ, Operation.DESCRIBE),
        Resource.GROUP: (Operation.READ, Operation.DESCRIBE),
        Resource.TRANSACTIONAL_ID: (Operation.DESCRIBE,),
    },
    "DeveloperWrite": {
        Resource.TOPIC: (Operation.WRITE, Operation.DESCRIBE),
        Resource.TRANSACTIONAL_ID: (Operation.WRITE, Operation.DESCRIBE),
        Resource.CLUSTER: (Operation.IDEMPOTENT_WRITE,),
    },
    "DeveloperManage": {
        Resource.TOPIC: MANAGES,
        Resource.GROUP: (Operation.DELETE, *SEES_SETTINGS),
        Resource.TRANSACTIONAL_ID: (Operation.DESCRIBE,),
        Resource.CLUSTER: (Operation.CREATE, *SEES_SETTINGS),
    },
}
"""Granted on one resource, or on those whose names have a prefix.

The cluster is none of these: who may alter it may give every right to everyone.
"""


class RoleRule(NamedTuple):
    """A rule that a binding stands for; the first seven as those of `metadata.security`."""

    resource_type: int
    resource_name: str
    pattern_type: int
    principal: str
    host: str
    operation: int
    permission_type: int
    role: str


def is_binding(host: str) -> bool:
    return host.startswith(ROLE_HOST)


def role_of(host: str) -> str:
    return host.removeprefix(ROLE_HOST)


def compiled(
    *, resource_type: int, resource_name: str, pattern_type: int, principal: str, host: str
) -> Iterator[RoleRule]:
    """What the binding allows, a rule for each operation; nothing for a role that is not known."""
    role = role_of(host)
    if role in CLUSTER_ROLES and resource_type == Resource.CLUSTER:
        for kind, operations in CLUSTER_ROLES[role].items():
            name = CLUSTER_NAME if kind == Resource.CLUSTER else EVERY
            yield from _rules(kind, name, LITERAL, principal, operations, role)
    elif role in RESOURCE_ROLES and resource_type in RESOURCE_ROLES[role]:
        kind = Resource(resource_type)
        operations = RESOURCE_ROLES[role][kind]
        yield from _rules(kind, resource_name, pattern_type, principal, operations, role)


def _rules(
    kind: Resource,
    name: str,
    pattern_type: int,
    principal: str,
    operations: Iterable[Operation],
    role: str,
) -> Iterator[RoleRule]:
    for operation in operations:
        yield RoleRule(kind, name, pattern_type, principal, EVERY, operation, ALLOW, role)


def complaint(resource_type: int, operation: int, permission_type: int, host: str) -> str | None:
    """Why this is no binding of a role, in a sentence; None where it is one."""
    role = role_of(host)
    if role not in CLUSTER_ROLES and role not in RESOURCE_ROLES:
        return f"there is no role {role!r}: {', '.join((*CLUSTER_ROLES, *RESOURCE_ROLES))}"
    if permission_type != ALLOW or operation != Operation.ALL:
        return f"the role {role} is granted by a rule that allows ALL"
    if role in CLUSTER_ROLES and resource_type != Resource.CLUSTER:
        return f"the role {role} is granted on the cluster"
    if role in RESOURCE_ROLES and resource_type not in RESOURCE_ROLES[role]:
        kind = Resource(resource_type).name
        return f"the role {role} has nothing to do with a resource of kind {kind}"
    return None
