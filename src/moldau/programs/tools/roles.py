"""`moldau roles`: who has which role, and on what.

    roles grant    --role DeveloperRead --principal User:alice --topic orders
    roles revoke   --role DeveloperRead --principal User:alice --topic orders
    roles list     [--principal User:alice]
    roles explain  [--role DeveloperRead]

A binding is kept as an access rule (decision 18), so it is there for every node, and
kafka-acls.sh shows it too. Granting and revoking takes what changes of access rules take.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping

from moldau.broker.node.server_properties import read_properties
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.security.roles import (
    CLUSTER_ROLES,
    RESOURCE_ROLES,
    ROLE_HOST,
    complaint,
    is_binding,
    role_of,
)
from moldau.client.core.admin.acls import AclFilter, AclRule
from moldau.client.core.admin.choices import (
    AccessOperation,
    PatternType,
    Permission,
    ResourceKind,
)
from moldau.client.sync.admin.client import Admin
from moldau.errors import MoldauError
from moldau.programs.tools.command import World, declare_output

__all__ = ["declare", "run"]

DONE, NOT_DONE = 0, 1
HEADS = ("PRINCIPAL", "ROLE", "RESOURCE", "NAME", "PATTERN")
EXPLAINED_HEADS = ("ROLE", "RESOURCE", "OPERATIONS")
ACTIONS = ("grant", "revoke", "list", "explain")
RESOURCES = {
    "topic": ResourceKind.TOPIC,
    "group": ResourceKind.GROUP,
    "transactional-id": ResourceKind.TRANSACTIONAL_ID,
}
ROLES: Mapping[str, Mapping[Resource, tuple[Operation, ...]]] = {**CLUSTER_ROLES, **RESOURCE_ROLES}


def declare(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=ACTIONS, help="explain names what each role allows")
    parser.add_argument("--bootstrap-server", metavar="HOST:PORT", help="for all but explain")
    parser.add_argument("--command-config", metavar="FILE", help="settings of the client")
    declare_output(parser)
    parser.add_argument("--principal", metavar="User:NAME", help="who gets, or has, the role")
    parser.add_argument("--role", choices=sorted(ROLES), help="which")
    what = parser.add_mutually_exclusive_group()
    for flag in RESOURCES:
        what.add_argument(f"--{flag}", metavar="NAME", help="on this one; * is all")
    what.add_argument(
        "--cluster", action="store_true", help="on the cluster, as cluster roles without any"
    )
    parser.add_argument(
        "--prefixed", action="store_true", help="on all whose names begin like this"
    )
    parser.add_argument("--dry-run", action="store_true", help="only show what would be done")


def run(options: Namespace, world: World) -> int:
    if options.action == "explain":
        return _explain(options, world)
    if options.bootstrap_server is None:
        raise MoldauError(f"roles {options.action} needs --bootstrap-server")
    settings: dict[str, object] = {"bootstrap.servers": options.bootstrap_server}
    if options.command_config is not None:
        settings |= read_properties(world.files, options.command_config).values
    with Admin(settings) as admin:
        if options.action == "list":
            return _list(admin, options, world)
        rule = _binding(options)
        if options.dry_run:
            print(f"DRY RUN of {options.action}: {_shown(rule)}", file=world.out)
            return DONE
        if options.action == "grant":
            admin.create_acls([rule]).all()
            print(f"granted  {_shown(rule)}", file=world.out)
            return DONE
        return _revoke(admin, rule, world)


def _binding(options: Namespace) -> AclRule:
    """The access rule that the flags describe."""
    if options.principal is None or options.role is None:
        raise MoldauError(f"roles {options.action} needs --principal and --role")
    kind, name = ResourceKind.CLUSTER, CLUSTER_NAME
    for flag, resource in RESOURCES.items():
        given = getattr(options, flag.replace("-", "_"))
        if given is not None:
            kind, name = resource, given
    if kind is ResourceKind.CLUSTER and options.role not in CLUSTER_ROLES and not options.cluster:
        flags = ", ".join(f"--{flag}" for flag in RESOURCES)
        raise MoldauError(f"{options.role} is granted on a resource: name it with {flags}")
    host = ROLE_HOST + options.role
    wrong = complaint(int(kind), Operation.ALL, int(Permission.ALLOW), host)
    if wrong is not None:
        raise MoldauError(wrong)
    pattern = PatternType.PREFIXED if options.prefixed else PatternType.LITERAL
    return AclRule(options.principal, AccessOperation.ALL, kind, name, pattern, host=host)


def _revoke(admin: Admin, rule: AclRule, world: World) -> int:
    exactly = AclFilter.exactly(rule)
    deleted = admin.delete_acls([exactly])[exactly]
    found = list(deleted)
    word = "revoked " if found else "not granted"
    print(f"{word} {_shown(rule)}", file=world.out)
    return DONE if found else NOT_DONE


def _list(admin: Admin, options: Namespace, world: World) -> int:
    rules = admin.describe_acls(AclFilter(principal=options.principal))
    found = sorted(_bindings(rules, options.role), key=_shown)
    if not world.takes(HEADS, map(_row, found)):
        for rule in found:
            print(_shown(rule), file=world.out)
    return DONE


def _bindings(rules: Iterable[AclRule], role: str | None) -> Iterable[AclRule]:
    for rule in rules:
        if is_binding(rule.host) and role in (None, role_of(rule.host)):
            yield rule


def _row(rule: AclRule) -> tuple[str, ...]:
    pattern, kind = rule.pattern.name.lower(), rule.kind.name.lower()
    return (rule.principal, role_of(rule.host), kind, rule.name, pattern)


def _shown(rule: AclRule) -> str:
    if rule.kind is ResourceKind.CLUSTER:
        place = "the cluster"
    else:
        place = f"{rule.pattern.name.lower()} {rule.kind.name} {rule.name}"
    return f"{rule.principal} is {role_of(rule.host)} on {place}"


def _explain(options: Namespace, world: World) -> int:
    roles = [options.role] if options.role else [*ROLES]
    rows = [
        (role, kind.name.lower(), sorted(operation.name for operation in operations))
        for role in roles
        for kind, operations in ROLES[role].items()
    ]
    if world.takes(EXPLAINED_HEADS, rows):
        return DONE
    for role in roles:
        place = "the cluster" if role in CLUSTER_ROLES else "a resource, or all with a prefix"
        print(f"{role}, granted on {place}, allows", file=world.out)
        for kind, operations in ROLES[role].items():
            names = ", ".join(sorted(operation.name for operation in operations))
            print(f"  {kind.name:16} {names}", file=world.out)
    return DONE
