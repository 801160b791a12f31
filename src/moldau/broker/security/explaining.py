"""Why a decision is as it is: the rules that made it, and what would change it.

A slow and plain walk over all rules, beside the quick one of `acls`, which decides. A test holds
the two together for rules that are drawn, so that an explanation never explains another decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from moldau.broker.security.access import Operation, Resource
from moldau.broker.security.acls import (
    ALLOW,
    DENY,
    EVERY_USER,
    IMPLIED,
    LITERAL,
    PREFIXED,
    WILDCARD,
    Rule,
    rules_of_binding,
    spellings,
)
from moldau.broker.security.roles import RoleRule, is_binding

__all__ = ["Explanation", "Question", "explain", "show_rule"]

NEAR_MAX = 5
"""Rules that nearly match: a few are worth showing."""
PATTERNS = {LITERAL: "literal", PREFIXED: "prefixed"}


class Question(NamedTuple):
    """May this principal, from this host, do that to this resource?"""

    principal: str
    host: str
    operation: Operation
    resource: Resource
    name: str

    def __str__(self) -> str:
        what = f"{self.operation.name} {self.resource.name} {self.name}"
        return f"{self.principal} from {self.host}: {what}"


class Explanation(NamedTuple):
    """The answer."""

    is_allowed: bool
    reason: str
    rules: tuple[Rule, ...]
    """Those that made it so, or that nearly match."""
    remedy: str
    """What would make it the other way."""


def explain(
    question: Question,
    rules: Iterable[Rule],
    super_users: Iterable[str] = (),
    *,
    allows_without_rules: bool = False,
) -> Explanation:
    if question.principal in super_users:
        return Explanation(True, "it is one of super.users", (), "take it out of super.users")
    concerning = [rule for rule in _with_roles(rules) if _concerns(rule, question)]
    if allows_without_rules and all(isinstance(rule, RoleRule) for rule in concerning):
        return _without_rules(question, is_allowed=True)
    if not concerning:
        return _without_rules(question, is_allowed=False)
    own = [rule for rule in concerning if _is_about(rule, question)]
    denials = [rule for rule in own if _denies(rule, question.operation)]
    if denials:
        remedy = f"delete {'this rule' if len(denials) == 1 else 'these rules'}"
        return Explanation(False, "a rule denies it, and denials win", tuple(denials), remedy)
    grants = [rule for rule in own if _grants(rule, question.operation)]
    if grants:
        remedy = f"delete {'this rule' if len(grants) == 1 else 'all of these'}, or deny it"
        return Explanation(True, "a rule allows it, and none denies it", tuple(grants), remedy)
    near = [rule for rule in concerning if _is_near(rule, question)][:NEAR_MAX]
    reason = f"{len(concerning)} rules concern the {question.resource.name}, and none allows it"
    return Explanation(False, reason, tuple(near), _grant(question))


def _with_roles(rules: Iterable[Rule]) -> Iterator[Rule]:
    """All rules, and behind a binding what it stands for."""
    for rule in rules:
        yield rule
        if is_binding(rule.host):
            yield from rules_of_binding(rule)


def _without_rules(question: Question, *, is_allowed: bool) -> Explanation:
    setting = "allow.everyone.if.no.acl.found"
    reason = f"no rule concerns the {question.resource.name}, and {setting} is "
    if is_allowed:
        return Explanation(
            True, f"{reason}true", (), f"add any rule for it, or set {setting}=false"
        )
    return Explanation(False, f"{reason}false", (), _grant(question))


def _grant(question: Question) -> str:
    """The rule that it takes, as `show_rule` has it."""
    return (
        f"add a rule: ALLOW {question.principal} {question.operation.name} on literal "
        f"{question.resource.name} {question.name} from *"
    )


def _concerns(rule: Rule, question: Question) -> bool:
    if rule.resource_type != question.resource:
        return False
    if rule.pattern_type == PREFIXED:
        return question.name.startswith(rule.resource_name)
    return rule.pattern_type == LITERAL and rule.resource_name in (question.name, WILDCARD)


def _is_about(rule: Rule, question: Question) -> bool:
    is_own = rule.principal in (question.principal, EVERY_USER)
    return is_own and rule.host in spellings(question.host)


def _denies(rule: Rule, operation: Operation) -> bool:
    return rule.permission_type == DENY and rule.operation in (operation, Operation.ALL)


def _grants(rule: Rule, operation: Operation) -> bool:
    implied = [given for given, other in IMPLIED.items() if other == operation]
    return rule.permission_type == ALLOW and rule.operation in (operation, Operation.ALL, *implied)


def _is_near(rule: Rule, question: Question) -> bool:
    """For this principal with another operation, or from another host."""
    return rule.permission_type == ALLOW and rule.principal in (question.principal, EVERY_USER)


def show_rule(rule: Rule) -> str:
    permission = "ALLOW" if rule.permission_type == ALLOW else "DENY"
    pattern = PATTERNS.get(rule.pattern_type, str(rule.pattern_type))
    kind, operation = Resource(rule.resource_type).name, Operation(rule.operation).name
    by = f" by the role {rule.role}" if isinstance(rule, RoleRule) else ""
    return (
        f"{permission} {rule.principal} {operation} on {pattern} {kind} {rule.resource_name} "
        f"from {rule.host}{by}"
    )
