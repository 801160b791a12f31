"""`moldau acls`: access rules are added, removed and listed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from moldau.client.admin import (
    AccessOperation,
    AclFilter,
    AclRule,
    PatternType,
    Permission,
    ResourceKind,
)
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.acl_flags import CLUSTER_NAME, FLAGS, OPERATIONS, check
from moldau.programs.tools.kafka.clusters import DRY_RUN, admin_of
from moldau.programs.tools.kafka.flags import Given, WrongUsageError
from moldau.programs.tools.kafka.java_errors import java_cause_of
from moldau.programs.tools.kafka.streams import lines_typed
from moldau.programs.tools.kafka.tool import ToolFailedError

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["FLAGS", "run"]

FAILED = 1
KINDS = {
    "topic": ResourceKind.TOPIC,
    "cluster": ResourceKind.CLUSTER,
    "group": ResourceKind.GROUP,
    "transactional-id": ResourceKind.TRANSACTIONAL_ID,
    "delegation-token": ResourceKind.DELEGATION_TOKEN,
    "user-principal": ResourceKind.USER,
}
NO_RESOURCE = (
    "You must provide at least one resource: --topic <topic> or --cluster or --group <group> or "
    "--delegation-token <Delegation Token ID>"
)
NO_PRINCIPAL = (
    "You must specify one of: --allow-principal, --deny-principal when trying to add ACLs."
)
OF_PRODUCERS = (AccessOperation.WRITE, AccessOperation.DESCRIBE, AccessOperation.CREATE)
OF_CONSUMERS = (AccessOperation.READ, AccessOperation.DESCRIBE)


@dataclass(frozen=True, slots=True)
class _Resource:
    """What rules are about."""

    kind: ResourceKind
    name: str
    pattern: PatternType

    def __str__(self) -> str:
        return (
            f"ResourcePattern(resourceType={self.kind.name}, name={self.name}, "
            f"patternType={self.pattern.name})"
        )


_Wanted = dict[_Resource, list[AclRule]]


def run(given: Given, world: World) -> int:
    action = check(given)
    try:
        pattern = _pattern(given)
        if action == "list":
            with admin_of(given, world) as admin:
                _list(given, pattern, admin, world)
            return 0
        wanted = _wanted(given, pattern, action)
        with admin_of(given, world) as admin:
            if action == "add":
                _add(wanted, admin, world, dry_run=given.has(DRY_RUN.name))
            else:
                _remove(given, wanted, admin, world)
    except WrongUsageError:
        raise
    except MoldauError as error:
        print(f"Error while executing ACL command: {java_cause_of(error)}", file=world.errors)
        return FAILED
    return 0


def _pattern(given: Given) -> PatternType:
    text = given.text("resource-pattern-type") or "LITERAL"
    if text.upper() not in PatternType.__members__ or text.upper() == "UNKNOWN":
        raise MoldauError(f"Cannot parse argument '{text}' of option resource-pattern-type")
    return PatternType[text.upper()]


def _resources(given: Given, pattern: PatternType) -> list[_Resource]:
    found = []
    for flag, kind in KINDS.items():
        if flag == "cluster":
            if given.has(flag) or given.has("idempotent"):
                found.append(_Resource(kind, CLUSTER_NAME, PatternType.LITERAL))
        else:
            found += [_Resource(kind, name.strip(), pattern) for name in given.texts(flag)]
    return found


def _wanted(given: Given, pattern: PatternType, action: str) -> _Wanted:
    if action == "add" and pattern in (PatternType.ANY, PatternType.MATCH):
        raise WrongUsageError(
            f"A '--resource-pattern-type' value of '{pattern.name}' is not valid when adding acls."
        )
    resources = _resources(given, pattern)
    if not resources:
        raise WrongUsageError(NO_RESOURCE)
    wanted: _Wanted = {}
    for resource in resources:
        operations = _operations(given, resource)
        if operations is not None:
            wanted[resource] = _rules(given, resource, operations)
    if action == "add" and not any(wanted.values()):
        raise WrongUsageError(NO_PRINCIPAL)
    if any(wanted.values()):
        _check_operations(wanted)
    return wanted


def _operations(given: Given, resource: _Resource) -> Sequence[AccessOperation] | None:
    """None: of no concern to the roles that are given."""
    producer, consumer = given.has("producer"), given.has("consumer")
    if not producer and not consumer:
        texts = given.texts("operation") or ["All"]
        return [_operation(text.strip()) for text in texts]
    found: list[AccessOperation] = []
    if producer and resource.kind is ResourceKind.TOPIC:
        found += OF_PRODUCERS
    if producer and resource.kind is ResourceKind.TRANSACTIONAL_ID:
        found += OF_PRODUCERS[:2]
    if producer and given.has("idempotent") and resource.kind is ResourceKind.CLUSTER:
        found.append(AccessOperation.IDEMPOTENT_WRITE)
    if consumer and resource.kind is ResourceKind.TOPIC:
        found += OF_CONSUMERS
    if consumer and resource.kind is ResourceKind.GROUP:
        found += OF_CONSUMERS[:1]
    return list(dict.fromkeys(found)) or None


def _operation(text: str) -> AccessOperation:
    """By a name such as `AlterConfigs`; UNKNOWN, which no resource has."""
    for operation in AccessOperation:
        if operation.name.replace("_", "").lower() == text.lower():
            return operation
    return AccessOperation.UNKNOWN


def _check_operations(wanted: _Wanted) -> None:
    for resource, rules in wanted.items():
        known = OPERATIONS[resource.kind]
        if any(rule.operation not in (*known, AccessOperation.ALL) for rule in rules):
            names = ", ".join(one.name for one in (*known, AccessOperation.ALL))
            raise WrongUsageError(
                f"ResourceType {resource.kind.name} only supports operations [{names}]"
            )


def _rules(
    given: Given, resource: _Resource, operations: Sequence[AccessOperation]
) -> list[AclRule]:
    if AccessOperation.ANY in operations:
        raise MoldauError("operation must not be ANY")
    return [
        AclRule(
            _principal(who),
            operation,
            resource.kind,
            resource.name,
            resource.pattern,
            verdict,
            host,
        )
        for verdict, word in ((Permission.ALLOW, "allow"), (Permission.DENY, "deny"))
        for who in given.texts(f"{word}-principal")
        for host in [one.strip() for one in given.texts(f"{word}-host")] or ["*"]
        for operation in operations
    ]


def _principal(text: str) -> str:
    kind, colon, name = text.strip().partition(":")
    if not colon:
        raise MoldauError(
            f"expected a string in format principalType:principalName but got {text.strip()}"
        )
    return f"{kind}:{name}"


def _shown(rule: AclRule) -> str:
    return (
        f"(principal={rule.principal}, host={rule.host}, operation={rule.operation.name}, "
        f"permissionType={rule.permission.name})"
    )


def _lines(rules: Iterable[AclRule]) -> str:
    return "\n".join(f"\t{_shown(rule)}" for rule in rules)


def _filter(resource: _Resource) -> AclFilter:
    return AclFilter(kind=resource.kind, name=resource.name, pattern=resource.pattern)


def _add(wanted: _Wanted, admin: Admin, world: World, *, dry_run: bool) -> None:
    for resource, rules in wanted.items():
        there = set(admin.describe_acls(_filter(resource)))
        for rule in rules:
            if rule in there:
                shown = f"(pattern={resource}, entry={_shown(rule)})"
                print(f"Acl {shown} already exists.", file=world.out)
        fresh = [rule for rule in rules if rule not in there]
        if not fresh:
            continue
        head = "DRY RUN of adding" if dry_run else "Adding"
        print(f"{head} ACLs for resource `{resource}`: \n {_lines(fresh)}\n", file=world.out)
        if not dry_run:
            admin.create_acls(fresh).all()


def _remove(given: Given, wanted: _Wanted, admin: Admin, world: World) -> None:
    for resource, rules in wanted.items():
        if rules:
            question = (
                f"Are you sure you want to remove ACLs: \n {_lines(rules)}\n from resource filter "
                f"`{resource}`? (y/n)"
            )
        else:
            question = (
                f"Are you sure you want to delete all ACLs for resource filter `{resource}`? (y/n)"
            )
        filters = [AclFilter.exactly(rule) for rule in rules] or [_filter(resource)]
        if given.has(DRY_RUN.name):
            found = [rule for one in filters for rule in admin.describe_acls(one)]
            print(f"DRY RUN of removing {len(found)} ACLs from `{resource}`", file=world.out)
            print(_lines(found), file=world.out)
        elif given.has("force") or _is_confirmed(question, world):
            for outcomes in admin.delete_acls(filters).all().values():
                outcomes.all()


def _is_confirmed(question: str, world: World) -> bool:
    if world.rows is not None:
        raise ToolFailedError("--output needs --force beside it: nothing can be asked meanwhile")
    print(question, file=world.out)
    world.out.flush()
    answer = next(lines_typed(world), b"")
    return answer.strip().lower() == b"y"


def _list(given: Given, pattern: PatternType, admin: Admin, world: World) -> None:
    filters = [_filter(one) for one in _resources(given, pattern)] or [AclFilter()]
    rules = [rule for one in filters for rule in admin.describe_acls(one)]
    found: dict[_Resource, list[AclRule]] = {}
    for rule in dict.fromkeys(rules):
        found.setdefault(_Resource(rule.kind, rule.name, rule.pattern), []).append(rule)
    whose = given.texts("principal")
    if not whose:
        _print(found, world)
    for principal in map(_principal, whose):
        if world.rows is None:
            print(f"ACLs for principal `{principal}`", file=world.out)
        own = {
            resource: [rule for rule in some if rule.principal == principal]
            for resource, some in found.items()
        }
        _print({resource: some for resource, some in own.items() if some}, world)


HEADS = ("TYPE", "NAME", "PATTERN", "PRINCIPAL", "HOST", "OPERATION", "PERMISSION")


def _print(found: Mapping[_Resource, Sequence[AclRule]], world: World) -> None:
    if world.takes(HEADS, [_row(rule) for rules in found.values() for rule in rules]):
        return
    for resource, rules in found.items():
        print(f"Current ACLs for resource `{resource}`:\n{_lines(rules)}\n", file=world.out)


def _row(rule: AclRule) -> tuple[object, ...]:
    place = (rule.kind.name, rule.name, rule.pattern.name)
    return *place, rule.principal, rule.host, rule.operation.name, rule.permission.name
