"""Which access rules a filter means."""

from __future__ import annotations

from typing import Protocol

from moldau.broker.metadata.security import AccessRule

ANY = 1
MATCH = 2
LITERAL, PREFIXED = 3, 4
WILDCARD = "*"


class Filter(Protocol):
    """What DescribeAcls and DeleteAcls ask by; null and ANY match everything."""

    resource_type_filter: int
    resource_name_filter: str | None
    pattern_type_filter: int
    principal_filter: str | None
    host_filter: str | None
    operation: int
    permission_type: int


def matches(rule: AccessRule, asked: Filter) -> bool:
    """Whether the filter means this rule."""
    return (
        asked.resource_type_filter in (ANY, rule.resource_type)
        and _names(rule, asked)
        and asked.principal_filter in (None, rule.principal)
        and asked.host_filter in (None, rule.host)
        and asked.operation in (ANY, rule.operation)
        and asked.permission_type in (ANY, rule.permission_type)
    )


def _names(rule: AccessRule, asked: Filter) -> bool:
    kind, name = asked.pattern_type_filter, asked.resource_name_filter
    if kind not in (ANY, MATCH, rule.pattern_type):
        return False
    if name is None or name == rule.resource_name:
        return True
    if kind != MATCH:
        return False
    if rule.pattern_type == PREFIXED:
        return name.startswith(rule.resource_name)
    return rule.resource_name == WILDCARD
