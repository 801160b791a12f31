"""Granting roles and taking them back.

Both look first: what is granted already is not granted again, so that an undo takes back only what
the change itself did.
"""

from __future__ import annotations

from typing import Final

from moldau.broker.security.access import CLUSTER_NAME
from moldau.broker.security.access import Operation as AccessWord
from moldau.broker.security.roles import ROLE_HOST, complaint, role_of
from moldau.client.admin import (
    AccessOperation,
    AclFilter,
    AclRule,
    PatternType,
    Permission,
    ResourceKind,
)
from moldau.programs.console.access.roles import sentence_of_binding
from moldau.programs.console.changes.change import Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import command_line
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.bodies import field_of, maybe_field
from moldau.programs.rest.refusals import bad_request

__all__ = ["ROLE_KINDS", "binding_of"]

CLUSTER: Final = "cluster"
KINDS: Final = {
    CLUSTER: ResourceKind.CLUSTER,
    "topic": ResourceKind.TOPIC,
    "group": ResourceKind.GROUP,
    "transactional_id": ResourceKind.TRANSACTIONAL_ID,
}
PATTERNS: Final = {"literal": PatternType.LITERAL, "prefixed": PatternType.PREFIXED}
FIELDS: Final = {
    "principal": "string",
    "role": "string",
    "kind": "string?",
    "name": "string?",
    "pattern": "string?",
}
POWERFUL: Final = frozenset(("SystemAdmin", "UserAdmin"))
MAY_ALL: Final = "This role may change who may do what, its own rights too."


async def _grant(reach: Reach, given: Given) -> Change:
    rule = binding_of(given)
    shown = sentence_of_binding(rule)
    known = await _is_granted(reach, rule)

    async def run() -> None:
        (await reach.admin.create_acls([rule])).all()

    return Change(
        command_line(reach.settings, "roles", "grant", *_words(rule)),
        [Difference("role", shown if known else None, shown)],
        run,
        warning=MAY_ALL if role_of(rule.host) in POWERFUL else None,
        undo=None if known else ("revoke-role", dict(given)),
    )


async def _revoke(reach: Reach, given: Given) -> Change:
    rule = binding_of(given)
    shown = sentence_of_binding(rule)
    if not await _is_granted(reach, rule):
        raise HttpError(404, f"This is not granted: {shown}; the page Roles has what is")

    async def run() -> None:
        (await reach.admin.delete_acls([AclFilter.exactly(rule)])).all()

    return Change(
        command_line(reach.settings, "roles", "revoke", *_words(rule)),
        [Difference("role", shown, None)],
        run,
        undo=("grant-role", dict(given)),
    )


async def _is_granted(reach: Reach, rule: AclRule) -> bool:
    return rule in list(await reach.admin.describe_acls(AclFilter.exactly(rule)))


def binding_of(given: Given) -> AclRule:
    """The access rule that stands for it; a sentence where the role cannot be had there."""
    principal, role = field_of(given, "principal", str), field_of(given, "role", str)
    named = maybe_field(given, "kind", str) or CLUSTER
    if named not in KINDS:
        raise bad_request(f"kind is one of {', '.join(KINDS)}")
    pattern = PATTERNS.get(maybe_field(given, "pattern", str) or "literal")
    if pattern is None:
        raise bad_request(f"pattern is one of {', '.join(PATTERNS)}")
    kind, host = KINDS[named], ROLE_HOST + role
    wrong = complaint(int(kind), AccessWord.ALL, int(Permission.ALLOW), host)
    if wrong is not None:
        raise bad_request(wrong)
    name = CLUSTER_NAME
    if named == CLUSTER:
        pattern = PatternType.LITERAL
    else:
        name = field_of(given, "name", str)
    return AclRule(principal, AccessOperation.ALL, kind, name, pattern, host=host)


def _words(rule: AclRule) -> list[str]:
    words = ["--principal", rule.principal, "--role", role_of(rule.host)]
    if rule.kind is ResourceKind.CLUSTER:
        return [*words, "--cluster"]
    words += [f"--{rule.kind.name.lower().replace('_', '-')}", rule.name]
    return [*words, "--prefixed"] if rule.pattern is PatternType.PREFIXED else words


ROLE_KINDS: Final = (
    Kind("grant-role", "Grant a role", FIELDS, _grant),
    Kind("revoke-role", "Take a role back", FIELDS, _revoke),
)
