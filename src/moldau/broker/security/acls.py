"""Access rules as a judge: Kafka's StandardAuthorizer, decision for decision.

A rule concerns a resource if its kind is the same and its name is equal, a prefix of it, or `*`.
Of the rules that concern a resource those of the principal, or of `User:*`, from its host or from
any, are looked at: one that denies the operation wins, then one that allows it. Where rules concern
the resource and none matches, it is denied; where none concerns it, the decision is left to
`allow.everyone.if.no.acl.found`. Some permissions imply others; what is denied implies nothing.
Super users may do all.

Of all rules for one principal, host and resource only two sets of operations matter, as bits: what
they allow and what they deny. They are gathered when the rules change, and a decision is a look for
each length that a prefix has. What was found is kept until the rules change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple, Protocol

from moldau.broker.security.access import OPERATIONS, Operation, Resource, bits_of
from moldau.broker.security.authorizer import Caller
from moldau.broker.security.roles import RoleRule, compiled, is_binding

__all__ = ["AclAuthorizer", "Rule", "Rules", "rules_of_binding", "spellings"]

LITERAL, PREFIXED = 3, 4
DENY, ALLOW = 2, 3
WILDCARD = "*"
EVERY_USER = "User:*"
EVERYTHING = (LITERAL, WILDCARD)
KEPT_MAX = 50_000
"""Decisions that are remembered; then all are forgotten, and the needed ones are soon back."""
ALL_BITS = bits_of(tuple(Operation))
IMPLIED = {
    Operation.READ: Operation.DESCRIBE,
    Operation.WRITE: Operation.DESCRIBE,
    Operation.DELETE: Operation.DESCRIBE,
    Operation.ALTER: Operation.DESCRIBE,
    Operation.ALTER_CONFIGS: Operation.DESCRIBE_CONFIGS,
}
"""A permission to do the one is a permission to do the other."""


class Rule(Protocol):
    """As the metadata log has it."""

    @property
    def resource_type(self) -> int: ...
    @property
    def resource_name(self) -> str: ...
    @property
    def pattern_type(self) -> int: ...
    @property
    def principal(self) -> str: ...
    @property
    def host(self) -> str: ...
    @property
    def operation(self) -> int: ...
    @property
    def permission_type(self) -> int: ...


Rules = Mapping[bytes, Rule]
"""By the id that was made up at their creation."""


class _Bits(NamedTuple):
    """Sets of operations."""

    allowed: int
    denied: int


NOTHING = _Bits(0, 0)


class _Group:
    """The rules of one pattern."""

    __slots__ = ("_by_principal", "_rules", "counts")

    def __init__(self) -> None:
        self._rules: dict[bytes, Rule] = {}
        self.counts = False
        """Whether there is a rule for the resource itself, and not only what roles allow."""
        self._by_principal: dict[str, dict[str, _Bits]] | None = None

    def __len__(self) -> int:
        return len(self._rules)

    def put(self, rule_id: bytes, rule: Rule) -> None:
        self._rules[rule_id] = rule
        self.counts = self.counts or not isinstance(rule, RoleRule)
        self._by_principal = None

    def remove(self, rule_id: bytes) -> None:
        del self._rules[rule_id]
        self.counts = not all(isinstance(one, RoleRule) for one in self._rules.values())
        self._by_principal = None

    def bits(self, principal: str, hosts: tuple[str, ...]) -> tuple[int, int]:
        """What its rules allow and deny to a principal from a host, by any of its spellings."""
        found = self._by_principal
        if found is None:
            found = self._by_principal = _gathered(self._rules.values())
        allowed = denied = 0
        for who in (principal, EVERY_USER):
            if who in found:
                rules = found[who]
                for host in hosts:
                    if host in rules:
                        bits = rules[host]
                        allowed |= bits[0]
                        denied |= bits[1]
        return allowed, denied


class _Kind:
    """The rules of one kind of resource, by their patterns."""

    __slots__ = ("_size_counts", "groups", "sizes")

    def __init__(self) -> None:
        self.groups: dict[int, dict[str, _Group]] = {LITERAL: {}, PREFIXED: {}}
        self.sizes: list[int] = []
        """The lengths that prefixes have, shortest first."""
        self._size_counts: dict[int, int] = {}

    # hot: a look for each length that a prefix has, up to that of the name.
    def concerning(self, name: str) -> list[_Group]:
        literal, prefixed = self.groups[LITERAL], self.groups[PREFIXED]
        found = []
        if name in literal:
            found.append(literal[name])
        if WILDCARD in literal and name != WILDCARD:
            found.append(literal[WILDCARD])
        length = len(name)
        for size in self.sizes:
            if size > length:
                break
            start = name[:size]
            if start in prefixed:
                found.append(prefixed[start])
        return found

    def put(self, rule_id: bytes, rule: Rule) -> None:
        groups = self.groups.setdefault(rule.pattern_type, {})
        name = rule.resource_name
        if name not in groups:
            groups[name] = _Group()
            self._count(rule, 1)
        groups[name].put(rule_id, rule)

    def remove(self, rule_id: bytes, rule: Rule) -> None:
        groups, name = self.groups[rule.pattern_type], rule.resource_name
        groups[name].remove(rule_id)
        if not len(groups[name]):
            del groups[name]
            self._count(rule, -1)

    def _count(self, rule: Rule, change: int) -> None:
        if rule.pattern_type != PREFIXED:
            return
        counts, size = self._size_counts, len(rule.resource_name)
        counts[size] = counts.get(size, 0) + change
        if not counts[size]:
            del counts[size]
        self.sizes = sorted(counts)


def _gathered(rules: Iterable[Rule]) -> dict[str, dict[str, _Bits]]:
    found: dict[str, dict[str, _Bits]] = {}
    for rule in rules:
        hosts = found.setdefault(rule.principal, {})
        before = hosts.get(rule.host, NOTHING)
        if rule.permission_type == ALLOW:
            hosts[rule.host] = _Bits(before.allowed | _allowed(rule.operation), before.denied)
        else:
            hosts[rule.host] = _Bits(before.allowed, before.denied | _named(rule.operation))
    return found


def _named(operation: int) -> int:
    return ALL_BITS if operation == Operation.ALL else 1 << operation


def _allowed(operation: int) -> int:
    implied = IMPLIED.get(operation)  # type: ignore[call-overload]  # its number is the operation
    return _named(operation) | (0 if implied is None else 1 << implied)


class AclAuthorizer:
    """Judges by the rules as they are at that moment."""

    def __init__(
        self,
        rules: Callable[[], Rules],
        super_users: Iterable[str] = (),
        *,
        allows_without_rules: bool = False,
    ) -> None:
        self._now = rules
        self._super_users = frozenset(super_users)
        self._without_rules = ALL_BITS if allows_without_rules else 0
        self._rules: Rules = {}
        self._kinds: dict[int, _Kind] = {}
        self._kept: dict[tuple[str, str, str, int, str], int] = {}

    def __repr__(self) -> str:
        return f"AclAuthorizer({len(self._rules)} rules)"

    # hot: for each topic of each request: 0.6 us of the processor where it was asked before, 4.2
    # where not, with 10,000 rules whose prefixes have seven lengths.
    def allows(self, caller: Caller, operation: Operation, resource: Resource, name: str) -> bool:
        return bool(self._bits(caller, resource, name) >> operation & 1)

    def allowed(self, caller: Caller, resource: Resource, name: str) -> int:
        return self._bits(caller, resource, name) & bits_of(OPERATIONS[resource])

    def allows_any(self, caller: Caller, operation: Operation, resource: Resource) -> bool:
        """Whether there could be a resource of this kind that the caller may do this to (KIP-679).

        As in Kafka a permission counts unless a rule denies it whole: one for the same name, for
        all names, or for a prefix of it. Asked for WRITE alone; of an operation that others imply
        Kafka would look at what names it.
        """
        if self.allows(caller, operation, resource, "hardcode"):
            return True
        principal, hosts = str(caller.principal), spellings(caller.peer.host)
        bit = 1 << operation
        given: list[tuple[int, str]] = []
        denied: set[tuple[int, str]] = set()
        for pattern, name, group in self._groups_of(resource):
            can, cannot = group.bits(principal, hosts)
            if cannot & bit:
                denied.add((pattern, name))
            if can & bit:
                given.append((pattern, name))
        if EVERYTHING in denied:
            return False
        return any(place == EVERYTHING or not _is_covered(place, denied) for place in given)

    def _groups_of(self, resource: Resource) -> Iterator[tuple[int, str, _Group]]:
        kind = self._kinds.get(resource)
        if kind is None:
            return
        for pattern, groups in kind.groups.items():
            for name, group in groups.items():
                yield pattern, name, group

    def _bits(self, caller: Caller, resource: Resource, name: str) -> int:
        """All that the caller may do to this resource."""
        rules = self._now()
        if rules is not self._rules:
            self._renew(rules)
        principal, host = caller.principal, caller.peer.host
        key = principal.kind, principal.name, host, resource, name
        bits = self._kept.get(key)
        if bits is None:
            bits = self._find(str(principal), host, resource, name)
            if len(self._kept) >= KEPT_MAX:
                self._kept.clear()
            self._kept[key] = bits
        return bits

    def _find(self, principal: str, host: str, resource: Resource, name: str) -> int:
        if principal in self._super_users:
            return ALL_BITS
        kind = self._kinds.get(resource)
        groups = None if kind is None else kind.concerning(name)
        if not groups:
            return self._without_rules
        allowed = 0 if any(group.counts for group in groups) else self._without_rules
        denied = 0
        hosts = spellings(host)
        for group in groups:
            can, cannot = group.bits(principal, hosts)
            allowed |= can
            denied |= cannot
        return allowed & ~denied

    # when rules come and go

    def _renew(self, rules: Rules) -> None:
        """Take over what is different: a change costs what it changes, and a walk over the ids."""
        before, self._rules = self._rules, rules
        for rule_id in before.keys() - rules.keys():
            for part_id, rule in _parts(rule_id, before[rule_id]):
                self._kinds[rule.resource_type].remove(part_id, rule)
        for rule_id in rules.keys() - before.keys():
            for part_id, rule in _parts(rule_id, rules[rule_id]):
                self._kinds.setdefault(rule.resource_type, _Kind()).put(part_id, rule)
        self._kept.clear()


def _parts(rule_id: bytes, rule: Rule) -> Iterator[tuple[bytes, Rule]]:
    """The rule itself, and what it stands for where it grants a role, each with an id."""
    yield rule_id, rule
    if is_binding(rule.host):
        for index, part in enumerate(rules_of_binding(rule)):
            yield rule_id + index.to_bytes(2, "big"), part


def rules_of_binding(rule: Rule) -> Iterator[RoleRule]:
    """What a role allows to whom it is granted; nothing where it is denied."""
    if rule.permission_type != ALLOW:
        return iter(())
    return compiled(
        resource_type=rule.resource_type,
        resource_name=rule.resource_name,
        pattern_type=rule.pattern_type,
        principal=rule.principal,
        host=rule.host,
    )


def spellings(host: str) -> tuple[str, ...]:
    """The hosts of rules that mean this one."""
    return (WILDCARD, host) if ":" not in host else (WILDCARD, host, _as_java(host))


def _as_java(host: str) -> str:
    """An address of version 6 as Java writes it, and so as rules may have it: without `::`."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return ":".join(f"{int(part, 16):x}" for part in address.exploded.split(":"))


def _is_covered(place: tuple[int, str], denied: set[tuple[int, str]]) -> bool:
    """Whether a denial takes all of this permission back."""
    pattern, name = place
    if pattern == LITERAL and place in denied:
        return True
    return any((PREFIXED, name[:size]) in denied for size in range(1, len(name) + 1))
